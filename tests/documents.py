"""Writes the pages of `docs/` that are made of the code (`make docs`)."""

from tests import coverage, promises, reference

PAGES = (promises, reference, coverage)

if __name__ == "__main__":
    for document in PAGES:
        document.PAGE.write_text(document.page())
