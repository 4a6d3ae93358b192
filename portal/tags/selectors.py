"""What the matrix shows: for each category and context how its switch stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils import timezone

from portal.accounts.tags import key_of_tag
from portal.lib.unnamed import named
from portal.tags.models import CONTEXTS, Category, Context, SwitchChange, Use
from portal.tags.models.categories import title_of, why_fixed

NOT_CHECKED = "Not checked yet"


@dataclass(frozen=True)
class Column:
    """One context, and what keeps people from changing or knowing what is used in it."""

    context: str
    title: str
    fixed: str
    """Why nothing can be pressed here; empty where switches are."""
    problem: str
    """Why the platform does not tell what is used here."""
    is_read: bool


@dataclass(frozen=True)
class Cell:
    """How one switch stands."""

    column: Column
    is_on: bool
    change: SwitchChange | None
    """The press that is on its way, or that failed lately."""

    @property
    def press(self) -> str:
        """What the form says when it is pressed."""
        return f"{self.column.context}|{'off' if self.is_on else 'on'}"

    @property
    def description(self) -> str:
        if self.column.problem and not self.is_on:
            return "Not known"
        return "On" if self.is_on else "Off"

    @property
    def in_words(self) -> str:
        """Where nothing can be pressed, as in a file: also that a press is on its way, and that nobody has looked yet."""
        if self.change and self.change.is_on_its_way:
            return "Checking"
        return self.description if self.column.is_read else NOT_CHECKED


@dataclass(frozen=True)
class MatrixRow:
    """One category, and how it stands in each context."""

    category: Category
    cells: list[Cell]

    @property
    def tags(self) -> list[tuple[str, str]]:
        """What its tags are called, each with the query of the list of questionnaires that have it."""
        return [(named(tag["name"]), query_of(self.category, tag["id"])) for tag in self.category.tags]


def query_of(category: Category, tag_id: str) -> str:
    """Return the query that narrows the list of questionnaires, finished ones included, to a tag."""
    return urlencode({"stage": "all", "tag": key_of_tag((category.platform_id, tag_id))})


def columns() -> list[Column]:
    """The contexts that the portal knows, then others that the rows hold, as they came."""
    read = {row.platform_id: row for row in Context.objects.all()}
    used = Use.objects.exclude(context__in=CONTEXTS).values_list("context", flat=True).distinct().order_by("context")
    others = sorted(({*read} | {*used}) - {*CONTEXTS})
    return [
        Column(
            context=key,
            title=title_of(key),
            fixed=why_fixed(key),
            problem=read[key].problem if key in read else "",
            is_read=key in read,
        )
        for key in (*CONTEXTS, *others)
    ]


def matrix_rows(categories: Sequence[Category], shown: Sequence[Column]) -> list[MatrixRow]:
    """Give each category with its switches; two queries for all."""
    keys = [category.pk for category in categories]
    uses = set(Use.objects.filter(category__in=keys).values_list("category_id", "context"))
    pressed = SwitchChange.objects.shown(timezone.now()).filter(category__in=keys).order_by("id")
    changes = {(change.category_id, change.context): change for change in pressed}
    return [
        MatrixRow(
            category,
            [
                Cell(column, (category.pk, column.context) in uses, changes.get((category.pk, column.context)))
                for column in shown
            ],
        )
        for category in categories
    ]
