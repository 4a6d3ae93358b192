"""O1: whoever is killed while it writes into the embedded broker harms nobody else."""

from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from portal.celery import app

NAME = "celery"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "queue").mkdir()
    return tmp_path


@pytest.fixture
def broker(folder: Path) -> Iterator[Connection]:
    """A broker of this folder, as the settings of the embedded one make it."""
    assert app  # it says which transport that is
    options = {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
        "store_processed": False,
    }
    with Connection("filesystem://localhost", transport_options=options) as connection:
        yield connection


@pytest.mark.parametrize("torn", ["", '{"body": "W1', "\x00"])
def test_o01_a_message_that_was_never_finished_does_not_end_its_reader(broker: Connection, folder: Path, torn: str):
    channel = broker.default_channel
    channel._put(NAME, {"body": "a bell"})
    # Before the other one: they are read in the order of their names.
    (folder / "queue" / f"0_torn.{NAME}.msg").write_text(torn)
    with pytest.raises(Empty):
        channel._get(NAME)
    assert channel._get(NAME) == {"body": "a bell"}


def test_o01_a_message_that_cannot_be_written_to_its_end_is_never_seen(broker: Connection, folder: Path):
    with pytest.raises(TypeError):
        broker.default_channel._put(NAME, {"body": object()})
    assert not [*(folder / "queue").glob("*.msg")]


def test_o01_a_table_of_queues_that_was_never_finished_is_made_anew(broker: Connection, folder: Path):
    channel = broker.default_channel
    channel._queue_bind(NAME, "", "", NAME)
    (folder / "control" / f"{NAME}.exchange").write_text("")
    # A worker binds its queue when it starts; before that, somebody may ask.
    assert channel.get_table(NAME) == []
    channel._queue_bind(NAME, "", "", NAME)
    assert [bound.queue for bound in channel.get_table(NAME)] == [NAME]
