from django import forms

from portal.trust_center_activity.normalization import folded


class WordForm(forms.Form):
    """A word or phrase to be watched."""

    text = forms.CharField(
        max_length=100,
        label="Word or phrase",
        widget=forms.TextInput(attrs={"placeholder": "SOC 2", "autocomplete": "off"}),
    )

    def clean_text(self) -> str:
        text = " ".join(str(self.cleaned_data["text"]).split())
        if not folded(text):
            raise forms.ValidationError("Enter at least one letter or number.")
        return text
