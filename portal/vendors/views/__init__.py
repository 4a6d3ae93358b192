"""The pages of the desk."""

from portal.vendors.views.exports import export
from portal.vendors.views.findings import edit_finding, new_finding
from portal.vendors.views.vendors import set_status, vendor_list, vendor_page

__all__ = ["edit_finding", "export", "new_finding", "set_status", "vendor_list", "vendor_page"]
