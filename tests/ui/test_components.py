from datetime import timedelta

import pytest
from django import forms
from django.template import engines
from django.utils import timezone

from portal.ui.templatetags.ui import initials

HOSTILE = '"><script>alert(1)</script>'


def render(source: str, **context: object) -> str:
    return engines["django"].from_string("{% load ui %}" + source).render(context)


@pytest.mark.parametrize(
    "source",
    [
        "{% pill text text %}",
        "{% person text text %}",
        "{% progress 1 2 text %}",
        "{% reltime None text %}",
        "{% line_chart values text text unit=text %}",
        "{% donut parts text text %}",
        "{% bar_chart labels series text text %}",
        '{% include "components/empty.html" with title=text text=text action_url=text action_label=text %}',
        '{% include "components/facts.html" with facts=facts %}',
        '{% include "components/copy.html" with value=text label=text id=text %}',
    ],
)
def test_s3_a_component_escapes_what_it_is_given(source):
    context = {
        "text": HOSTILE,
        "values": [(HOSTILE, 1), (HOSTILE, 2)],
        "parts": [(HOSTILE, 1, HOSTILE)],
        "labels": [HOSTILE],
        "series": [(HOSTILE, [1])],
        "facts": [(HOSTILE, HOSTILE)],
    }
    assert "<script" not in render(source, **context)


def test_an_unknown_tone_is_a_quiet_one():
    assert 'class="badge muted"' in render('{% pill "SOMETHING_NEW" "shiny" %}')


@pytest.mark.parametrize("status", ["", "  ", None])
def test_an_empty_status_is_said_in_words(status):
    assert "No status" in render("{% pill status %}", status=status)


def test_a_due_pill_speaks_without_its_colour_and_names_the_exact_date():
    html = render("{% due at %}", at=timezone.now() - timedelta(days=2))
    assert "2 days late" in html
    assert "title=" in html


@pytest.mark.parametrize(("done", "total", "words"), [(0, 0, "none yet"), (3, 9, "3 / 9"), (40, 100, "40%"), (9, 5, "9 / 5")])
def test_progress_says_its_figures(done, total, words):
    assert words in render("{% progress done total %}", done=done, total=total)


def test_progress_shows_neither_an_almost_finished_bar_as_full_nor_a_started_one_as_empty():
    assert "full" not in render("{% progress 399 400 %}")
    assert 'width="3.0"' in render("{% progress 1 4000 %}") or 'width="3"' in render("{% progress 1 4000 %}")


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Mara Lindqvist", "ML"), ("Cher", "C"), ("jonas.weber@x.example", "JW"), ("", "?"), ("… !", "?"), ("Ada B. Core", "AC")],
)
def test_initials_are_found_in_any_name(name, letters):
    assert initials(name) == letters


def test_a_chart_without_figures_says_so():
    assert "No data yet." in render('{% line_chart values "Requests" %}', values=[])


def test_a_pager_keeps_the_rest_of_the_address(rf):
    class Page:
        next_cursor, previous_cursor = "abc", None

    template = engines["django"].get_template("components/pager.html")
    html = template.render({"page": Page()}, rf.get("/?q=bank&cursor=old"))
    assert "?q=bank&amp;cursor=abc" in html
    assert 'rel="prev"' not in html


class SampleForm(forms.Form):
    name = forms.CharField(help_text="As on the <contract>.")
    level = forms.ChoiceField(choices=[("a", "A")], widget=forms.RadioSelect, help_text="What they see.")
    agreed = forms.BooleanField(label="Agreed")


def test_a_field_points_at_its_help_and_its_errors():
    html = str(SampleForm({"name": ""}))
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    for name in ("id_name_helptext", "id_name_error", "id_level_helptext", "id_level_error", "id_agreed_error"):
        assert html.count(f'id="{name}"') == 1
    assert "As on the &lt;contract&gt;." in html


def test_errors_of_the_whole_form_are_announced():
    form = SampleForm({})
    form.add_error(None, "Refused.")
    assert 'role="alert"' in str(form)
