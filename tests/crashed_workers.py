"""A pytest plugin: a worker process that dies is no failed test, but the end of what the run can say."""

import pytest

_dead: list[str] = []


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object | None) -> None:
    if error:
        _dead.append(str(node))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _dead:
        print(f"\n== died: {', '.join(_dead)}")
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
