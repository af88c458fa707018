"""How the web admin is put together: unfold's frame and its sidebar."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Palimpsest",
    "SITE_HEADER": "Palimpsest",
    "SITE_SUBHEADER": "orgs.web.sidebar.place",
    "SITE_URL": None,
    "SITE_SYMBOL": "history_edu",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("palimpsest/icon.svg")},
    ],
    "SHOW_LANGUAGES": True,
    "STYLES": [lambda _request: static("palimpsest/pages.css")],
    "SCRIPTS": [lambda _request: static("palimpsest/pages.js")],
    "SIDEBAR": {
        "navigation": [
            {
                "title": _("Memory"),
                "items": [
                    {"title": _("Search"), "icon": "search", "link": reverse_lazy("memory:search")},
                    {
                        "title": _("Remember"),
                        "icon": "edit_note",
                        "link": reverse_lazy("memory:remember"),
                        "permission": "orgs.web.sidebar.may_write",
                    },
                ],
            },
            {
                "title": _("Organization"),
                "items": [
                    {"title": _("Where to work"), "icon": "place", "link": reverse_lazy("orgs:places")},
                    {
                        "title": _("API keys"),
                        "icon": "key",
                        "link": reverse_lazy("orgs:keys"),
                        "permission": "orgs.web.sidebar.looks_into_a_project",
                    },
                ],
            },
        ],
    },
}

# Words of the frame that its own authors left untranslated; our catalogue holds them.
FRAME_WORDS = (_("Light"), _("Dark"), _("System"), _("Welcome back to"))
