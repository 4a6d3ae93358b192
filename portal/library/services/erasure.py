"""Addresses in questions and answers of the library, for deletion requests (guarantee S11).

The entry or document itself stays: it is the company's, and only the address in it is the person's. Into tags, products and
languages the forms let no address, and a wording has none (`lexicon.MAIL`).
"""

from functools import partial

from portal.library.models import Entry, KnowledgeResource, Passage, Variant
from portal.library.services.entries import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.texts import Texts, register_texts


def register_personal_data() -> None:
    show = partial(touch_areas, AREA)
    register_texts(
        [
            # What the search looks at has the words of the variants, too.
            ("Library answers", Texts(kind=Entry, columns=("question", "short", "text", "search"), changed=show)),
            ("Library questions", Texts(kind=Variant, columns=("question",), changed=show)),
            (
                "Knowledge base",
                Texts(kind=KnowledgeResource, columns=("title", "title_sort", "description", "search"), changed=show),
            ),
            ("Text of the knowledge base", Texts(kind=Passage, columns=("text",), changed=show)),
        ]
    )
