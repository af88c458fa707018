"""Pages speak the reader's language: every string of theirs is translated, compiled, and shown."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from tests.cast import Cast
from tests.memory.writing import remember
from tests.orgs.web.test_pages import PAGES, address

LANGUAGES = {"ru": "ru", "zh-hans": "zh_Hans"}
ENTRY = re.compile(r'^msgid "(.+)"$(?:\nmsgid_plural "(.+)")?((?:\nmsgstr.*)+)', re.MULTILINE)
IN_TEMPLATES = re.compile(r"""\{%\s*trans(?:late)?\s+(?:"([^"]+)"|'([^']+)')""")
TEMPLATES = [*settings.BASE_DIR.glob("*/templates/orgs/*.html"), *settings.BASE_DIR.glob("*/templates/memory/*.html")]


def catalogue(locale: str) -> dict[str, str]:
    """Read msgid → the lines of msgstr."""
    text = Path(settings.LOCALE_PATHS[0], locale, "LC_MESSAGES", "django.po").read_text()
    return {found[1].replace('\\"', '"'): found[3] for found in ENTRY.finditer(text)}


def test_templates_are_looked_through():
    assert len(TEMPLATES) > 10


@pytest.mark.parametrize("locale", LANGUAGES.values())
def test_every_string_of_the_templates_is_in_the_catalogue_and_translated(locale):
    known = catalogue(locale)
    used = {one or other for path in TEMPLATES for one, other in IN_TEMPLATES.findall(path.read_text())}
    assert used - known.keys() == set()
    assert [msgid for msgid, said in known.items() if re.search(r'^msgstr\S* ""$', said, re.MULTILINE)] == []


@pytest.mark.parametrize(("language", "locale"), LANGUAGES.items())
def test_what_is_compiled_is_what_is_written(language, locale):
    with translation.override(language):
        for msgid, said in catalogue(locale).items():
            if "[0]" not in said:
                assert translation.gettext(msgid) == said.removeprefix('\nmsgstr "')[:-1].replace('\\"', '"')


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("ru", 1, "1 более новая запись её опровергает"),
        ("ru", 3, "3 более новые записи её опровергают"),
        ("ru", 11, "11 более новых записей её опровергают"),
        ("zh-hans", 2, "2 条更新的记录推翻了它"),
    ],
)
def test_numbers_take_the_forms_of_the_language(language, count, said):
    with translation.override(language):
        words = translation.ngettext("%(n)d newer record refutes it", "%(n)d newer records refute it", count)
    assert words % {"n": count} == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_shows_an_english_sentence_to_others(cast: Cast, now, language):
    record = remember(cast.oz.signed_in(now=now), "事实", now=now)
    client = Client(headers={"accept": "text/html", "accept-language": language})
    client.force_login(cast.oz.user)
    english = [msgid for msgid in catalogue(LANGUAGES[language]) if len(msgid) > 11 and "%" not in msgid]
    for name, _ in PAGES:
        body = client.get(address(name, record.id)).content.decode()
        assert [msgid for msgid in english if msgid in body] == [], name


def test_one_chooses_the_language_by_a_post(cast: Cast):
    client = Client(headers={"accept": "text/html"})
    client.force_login(cast.ada.user)
    assert client.get("/i18n/setlang/").status_code == 302
    assert 'lang="en"' in client.get("/").content.decode()
    client.post("/i18n/setlang/", {"language": "ru", "next": "/"})
    assert 'lang="ru"' in client.get("/").content.decode()
