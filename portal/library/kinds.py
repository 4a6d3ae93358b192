"""The kinds of platform objects that are mirrored into the library, as runs and stale marks name them."""

ANSWER = "answer"
KNOWLEDGE_RESOURCE = "knowledge_resource"
KNOWLEDGE_TEXT = "knowledge_text"
"""What stands in the file of a resource: it is fetched for each by itself, once the list says that it is another one."""
