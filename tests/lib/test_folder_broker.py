"""The embedded broker: a worker that looks while a message is being written."""

from queue import Empty

import pytest
from kombu import Connection
from kombu.utils.json import register_type

from portal.celery import app
from portal.lib.folder_broker import Channel


class Slow:
    """Takes so long to be written that somebody looks meanwhile."""


@pytest.fixture
def channel(tmp_path):
    options = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path), "control_folder": str(tmp_path / "control")}
    with Connection("filesystem://", transport_options=options) as connection:
        yield connection.channel()


def test_a_message_is_seen_whole_or_not_at_all(channel):
    assert app.connection_for_write().transport_cls == "filesystem"
    assert isinstance(channel, Channel)

    def look_meanwhile(_):
        with pytest.raises(Empty):
            channel._get("celery")
        return "written"

    register_type(Slow, "slow", look_meanwhile, lambda value: value)
    channel._put("celery", {"body": Slow()})
    assert channel._get("celery")["body"] == "written"
    with pytest.raises(Empty):
        channel._get("celery")


def test_a_worker_takes_no_unfinished_message(channel, tmp_path):
    (tmp_path / "1_x.unfinished").write_bytes(b"")
    with pytest.raises(Empty):
        channel._get("celery")


def test_o4_a_folder_that_is_not_there_is_an_error_the_bell_survives(channel, tmp_path):
    channel.__dict__["data_folder_out"] = str(tmp_path / "gone")
    with pytest.raises(Exception, match="cannot be added"):
        channel._put("celery", {})
