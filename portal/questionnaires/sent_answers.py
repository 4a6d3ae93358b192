"""What customers were told: the answers to one question in questionnaires that are finished, gathered by what they say."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from portal.accounts.models import Account
from portal.questionnaires.answer_meaning import Meaning, meaning_of
from portal.questionnaires.answer_words import SetAside
from portal.questionnaires.models import DriftProgress, Response
from portal.questionnaires.stages import FINISHED
from portal.tenants.models import Tenant
from portal.tenants.scope import current_tenant_id

NEWEST: Final = 500
"""So often a question is looked at, the newest first: one that everybody asks would make each look slow."""
COLUMNS: Final = (
    "pk",
    "answer_key",
    "is_approved",
    "questionnaire__status",
    "questionnaire__gone_at",
    "questionnaire__updated_at",
    "questionnaire__account_id",
    "questionnaire_id",
)


@dataclass(frozen=True)
class Telling:
    """One time that a customer was told something."""

    response_id: int
    at: datetime
    account_id: str
    questionnaire_id: int

    @property
    def customer(self) -> str:
        """Equal for two questionnaires of one customer; one that names no customer stands for itself."""
        return self.account_id or f"questionnaire {self.questionnaire_id}"


@dataclass
class SentAnswer:
    """One answer to a question: what it says, and each time that it was given, the newest first."""

    meaning: Meaning
    tellings: list[Telling] = field(default_factory=list)
    wordings: set[str] = field(default_factory=set)
    is_approved: bool = False

    @property
    def newest(self) -> Telling:
        return max(self.tellings, key=lambda telling: telling.at)

    @property
    def count(self) -> int:
        return len(self.tellings)

    @property
    def customer_count(self) -> int:
        return len({telling.customer for telling in self.tellings})


class Comparison:
    """Compares the answers of the tenant in scope; what it needs to know of the tenant is read once."""

    def __init__(self) -> None:
        progress = DriftProgress.objects.first()
        self._stock = frozenset(progress.stock if progress else ())
        self._tenant = Tenant.objects.filter(pk=current_tenant_id()).values_list("name", flat=True).first() or ""

    def aside(self, names: Iterable[str] = ()) -> SetAside:
        """Return what is set aside in answers to a customer of these names."""
        return SetAside(names=(self._tenant, *names), stock=self._stock)

    def answers_to(self, question_key: str) -> dict[str, SentAnswer]:
        """Gather the different answers to a question by the key of what they say, the most frequent first.

        One text of each wording is read, and none where there is one wording alone: there may be hundreds.
        """
        worded = _tellings_by_wording(question_key)
        return worded if len(worded) < 2 else self._by_meaning(worded)

    def meanings_of(self, question_key: str) -> dict[str, SentAnswer]:
        """Gather the same, and say what it means where there is one wording alone, too."""
        return self._by_meaning(_tellings_by_wording(question_key))

    def _by_meaning(self, worded: dict[str, SentAnswer]) -> dict[str, SentAnswer]:
        samples = {wording: answer.newest for wording, answer in worded.items()}
        rows = Response.objects.in_bulk([telling.response_id for telling in samples.values()])
        names = _names(telling.account_id for telling in samples.values())
        found: dict[str, SentAnswer] = {}
        for wording, telling in samples.items():
            if telling.response_id not in rows:
                continue  # it went in this very moment
            meaning = meaning_of(rows[telling.response_id].answer, self.aside(names.get(telling.account_id, ())))
            if meaning.key:
                answer = found.setdefault(meaning.key, SentAnswer(meaning))
                answer.wordings.add(wording)
                answer.tellings += worded[wording].tellings
                answer.is_approved = answer.is_approved or worded[wording].is_approved
        return dict(sorted(found.items(), key=lambda pair: (-pair[1].count, pair[1].newest.response_id)))


def _tellings_by_wording(question_key: str) -> dict[str, SentAnswer]:
    rows = Response.objects.remembered().filter(question_key=question_key).order_by("-id").values_list(*COLUMNS)
    worded: dict[str, SentAnswer] = {}
    for pk, key, is_approved, status, gone_at, at, account_id, questionnaire_id in rows[:NEWEST]:
        if status not in FINISHED or gone_at or not key:
            continue
        answer = worded.setdefault(key, SentAnswer(Meaning(), wordings={key}))
        answer.tellings.append(Telling(pk, at, account_id, questionnaire_id))
        answer.is_approved = answer.is_approved or is_approved
    return worded


def _names(account_ids: Iterable[str]) -> dict[str, Collection[str]]:
    """Return what answers may call these customers."""
    rows = Account.objects.filter(platform_id__in={each for each in account_ids if each})
    return {account_id: (name, domain) for account_id, name, domain in rows.values_list("platform_id", "name", "domain")}
