from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.audit.chain import Verdict, verify
from portal.tenants.models import Tenant


class Command(BaseCommand):
    help = (
        "Check that no audit row was changed, removed or inserted: of one tenant, or of all tenants and of people's accounts. "
        "Names the first broken link. Keep the last hash elsewhere: it shows later that nothing was cut off at the end."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tenant", nargs="?", help="the tenant's short name, as it stands in its addresses")

    def handle(self, *args: Any, **options: Any) -> None:
        chains: list[tuple[str, int | None]]
        if options["tenant"]:
            chains = [(tenant.slug, tenant.pk) for tenant in Tenant.objects.filter(slug=options["tenant"])]
            if not chains:
                raise CommandError(f"There is no tenant {options['tenant']!r}.")
        else:
            chains = [("accounts", None), *((tenant.slug, tenant.pk) for tenant in Tenant.objects.order_by("slug"))]
        broken = [name for name, tenant_id in chains if not self._report(name, verify(tenant_id))]
        if broken:
            raise CommandError(f"The audit trail was touched: {', '.join(broken)}")

    def _report(self, name: str, verdict: Verdict) -> bool:
        if verdict.broken is None:
            self.stdout.write(f"{name}: {verdict.links} links hold, the last is {verdict.head}")
            return True
        found = verdict.broken
        entry = f"entry {found.entry_id} was" if found.entry_id else "it was"
        self.stdout.write(f"{name}: link {found.place} is broken: {entry} {found.what}")
        return False
