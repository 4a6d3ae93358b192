import re
from pathlib import Path

import lucide
import pytest
from django.conf import settings

from portal.look.navigation import DESKS, SETTINGS

TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))
NAMES = re.compile(
    r"""\{%\s*lucide\s+"([^"]+)"|lucide\s+[\w.]+\|default:"([^"]+)"|\bicon="([^"]+)"|\{%\s*pill\s+\S+\s+"\w+"\s+"([^"]+)\""""
)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
def test_every_icon_of_a_template_exists(path):
    for found in NAMES.findall(path.read_text()):
        name = next(filter(None, found))
        assert lucide._render_icon(name, 16), name


def test_every_icon_of_the_navigation_exists():
    for entry in DESKS + SETTINGS:
        assert lucide._render_icon(entry.icon, 16)
