from django import forms


class ViewForm(forms.Form):
    """The name of filters that somebody keeps."""

    name = forms.CharField(label="Name", max_length=60)
    is_shared = forms.BooleanField(label="For everyone in this tenant", required=False)
