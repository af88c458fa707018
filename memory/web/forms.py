"""Forms of these pages: from what a browser sends to a verb's payload. The verb alone judges it."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from memory.protocol.vocabulary import Status
from memory.web.wording import STATUS_WORDS
from orgs.errors import Refusal
from orgs.roles import Visibility

PAGE = 20
VISIBILITIES = [
    (Visibility.AUTHOR.value, _("Only me")),
    (Visibility.DEPARTMENT.value, _("My department")),
    (Visibility.PROJECT.value, _("The project")),
    (Visibility.ORGANIZATION.value, _("The whole organization")),
]


class SearchForm(forms.Form):
    """A question with its filters, as they stand in the address."""

    q = forms.CharField(label=_("Search"), required=False, strip=True)
    workspace = forms.CharField(label=_("Workspace"), required=False)
    status = forms.ChoiceField(
        label=_("Status"),
        required=False,
        choices=[("", _("any status")), *((status.value, STATUS_WORDS[status]) for status in Status)],
    )
    source = forms.CharField(label=_("Source"), required=False)
    cursor = forms.CharField(required=False, widget=forms.HiddenInput)

    def filters(self) -> dict[str, Any]:
        """Return the filters that were set."""
        return {name: self.cleaned_data[name] for name in ("workspace", "status", "source") if self.cleaned_data[name]}

    def payload(self) -> dict[str, Any]:
        """Return what the verb search is asked."""
        cursor = {"cursor": self.cleaned_data["cursor"]} if self.cleaned_data["cursor"] else {}
        return {"query": self.cleaned_data["q"], "limit": PAGE, **self.filters(), **cursor}


class RememberForm(forms.Form):
    """One fact with where it came from."""

    content = forms.CharField(
        label=_("The fact"),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 6}),
        help_text=_("One or a few sentences. Passwords, keys and other secrets are taken out before it is stored."),
    )
    workspace = forms.CharField(
        label=_("Workspace"), initial="default", required=False, widget=UnfoldAdminTextInputWidget
    )
    fact_key = forms.CharField(
        label=_("Fact key"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("A lasting name of the topic, such as deploy.staging.method: records with one key are versions."),
    )
    source_id = forms.CharField(
        label=_("Document"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Where it is written, such as docs/deploy.md or an address."),
    )
    visibility = forms.ChoiceField(
        label=_("Seen by"), choices=VISIBILITIES, required=False, widget=UnfoldAdminSelectWidget
    )
    once = forms.CharField(widget=forms.HiddenInput)

    @classmethod
    def blank(cls, *, visibility: Visibility) -> "RememberForm":
        """Return an empty form that stores once, however often it is sent."""
        return cls(initial={"once": str(uuid4()), "visibility": visibility.value})

    def payload(self) -> dict[str, Any]:
        """Return what the verb remember is told; what was left empty is left out."""
        names = ("content", "workspace", "fact_key", "source_id", "visibility")
        return {name: self.cleaned_data[name] for name in names if self.cleaned_data[name]}


def refuse_field(form: forms.Form, refusal: Refusal) -> None:
    """Put a refusal beside the field it names, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.detail)
