"""R5: whoever refuses to switch a tag off is named. Switching one on is in `tests/flows/writes.py`."""

import pytest

from tests.support.refusers import Scene, Sent, Write, press, wrongly_named
from tests.tags.conftest import CENTER, PAGE
from tests.tags.conftest import press as switch

pytestmark = pytest.mark.once


def switch_off(scene: Scene) -> Sent:
    category = scene.desk.unused
    switch(scene.client, category, CENTER)
    return f"{PAGE}switch/", {"press": f"{CENTER}|off|{category.platform_id}"}


WRITES: dict[str, Write] = {"end of a use": press("tag_categories.disable", switch_off)}


def test_r5_each_refuser_of_switching_a_tag_off_is_named(client, sandbox, desk, owner):
    assert wrongly_named(Scene(client, sandbox, desk, owner), WRITES, is_whole=True) == []
