from uuid import UUID

import pytest

from archivist.fact_keys import name_for
from orgs.names import LONGEST, canonical

ID, OTHER = UUID(int=0xABCDEF), UUID(int=0x123456)


@pytest.mark.parametrize(
    ("content", "shelf"),
    [
        ("The staging release is rolled out on Wednesdays.", "deploy"),
        ("Миграция базы меняет таблицу заказов.", "database"),
        ("数据库每天备份。", "database"),
        ("We indent with tabs, says the style guide.", "style"),
        ("Cats sleep a lot.", "general"),
        ("", "general"),
        ("!!! ---", "general"),
    ],
)
def test_a_fact_stands_on_the_shelf_of_its_words(content, shelf):
    name = name_for(content, id=ID)
    assert name.startswith(f"archivist:{shelf}:")
    assert name.endswith("-abcdef")
    assert (canonical(name), len(name) <= LONGEST) == (name, True)


def test_two_facts_in_the_same_words_have_two_names():
    assert name_for("The port is 1.", id=ID) != name_for("The port is 1.", id=OTHER)


def test_a_name_is_short_however_long_the_words():
    assert len(name_for("x" * 5000 + " " + "ы" * 5000 + " 数" * 999, id=ID)) <= LONGEST
