"""What the Trust Center shows: documents and when they have to be renewed, FAQs, subprocessors, compliance frameworks."""
