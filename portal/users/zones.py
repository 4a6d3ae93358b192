"""The time zones that people choose from: one name for each clock that many people live by, not every name there is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

COMMON = (
    "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Vancouver", "America/Phoenix", "America/Denver",
    "America/Chicago", "America/Mexico_City", "America/Bogota", "America/New_York", "America/Toronto", "America/Halifax",
    "America/Santiago", "America/St_Johns", "America/Argentina/Buenos_Aires", "America/Sao_Paulo", "Atlantic/Azores",
    "Atlantic/Reykjavik", "UTC", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Africa/Casablanca", "Africa/Lagos",
    "Europe/Amsterdam", "Europe/Berlin", "Europe/Brussels", "Europe/Copenhagen", "Europe/Madrid", "Europe/Oslo",
    "Europe/Paris", "Europe/Prague", "Europe/Rome", "Europe/Stockholm", "Europe/Vienna", "Europe/Warsaw", "Europe/Zurich",
    "Europe/Athens", "Europe/Bucharest", "Europe/Helsinki", "Europe/Kyiv", "Africa/Cairo", "Africa/Johannesburg",
    "Asia/Jerusalem", "Europe/Istanbul", "Africa/Nairobi", "Asia/Riyadh", "Asia/Tehran", "Asia/Dubai", "Asia/Karachi",
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Bangkok", "Asia/Jakarta", "Asia/Ho_Chi_Minh", "Asia/Hong_Kong",
    "Asia/Manila", "Asia/Shanghai", "Asia/Singapore", "Asia/Taipei", "Australia/Perth", "Asia/Seoul", "Asia/Tokyo",
    "Australia/Adelaide", "Australia/Brisbane", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip


def choices(current: str) -> list[tuple[str, str]]:
    """Return the common zones, and the one that somebody has, from west to east: "Berlin (UTC+01:00)"."""
    now = datetime.now(UTC)
    zones = sorted({*COMMON, current}, key=lambda name: (ZoneInfo(name).utcoffset(now), _city(name)))
    return [(name, f"{_city(name)} (UTC{now.astimezone(ZoneInfo(name)):%:z})") for name in zones]


def _city(name: str) -> str:
    return name.rpartition("/")[2].replace("_", " ")
