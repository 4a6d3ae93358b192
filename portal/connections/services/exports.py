from typing import IO

from portal.audit.services import record
from portal.lib.counted import counted
from portal.tenants import offboarding
from portal.tenants.scope import current_tenant_id
from portal.users.models import User


def export_tenant(target: IO[bytes], *, actor: User) -> None:
    """Write everything the tenant in scope has here into a zip file, and note who took it along."""
    counts = offboarding.write_export(target)
    words = f"Exported everything: {counted(sum(counts.values()), 'row')}."
    record("tenant.export", target=("tenant", str(current_tenant_id())), summary=words, actor=actor)
