from portal.lib.platform_choices import labels_of

KNOWN = {"OPEN": ("Open", "warn"), "ON_HOLD": ("Paused", "muted")}


def test_known_values_come_first_and_each_other_one_once_and_readable():
    found = labels_of(KNOWN, ["SENT_BACK", "OPEN", "", "Done by hand", "SENT_BACK"])
    assert [*found.items()] == [
        ("OPEN", "Open"),
        ("ON_HOLD", "Paused"),
        ("SENT_BACK", "Sent back"),
        ("Done by hand", "Done by hand"),
    ]


def test_without_others_the_known_values_are_all_there_is():
    assert labels_of(KNOWN) == {"OPEN": "Open", "ON_HOLD": "Paused"}
