"""The words of answered questions in PostgreSQL: vectors of words, weighted by where they stand, with a GIN index."""

from collections.abc import Sequence
from typing import Final

from portal.tenants.row_security import found, walled

VECTOR: Final = """
    array_to_tsvector(ARRAY['tenant ' || {row}.tenant_id::text])
    || setweight(to_tsvector('english', left({row}.question, 20000)), 'A')
    || setweight(to_tsvector('english', {row}.answer_text), 'B')
"""
"""A vector holds a megabyte of words; more would be an error, and the row could not be stored."""
STATEMENTS: Final = (
    "CREATE TABLE questionnaires_words (id bigint PRIMARY KEY, tenant_id bigint NOT NULL, words tsvector NOT NULL)",
    "CREATE INDEX questionnaires_by_words ON questionnaires_words USING gin (words)",
    f"""
    INSERT INTO questionnaires_words (id, tenant_id, words)
    SELECT id, tenant_id, {VECTOR.format(row="given")} FROM questionnaires_response AS given
    WHERE is_answered AND gone_at IS NULL
    """,  # noqa: S608 - our own names
    f"""
    CREATE FUNCTION questionnaires_words() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'TRUNCATE' THEN
            DELETE FROM questionnaires_words;
        ELSIF TG_OP = 'DELETE' OR NOT new.is_answered OR new.gone_at IS NOT NULL THEN
            DELETE FROM questionnaires_words WHERE id = old.id;
        ELSE
            INSERT INTO questionnaires_words (id, tenant_id, words) VALUES (new.id, new.tenant_id, {VECTOR.format(row="new")})
            ON CONFLICT (id) DO UPDATE SET words = excluded.words;
        END IF;
        RETURN NULL;
    END $$
    """,  # noqa: S608 - our own names
    """
    CREATE TRIGGER questionnaires_words_in AFTER INSERT ON questionnaires_response
    FOR EACH ROW WHEN (new.is_answered AND new.gone_at IS NULL) EXECUTE FUNCTION questionnaires_words()
    """,
    """
    CREATE TRIGGER questionnaires_words_changed AFTER UPDATE OF question, answer_text, is_answered, gone_at OR DELETE
    ON questionnaires_response FOR EACH ROW EXECUTE FUNCTION questionnaires_words()
    """,
    """
    CREATE TRIGGER questionnaires_words_out AFTER TRUNCATE ON questionnaires_response
    FOR EACH STATEMENT EXECUTE FUNCTION questionnaires_words()
    """,
    *walled("questionnaires_words"),
    found(
        "questionnaires_words",
        """
        WITH newest AS (
            SELECT id, words FROM public.questionnaires_words WHERE words @@ ($1 && $2) ORDER BY id DESC LIMIT $4
        )
        SELECT id FROM newest ORDER BY ts_rank(words, $2) DESC, id DESC LIMIT $3
        """,
        "ranked integer",
    ),
)
SEARCH: Final = "SELECT * FROM questionnaires_words_found(to_tsquery('english', %s), %s, %s)"


def statements(existing: set[str]) -> tuple[str, ...]:
    return () if "questionnaires_words" in existing else STATEMENTS


def search(tenant_id: int, words: Sequence[str], *, ranked: int, most: int) -> tuple[str, list[str | int]]:
    """Return the statement for one of the words, in so many of the newest entries."""
    either = " | ".join(f"'{word}'" for word in words)
    return SEARCH, [either, most, ranked]
