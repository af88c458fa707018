"""Pages of one record: its passport, its leaving and its return; and the form for a new one."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.protocol.shapes import Failed, RememberedRecord
from memory.queries.passports import Passport, look_up
from memory.verbs import run
from memory.web.forms import RememberForm, refuse_field
from orgs.errors import Clash, Forbidden, Invalid, Unknown, Unprocessable
from orgs.roles import Permission
from orgs.web.pages import Page


class RecordPage(Page):
    """The passport of a fact, or the tombstone of one that the reader may bring back."""

    template = "memory/record.html"
    title = gettext_lazy("Record")

    def get(self, request: HttpRequest, id: str) -> HttpResponse:
        """Show it."""
        found = look_up(self.visit.caller, _id(id), now=self.visit.now)
        if isinstance(found, Passport):
            return self.rendered(passport=found, record=found.record)
        return self.rendered(template="memory/tombstone.html", grave=found, title=_("Forgotten record"))


class ForgetRecord(Page):
    """A record leaves search and graph."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, id: str) -> HttpResponse:
        """Forget it."""
        payload = {"memory_id": str(_id(id)), "reason": request.POST.get("reason") or None}
        _change(self, payload)
        messages.success(request, _("The record was forgotten. It can be brought back here."))
        return redirect("memory:record", id=id)


class RestoreRecord(Page):
    """A forgotten record comes back."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, id: str) -> HttpResponse:
        """Restore it."""
        _change(self, {"memory_id": str(_id(id)), "action": "restore"})
        messages.success(request, _("The record is back."))
        return redirect("memory:record", id=id)


class Remember(Page):
    """A form for one more fact."""

    template = "memory/remember.html"
    title = gettext_lazy("Remember")

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the form to whoever may write here."""
        caller = self.visit.caller
        caller.require(Permission.WRITE)
        return self.rendered(form=RememberForm.blank(visibility=caller.default_visibility))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Store the fact and show it, with what was taken out of it."""
        visit, form = self.visit, RememberForm(request.POST)
        if not form.is_valid():
            return self.rendered(form=form, status=400)
        try:
            key = form.cleaned_data["once"]
            answer = run("remember", visit.caller, form.payload(), now=visit.now, idempotency_key=key).answer
        except (Invalid, Unprocessable, Clash, Forbidden) as refusal:
            refuse_field(form, refusal)
            return self.rendered(form=form, status=refusal.status)
        if not isinstance(answer, RememberedRecord):
            raise LookupError("remember answers with the record")
        messages.success(request, _("Remembered."))
        if answer.redactions:
            messages.warning(
                request, _("Taken out before it was stored: %(what)s.") % {"what": _told(answer.redactions)}
            )
        return redirect("memory:record", id=answer.id)


def _change(page: Page, payload: dict[str, str | None]) -> None:
    caller = page.visit.holding(Permission.FORGET)
    if isinstance(run("forget", caller, payload, now=page.visit.now).answer, Failed):
        raise Unknown("There is no such record here.")


def _told(redactions: dict[str, int]) -> str:
    return ", ".join(f"{kind.replace('_', ' ')} × {count}" for kind, count in sorted(redactions.items()))


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Unknown("There is no such record here.") from None
