"""Forms of these pages: they turn what a browser sends into what an operation takes, and judge nothing."""

from datetime import datetime, timedelta

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from orgs.errors import Refusal
from orgs.operations.key_wishes import Wish
from orgs.roles import Action, Visibility
from orgs.web.wording import ACTION_WORDS

ACTIONS = [(action.value, word) for action, word in ACTION_WORDS.items()]
VISIBILITIES = [
    ("", _("As the organization's policy says")),
    (Visibility.AUTHOR.value, _("Only its author")),
    (Visibility.DEPARTMENT.value, _("The author's department")),
    (Visibility.PROJECT.value, _("The project")),
    (Visibility.ORGANIZATION.value, _("The whole organization")),
]
LIVES = [
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("One year")),
    ("", _("Until it is revoked")),
]


class KeyForm(forms.Form):
    """The reach of a new key."""

    name = forms.CharField(
        label=_("Name"),
        max_length=150,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Who or what will use it, such as “Claude Code on Ada's laptop”."),
    )
    actions = forms.MultipleChoiceField(
        label=_("It may"),
        choices=ACTIONS,
        initial=[Action.READ.value, Action.WRITE.value],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    workspaces = forms.CharField(
        label=_("Only these workspaces"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Names, separated by commas. Leave it empty for every workspace of the project."),
    )
    greatest_visibility = forms.ChoiceField(
        label=_("What it writes is seen by, at most"),
        choices=VISIBILITIES,
        required=False,
        widget=UnfoldAdminSelectWidget,
    )
    reads_organization = forms.BooleanField(
        label=_("It reads records that are open to the whole organization"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
    )
    days = forms.ChoiceField(
        label=_("It ends after"), choices=LIVES, required=False, initial="90", widget=UnfoldAdminSelectWidget
    )

    def wish(self, *, now: datetime) -> Wish:
        """Return what the form says, as the operation takes it."""
        said = self.cleaned_data
        return Wish(
            name=said["name"],
            actions=[Action(action) for action in said["actions"]],
            workspaces=[name.strip() for name in said["workspaces"].split(",") if name.strip()],
            greatest_visibility=Visibility(said["greatest_visibility"]) if said["greatest_visibility"] else None,
            reads_organization=said["reads_organization"],
            expires_at=now + timedelta(days=int(said["days"])) if said["days"] else None,
        )


def refuse_field(form: forms.Form, refusal: Refusal) -> None:
    """Put a refusal beside the field it names, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.detail)
