"""The full-text index: what it finds, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.ai.search.index import Index, Passage
from penstock.services.ai.search.passages import make_anchor, page_passages
from penstock.services.ai.search.vocabulary import translate
from penstock.services.ai.search.words import list_words, stem


def index(*texts: str) -> Index:
    return Index(Passage(key=str(number), title="", text=text) for number, text in enumerate(texts))


def found(of: Index, query: str) -> list[str]:
    return [hit.passage.key for hit in of.find(query, 10)]


def test_forms_of_a_word_are_one_word_and_frequent_words_are_none() -> None:
    assert list_words("The extractors are extracting: an extraction!") == ["extract"] * 3
    assert list_words("tables Table processes Queries query") == ["tabl", "tabl", "process", "query", "query"]
    assert list_words("retried retries stopped stopping") == ["retry", "retry", "stop", "stop"]


def test_accents_and_spellings_do_not_matter() -> None:
    assert list_words("ČEŠTINA_Key 5, Straße") == list_words("cestina key 5 strasse")
    assert list_words("an e-mail, backed up") == ["email", "backup"]


def test_the_language_of_a_question_is_recognized_and_its_words_are_translated() -> None:
    of = index("password secret", "schedule cron", "table rows", "upload file")

    assert found(of, "Kde je moje heslo?")[0] == "0"
    assert found(of, "Wie plane ich das?")[0] == "1"
    assert found(of, "las filas de la tabla")[0] == "2"
    assert found(of, "déposer un fichier")[0] == "3"
    assert found(of, "Passwort vergessen")[0] == "0", "without a word that all questions have"


@given(st.text(max_size=300))
def test_any_text_is_a_question(text: str) -> None:
    for hit in index("password secret", "schedule cron every night", "table rows").find(text, 5):
        assert 0 <= hit.score <= 1


def test_a_synonym_counts_less_than_the_word_itself() -> None:
    assert found(index("cron", "nightly", "other"), "nightly") == ["1", "0"]


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    of = index("table table table", "table vault", "table", "table row")

    assert found(of, "table of the vault")[0] == "1"


def test_a_text_with_more_of_the_words_and_a_shorter_text_come_first() -> None:
    of = index("offset", "offset limit", "offset limit " + "filler " * 50)

    assert found(of, "offset limit") == ["1", "2", "0"]


def test_a_word_of_the_title_counts_more_than_one_of_the_text() -> None:
    passages = [Passage(key="text", title="Other", text="cron " * 2), Passage(key="title", title="Cron", text="Other")]

    assert [hit.passage.key for hit in Index(passages).find("cron", 2)] == ["title", "text"]


def test_scores_are_between_0_and_1_and_unknown_words_lower_them() -> None:
    of = index("cron", "queue", "vault", "table")
    [all_known], [half_known] = of.find("cron", 1), of.find("cron nonsense", 1)

    assert 0 < half_known.score < all_known.score <= 1


def test_an_empty_index_and_an_empty_query_find_nothing() -> None:
    assert index().find("anything", 5) == []
    assert index("text").find("the of", 5) == []


def test_a_page_is_split_at_its_headings_and_not_in_its_examples() -> None:
    page = "# Vault\n\nValues.\n\n## Store a `value`, now\n\n```sh\n# not a heading\n```\n\nText.\n"
    passages = {
        each.key: each
        for each in page_passages({"services/vault.md": page, "decisions/0001.md": page, "architecture.md": page})
    }

    assert list(passages) == ["services/vault.md", "services/vault.md#store-a-value-now"]
    assert passages["services/vault.md"].text == "Values."
    second = passages["services/vault.md#store-a-value-now"]
    assert (second.title, second.text) == ("Vault: Store a `value`, now", "```sh\n# not a heading\n```\n\nText.")
    assert make_anchor("E-mails & co") == "e-mails--co"


@pytest.mark.parametrize(
    "words",
    [
        ("isolate", "isolated", "isolates", "isolation", "isolating"),
        ("create", "created", "creates", "creation", "creating", "creator"),
        ("duplicate", "duplicates", "duplicated", "duplication"),
    ],
)
def test_forms_of_a_verb_in_ate_are_one_word(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("word", "english"), [("wetterdaten", "data"), ("wettertabelle", "table"), ("importauftrag", "import")]
)
def test_a_german_compound_is_a_kind_of_its_last_part_unless_its_beginning_is_known(word: str, english: str) -> None:
    assert english in translate(word, "de")


def test_a_short_ending_is_not_a_part_of_a_compound() -> None:
    assert translate("xyzapi", "de") == ()
