"""S3: no cell of a file of ours is a formula, wherever the spreadsheet that opens it thinks a cell begins."""

import csv
from io import StringIO

import pytest

from portal.lib.spreadsheets import csv_lines, read_csv

FORMULAS = ("=1+1", " =1+1", "+1", "@SUM(1)", "-1+1", "Acme;=1+1", "Acme; =1+1", "Acme\t=1+1", "Acme\n=1+1", "Acme\r\n@SUM(1)")
HARMLESS = ("Acme", "a=b", "x; y", "a - b", "1 + 1 = 2", "one\ntwo", "mail@acme.example", "it's; fine", "a;'b")


def written(*cells: str) -> str:
    return "".join(csv_lines([("Name",), *((cell,) for cell in cells)]))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("cell", FORMULAS)
def test_s3_no_cell_begins_with_a_formula_whatever_separates_cells(cell, delimiter):
    """Spreadsheets of many countries take a semicolon for what separates cells, and then quotes in the middle for nothing."""
    text = written("x", cell).lstrip("\ufeff")
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter, quoting=quoting):
            for found in line:
                assert not found.lstrip(' "').startswith(("=", "+", "-", "@")), line


@pytest.mark.parametrize("cell", [*FORMULAS, *HARMLESS])
def test_what_was_written_is_read_back_as_it_was(cell):
    [(_, [read])] = read_csv(written(cell).encode(), most=1, what="lines").rows
    assert read.strip() == cell.strip()


@pytest.mark.parametrize("cell", HARMLESS)
def test_what_is_no_formula_is_left_alone(cell):
    assert list(csv.reader(StringIO(written(cell), newline="")))[1] == [cell]
