"""How every form of the site is drawn: our templates around Django's own widgets."""

from functools import cached_property
from pathlib import Path

import django.forms
from django.conf import settings
from django.forms import renderers
from django.template.backends.django import DjangoTemplates


class Renderer(renderers.DjangoTemplates):
    """`{{ form }}` gives `components/form.html`, `{{ field.as_field_group }}` gives `components/field.html`."""

    form_template_name = "components/form.html"
    field_template_name = "components/field.html"

    @cached_property
    def engine(self) -> DjangoTemplates:
        # Our own folder first; Django's widgets are not among the site's templates unless its forms are an app.
        folders = [Path(settings.BASE_DIR) / "templates", Path(django.forms.__file__).parent / "templates"]
        return DjangoTemplates({"APP_DIRS": True, "DIRS": folders, "NAME": "forms", "OPTIONS": {}})
