"""What is named by what is so of it is that thing, and nothing else."""

from __future__ import annotations

from said import garden, meaning_of, question_of


def test_the_only_thing_of_which_it_is_so_is_meant() -> None:
    meaning = meaning_of('prune("the wet plant", 3)', garden("wet(fern)"))
    assert [deed.arguments["plant"] for deed in meaning.deeds] == ["fern"]


def test_of_several_it_is_asked_which_one_is_meant() -> None:
    meaning = meaning_of('prune("wet plant", 3)', garden("wet(fern)", "wet(rose)"))
    assert meaning.sort == "question" and question_of(meaning).options == ("fern", "rose")


def test_where_it_is_so_of_none_there_is_none() -> None:
    meaning = meaning_of('prune("wet plant", 3)', garden("filled()"))
    assert meaning.sort == "refusal" and meaning.words == "There is no wet plant here."


def test_a_word_that_is_no_relation_is_no_description() -> None:
    assert meaning_of('prune("blue plant", 3)', garden("wet(fern)")).words == "There is no blue plant here."
