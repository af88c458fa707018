"""The form of keys."""

import pytest

from orgs import keys

PEPPER = "a pepper for tests"


def test_a_key_reads_back_as_itself():
    minted = keys.mint()
    assert keys.parse(minted.text) == minted
    assert minted.text.startswith(f"pal_{minted.public_id}_")


def test_no_two_keys_are_alike():
    minted = [keys.mint() for _ in range(500)]
    assert len({key.text for key in minted}) == len({key.public_id for key in minted}) == 500


@pytest.mark.parametrize("place", range(4, 66))
def test_one_mistyped_character_anywhere_is_noticed(place):
    text = keys.mint().text
    typo = "x" if text[place] != "x" else "y"
    assert keys.parse(text[:place] + typo + text[place + 1 :]) is None


MANGLED = {
    "in capitals": lambda text: "PAL" + text[3:],
    "one more": lambda text: text + "0",
    "one less": lambda text: text[:-1],
    "a line": lambda text: text + "\n",
    "other lines": lambda text: text.replace("_", "-"),
    "nothing": lambda _: "",
    "a beginning": lambda text: text[:4],
    "a word": lambda _: "wrong-key",
    "somebody else's": lambda _: "sk_live_0123456789",
    "zeros": lambda _: "pal_000000000000_" + "0" * 49,
    "other digits": lambda _: "pal_" + "\u0660" * 12 + "_" + "0" * 49,
    "nulls": lambda _: "\0" * 66,
}


@pytest.mark.parametrize("how", MANGLED)
def test_what_is_no_key_is_none(how):
    assert keys.parse(MANGLED[how](keys.mint().text)) is None


def test_two_letters_swapped_are_noticed():
    text = keys.mint().text
    place = next(i for i in range(20, 50) if text[i] != text[i + 1])
    swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    assert keys.parse(swapped) is None


def test_only_the_same_key_fits_its_digest():
    mine, other = keys.mint(), keys.mint()
    digest = mine.digest(PEPPER)
    assert [mine.fits(digest, pepper=PEPPER), other.fits(digest, pepper=PEPPER)] == [True, False]
    assert mine.fits(digest, pepper="another pepper") is False


def test_fc45_a_key_never_shows_its_secret_when_it_is_printed():
    minted = keys.mint()
    assert minted.text not in f"{minted!r} {minted} {[minted]}"
    assert minted.text not in minted.digest(PEPPER)


def test_a_key_is_found_in_a_text_that_leaks_it():
    minted = keys.mint()
    found = keys.PATTERN.search(f"curl -H 'Authorization: Bearer {minted.text}' …")
    assert found is not None
    assert keys.parse(found[0]) == minted
