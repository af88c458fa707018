"""The sign-in form: every active member may enter, operator or not."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.forms import AuthenticationForm

from orgs.models import User
from orgs.queries import organizations_of


class SignInForm(AuthenticationForm):  # type: ignore[misc]
    """E-mail address and password."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not go together."),
        "inactive": _("This e-mail address and password do not go together."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget.attrs["autocomplete"] = "username"

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        """Let the person in who works in some organization now; only the right password hears otherwise."""
        if not isinstance(user, User) or not organizations_of(user, now=timezone.now()):
            raise ValidationError(_("You are not a member of any organization at present."), code="no_organization")
