"""Parameters that choose vulnerabilities, remediations and assets; the lists of audits have the same ones."""

from collections.abc import Sequence

from portal.sandbox.api.filters import between, containing, equal_to, flag, flagged, having_within, or_without
from portal.sandbox.api.route import Parameter, Query
from portal.sandbox.kinds.inventory import ASSET_TYPES, SEVERITIES
from portal.sandbox.objects import Clause
from portal.sandbox.schemas import BOOLEAN, STRING, one_of

ON_TIME = """json_extract(body, '$.remediationDate') IS NOT NULL
    AND json_extract(body, '$.remediationDate') <= ifnull(json_extract(body, '$.slaDeadlineDate'), '9999')"""
OF_INTEGRATION = """EXISTS (
    SELECT 1 FROM objects v WHERE v.tenant_id = objects.tenant_id AND v.kind IN ('vulnerabilities', 'audit-vulnerabilities')
    AND v.id = json_extract(objects.body, '$.vulnerabilityId') AND json_extract(v.body, '$.integrationId') = ?)"""
ANY_DEADLINE = "includeVulnerabilitiesWithoutSlas"


def is_deactivated(query: Query) -> Clause | None:
    wanted = flag(query, "isDeactivated")
    sql = f"json_extract(body, '$.deactivateMetadata') IS {'NOT NULL' if wanted else 'NULL'}"
    return None if wanted is None else Clause(sql=sql)


def is_on_time(query: Query) -> Clause | None:
    """Keep what was remediated before its deadline, or what was not."""
    wanted = flag(query, "isRemediatedOnTime")
    return None if wanted is None else Clause(sql=f"({ON_TIME}) = {int(wanted)}")


def of_integration(query: Query) -> Clause | None:
    """Keep remediations of what an integration found."""
    value = query.get("integrationId")
    return Clause(sql=OF_INTEGRATION, values=(value,)) if value else None


def of_severity(query: Query) -> Clause | None:
    """Keep remediations of a severity, which stands there in lower case."""
    clause = SEVERITY.read(query)
    return Clause(sql=clause.sql, values=(query["severity"].lower(),)) if clause else None


def checked(query: Query) -> None:
    """Refuse a value that is no boolean also where no deadline is asked for."""
    flag(query, ANY_DEADLINE)


SEVERITY = equal_to("severity", "severity", allowed=SEVERITIES)


def of_vulnerabilities(search: str) -> Sequence[Parameter]:
    """Name the parameters of vulnerabilities; the one that searches has another name for auditors."""
    return (
        containing(search, "name", "description"),
        Parameter(name="isDeactivated", schema=BOOLEAN, read=is_deactivated),
        flagged("isFixAvailable", "isFixable"),
        Parameter(name=ANY_DEADLINE, schema=BOOLEAN, read=checked),
        equal_to("externalVulnerabilityId", "name"),
        equal_to("packageIdentifier", "packageIdentifier"),
        equal_to("integrationId", "integrationId"),
        equal_to("vulnerableAssetId", "targetId"),
        SEVERITY,
        *(
            or_without(due, ANY_DEADLINE, "remediateByDate")
            for due in between("slaDeadlineAfterDate", "slaDeadlineBeforeDate", "remediateByDate")
        ),
    )


OF_REMEDIATIONS = (
    Parameter(name="integrationId", schema=STRING, read=of_integration),
    Parameter(name="severity", schema=one_of(*SEVERITIES), read=of_severity),
    Parameter(name="isRemediatedOnTime", schema=BOOLEAN, read=is_on_time),
    *between("remediatedAfterDate", "remediatedBeforeDate", "remediationDate"),
)


def of_assets(search: str) -> Sequence[Parameter]:
    """Name the parameters of assets."""
    return (
        containing(search, "name"),
        having_within("integrationId", "scanners", "integrationId"),
        having_within("assetExternalAccountId", "scanners", "parentAccountOrOrganization"),
        equal_to("assetType", "assetType", allowed=ASSET_TYPES),
    )
