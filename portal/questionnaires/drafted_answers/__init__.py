"""How the portal drafts an answer: what was said before, whether it may be said again, and in which part of the form.

A wrong draft is worse than none: what differs from the question in its sense, subject, figures or dates is left out.
"""
