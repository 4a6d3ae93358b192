"""What the tenant does for security: controls in use and out of use, the frameworks they serve, the tests that prove them."""
