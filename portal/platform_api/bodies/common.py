"""What several bodies hold."""

from collections.abc import Mapping, Sequence
from typing import Any

type Owner = Mapping[str, str]
"""`type` (User or Team) and `id`."""
type Pairs = Sequence[Mapping[str, Any]]
