import re
from pathlib import Path

import lucide
from django.conf import settings

from portal.ui.navigation import DESKS, SETTINGS

TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))
NAMES = re.compile(
    r"""\{%\s*lucide\s+"([^"]+)"|lucide\s+[\w.]+\|default:"([^"]+)"|\bicon="([^"]+)"|\{%\s*pill\s+\S+\s+"\w+"\s+"([^"]+)\""""
)


def test_every_icon_of_a_template_exists():
    found = [next(filter(None, names)) for path in TEMPLATES for names in NAMES.findall(path.read_text())]
    assert len(found) > 100
    for name in sorted(set(found)):
        assert lucide._render_icon(name, 16), name


def test_every_icon_of_the_navigation_exists():
    for entry in DESKS + SETTINGS:
        assert lucide._render_icon(entry.icon, 16)
