"""Pages of API keys: whose they are and what they may do; making one, shown once; ending one."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from orgs.directory import keys_of
from orgs.errors import Invalid, Unknown
from orgs.operations.api_keys import create_key, revoke_key
from orgs.roles import Permission
from orgs.web.forms import KeyForm, refuse_field
from orgs.web.pages import Page


class Keys(Page):
    """The keys of the chosen project that the member has a say over."""

    template = "orgs/keys.html"
    title = gettext_lazy("API keys")

    def get(self, request: HttpRequest) -> HttpResponse:
        """List them."""
        visit = self.visit
        keys = keys_of(visit.caller, visit.project.id, now=visit.now) if visit.project else []
        return self.rendered(keys=keys, may_create=visit.may(Permission.MANAGE))


class NewKey(Page):
    """A form for a key; its text is shown on the answer and never again."""

    template = "orgs/key_new.html"
    title = gettext_lazy("New API key")

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the form to whoever may create keys here."""
        self.visit.caller.require(Permission.MANAGE)
        return self.rendered(form=KeyForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Create the key and show it."""
        visit, form = self.visit, KeyForm(request.POST)
        visit.caller.require(Permission.MANAGE)
        if not form.is_valid() or visit.project is None:
            return self.rendered(form=form, status=400)
        try:
            issued = create_key(visit.caller, form.wish(now=visit.now), project_id=visit.project.id, now=visit.now)
        except Invalid as refusal:
            refuse_field(form, refusal)
            return self.rendered(form=form, status=400)
        agents = settings.PUBLIC_URL + reverse("mcp").rstrip("/")
        return self.rendered(template="orgs/key_made.html", key=issued.key, token=issued.token, agents=agents)


class RevokeKey(Page):
    """The end of a key and of all that it issued."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, id: str) -> HttpResponse:
        """End it."""
        visit = self.visit
        ended = revoke_key(visit.caller, _id(id), now=visit.now)
        said = ngettext("%(count)d key was revoked.", "%(count)d keys were revoked.", ended) % {"count": ended}
        messages.success(request, said if ended else _("This key had been revoked already."))
        return redirect("orgs:keys")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Unknown("There is no such key here.") from None
