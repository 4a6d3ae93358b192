"""Every control of every page, found by itself and pressed in a real browser, as each role that sees it (guarantee R2)."""
