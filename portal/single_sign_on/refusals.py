from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse


def refusal(request: HttpRequest, text: str, *, status: int = 403) -> HttpResponse:
    """Say why somebody did not come in through their company's sign-in, and the way on."""
    context = {
        "title": "You're not signed in" if not request.user.is_authenticated else "This didn't work",
        "text": text,
        "icon": "shield-x",
        "tone": "warn",
        "action_url": reverse("company_sign_in"),
        "action_label": "Try again",
        "second_url": reverse("account_login"),
        "second_label": "Sign in another way",
    }
    return render(request, "message.html", context, status=status)
