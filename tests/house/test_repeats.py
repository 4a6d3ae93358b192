"""What runs a second time, on the other database: only what meets one."""

import pytest

from tests.conftest import meets_database


def test_what_uses_a_database_is_repeated(request, db):
    assert meets_database(request.node)


@pytest.mark.processes
def test_what_starts_processes_is_repeated(request):
    assert meets_database(request.node)


def test_what_uses_none_is_not_repeated(request):
    assert not meets_database(request.node)
