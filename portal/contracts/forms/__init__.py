"""What people hand in at the desk."""

from portal.contracts.forms.imports import ImportForm
from portal.contracts.forms.terms import TermsForm
from portal.contracts.forms.uploads import DocumentForm, UploadForm

__all__ = ["DocumentForm", "ImportForm", "TermsForm", "UploadForm"]
