import re
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.audit.chain import Verdict, lost_links, verify
from portal.tenants.models import Tenant

KNOWN_END = re.compile(r"^(\S+): (\d+) links hold, the last is ([0-9a-f]{64})$", re.MULTILINE)
"""A line of this command's own, as `_report` writes it."""

type Ends = set[tuple[int, str]]
"""Places of one chain, and the hashes that they had."""


class Command(BaseCommand):
    help = (
        "Check that no audit row was changed, removed or inserted: of one tenant, or of all tenants and of people's accounts. "
        "Names the first broken link. Keep what it prints elsewhere, and give it back with --since."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tenant", nargs="?", help="the tenant's short name, as it stands in its addresses")
        parser.add_argument(
            "--since", metavar="FILE", help="what this command printed before: each end in it has to be there still"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known = _known_ends(options["since"]) if options["since"] else {}
        chains: list[tuple[str, int | None]]
        if options["tenant"]:
            chains = [(tenant.slug, tenant.pk) for tenant in Tenant.objects.filter(slug=options["tenant"])]
            if not chains:
                raise CommandError(f"There is no tenant {options['tenant']!r}.")
        else:
            chains = [("accounts", None), *((tenant.slug, tenant.pk) for tenant in Tenant.objects.order_by("slug"))]
            self._name_gone(known.keys() - {name for name, _ in chains})
        broken = [name for name, tenant_id in chains if not self._is_whole(name, tenant_id, known.get(name, set()))]
        if broken:
            raise CommandError(f"The audit trail was touched: {', '.join(broken)}")

    def _is_whole(self, name: str, tenant_id: int | None, known: Ends) -> bool:
        verdict = verify(tenant_id)
        if verdict.broken is None and (lost := lost_links(tenant_id, known)):
            self.stdout.write(f"{name}: link {lost[0]} is broken: it was cut off: it held when this command said so")
            return False
        return self._report(name, verdict)

    def _report(self, name: str, verdict: Verdict) -> bool:
        if verdict.broken is None:
            self.stdout.write(f"{name}: {verdict.links} links hold, the last is {verdict.head}")
            return True
        found = verdict.broken
        entry = f"entry {found.entry_id} was" if found.entry_id else "it was"
        self.stdout.write(f"{name}: link {found.place} is broken: {entry} {found.what}")
        return False

    def _name_gone(self, names: set[str]) -> None:
        """Name the tenants that are not there any more. They may be deleted, with their trail."""
        for name in sorted(names):
            self.stdout.write(f"{name}: there is no such tenant any more")


def _known_ends(path: str) -> dict[str, Ends]:
    """Return the ends of each chain, by its name, that a file tells of."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    known: dict[str, Ends] = {}
    for name, place, link_hash in KNOWN_END.findall(text):
        if int(place):
            known.setdefault(name, set()).add((int(place), link_hash))
    return known
