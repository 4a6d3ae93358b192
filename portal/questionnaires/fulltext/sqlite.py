"""The words of answered questions in SQLite: a table of the extension FTS5."""

from collections.abc import Sequence
from typing import Final

TABLE: Final = "CREATE VIRTUAL TABLE questionnaires_words USING fts5(tenant, question, answer, tokenize = 'porter unicode61')"
FILL: Final = """
    INSERT INTO questionnaires_words (rowid, tenant, question, answer)
    SELECT id, 'tenant' || tenant_id, question, answer_text FROM questionnaires_response
    WHERE is_answered AND gone_at IS NULL
"""
TRIGGERS: Final = (
    """
    CREATE TRIGGER IF NOT EXISTS questionnaires_words_in AFTER INSERT ON questionnaires_response
    WHEN new.is_answered AND new.gone_at IS NULL BEGIN
        INSERT INTO questionnaires_words (rowid, tenant, question, answer)
        VALUES (new.id, 'tenant' || new.tenant_id, new.question, new.answer_text);
    END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS questionnaires_words_out AFTER DELETE ON questionnaires_response BEGIN
        DELETE FROM questionnaires_words WHERE rowid = old.id;
    END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS questionnaires_words_changed
    AFTER UPDATE OF question, answer_text, is_answered, gone_at ON questionnaires_response BEGIN
        DELETE FROM questionnaires_words WHERE rowid = old.id;
        INSERT INTO questionnaires_words (rowid, tenant, question, answer)
        SELECT new.id, 'tenant' || new.tenant_id, new.question, new.answer_text
        WHERE new.is_answered AND new.gone_at IS NULL;
    END
    """,
)
SEARCH: Final = """
    WITH newest AS (
        SELECT rowid AS id, bm25(questionnaires_words, 0, 4, 1) AS distance FROM questionnaires_words
        WHERE questionnaires_words MATCH %s ORDER BY rowid DESC LIMIT %s
    )
    SELECT id FROM newest ORDER BY distance, id DESC LIMIT %s
"""


def statements(existing: set[str]) -> tuple[str, ...]:
    return TRIGGERS if "questionnaires_words" in existing else (TABLE, FILL, *TRIGGERS)


def search(tenant_id: int, words: Sequence[str], *, ranked: int, most: int) -> tuple[str, list[str | int]]:
    """Return the statement for one of the words, in so many of the newest entries."""
    either = " OR ".join(f'"{word}"' for word in words)
    return SEARCH, [f'tenant : "tenant{tenant_id}" AND {{question answer}} : ({either})', ranked, most]
