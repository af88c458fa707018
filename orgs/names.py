"""One spelling for names that people and agents type: workspaces and fact keys. Pure."""

import unicodedata

LONGEST = 200


def canonical(name: str) -> str:
    """Return the one spelling of a name: NFKC, case folded, runs of white space as one space, none around.

    So `Deploy.Staging`, `deploy.staging` and the same with composed or decomposed letters are one name.
    The answer may be longer than what was given, or empty.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())
