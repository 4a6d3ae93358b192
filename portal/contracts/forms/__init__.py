"""What people hand in at the desk."""

from portal.contracts.forms.customers import CustomerForm
from portal.contracts.forms.imports import ImportForm
from portal.contracts.forms.terms import TermsForm
from portal.contracts.forms.uploads import DocumentForm, OtherIdForm, UploadForm

__all__ = ["CustomerForm", "DocumentForm", "ImportForm", "OtherIdForm", "TermsForm", "UploadForm"]
