"""A language model at the operator's address: if a tenant wants it, it puts what was said before into other words.

It never adds anything: each sentence that comes back has to be supported by the sources that went out. What was sent is kept.
"""
