"""The lexicon of the field (`concepts.txt`): phrases that mean the same, what is near, and what says nothing.

A line is `name: phrase | phrase`, `> name ~ name weight` (near in both directions) or `> name < name weight` (the left one is
a kind of the right one). `!filler:` lists what says nothing about a question's subject, `!negation:` what turns it around.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import snowballstemmer

FILE: Final = Path(__file__).with_name("concepts.txt")
WORD: Final = re.compile(r"[^\W_]+(?:[.,][0-9]+)*")
MAIL: Final = re.compile(r"\S+@\S+")
"""An address is somebody's: it becomes no word."""
MAX_STEM_LENGTH: Final = 39
"""Letters of a stem: what is longer is no word, but a key or an address."""
ACRONYMS: Final = re.compile(r"\b([A-Z]{2,})s\b")
"""The plural of an acronym, which no stemmer knows: DPAs."""
RELATION: Final = re.compile(r"> *(\S+) *([~<]) *(\S+) +([0-9.]+)")
FILLER, NEGATION = "!filler", "!negation"
EDITION_LENGTH: Final = 12
type Phrase = tuple[str, ...]

_stemmer = snowballstemmer.stemmer("english")


@cache
def stem(word: str) -> str:
    found: str = _stemmer.stemWord(word)
    return found[:MAX_STEM_LENGTH]


def stems(text: str) -> list[str]:
    """Return the stems of a text's words in their order; hyphens part words as spaces do."""
    folded = ACRONYMS.sub(r"\1", MAIL.sub(" ", text)).casefold().replace("’", "'").replace("'s", " ").replace("'", "")
    return [stem(word) for word in WORD.findall(folded)]


@dataclass
class Lexicon:
    """What phrases mean, and how near meanings are."""

    phrases: dict[Phrase, str] = field(default_factory=dict)
    """The concept of each phrase, in stems."""
    near: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    """For a concept that is asked for, the others that answer it in part, each with how much (0 to 1)."""
    longest: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """For a stem, the number of words of the longest phrase that begins with it."""

    def add(self, concept: str, phrases: Iterable[str]) -> None:
        for phrase in phrases:
            if found := tuple(stems(phrase)):
                self.phrases[found] = concept
                self.longest[found[0]] = max(self.longest[found[0]], len(found))

    def relate(self, left: str, kind: str, right: str, weight: float) -> None:
        self.near[right][left] = weight
        # Asked for the narrower one, the broad one says less than it does the other way round.
        self.near[left][right] = weight if kind == "~" else weight * weight

    def phrase_at(self, words: Sequence[str], place: int) -> tuple[str, int]:
        """Return what stands at a place of a text, and how many words it takes: the longest phrase, or the word itself."""
        for length in range(min(self.longest.get(words[place], 0), len(words) - place), 0, -1):
            if concept := self.phrases.get(tuple(words[place : place + length])):
                return concept, length
        return words[place], 1


def read(lines: Iterable[str]) -> Lexicon:
    """Read a lexicon. Raises ValueError for a line that is none."""
    lexicon = Lexicon()
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        name, colon, phrases = line.partition(":")
        if relation := RELATION.fullmatch(line):
            lexicon.relate(f"@{relation[1]}", relation[2], f"@{relation[3]}", float(relation[4]))
        elif colon:
            lexicon.add(name if name.startswith("!") else f"@{name}", phrases.split("|"))
        else:
            raise ValueError(f"no line of a lexicon: {line}")
    return lexicon


@cache
def lexicon() -> Lexicon:
    with FILE.open(encoding="utf-8") as lines:
        return read(lines)


@cache
def edition() -> str:
    """Tell two editions of the lexicon apart: what was made with another one is made anew."""
    return sha256(FILE.read_bytes()).hexdigest()[:EDITION_LENGTH]
