"""Words in the rows of a tenant, found as quickly among many as among few: the one way every list searches."""
