"""A number with its noun, right for one as well: `1 row`, `2,000 rows`."""


def counted(number: int, singular: str, plural: str = "") -> str:
    """Write a number with its noun; the plural where it is not the singular and an s."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"
