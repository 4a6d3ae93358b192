"""Words that tell what a sentence is about."""

import re
from typing import Final


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.IGNORECASE)


TELLS: Final = _words(
    r"notif(?:y|ies|ied|ying|ication)|inform(?:s|ed|ing)?\b|report(?:s|ed|ing)?\b|alert(?:s|ed)?\b|tells?\b|told\b|notices?\b|announc|"
    r"communicat(?:e|es|ed)\b|make\s+known|give\s+notice|disclos(?:e|es|ed)\b"
)
DATA: Final = _words(r"data|information|content|records?|files?|backups?|logs?|copies|copy|PII|PHI")
INCIDENT: Final = _words(
    r"(?:personal\s+data|data|security|privacy|information|cyber(?:[\s-]?security)?)[\s-]+(?:breach|incident|event|violation|compromise)|"
    r"breach(?:es)?\s+of\s+(?:security|personal\s+data|data|confidential)|incidents?\b|"
    r"unauthori[sz]ed\s+(?:access|disclosure|use|acquisition)|(?:accidental|unlawful)\s+(?:destruction|loss)"
)
BREACH: Final = re.compile(r"(?<!in\s)\bbreach(?:es)?\b", re.IGNORECASE)
"""Of data, where data or security are spoken of beside it."""
OF_DATA: Final = _words(r"(?:personal|customer|data|security|privacy|information|confidential|PHI|PII)\b")
BREACH_OF_CONTRACT: Final = _words(
    r"(?:material|fundamental|substantial|anticipatory|curable|uncured|alleged|such\s+material)\s+(?:breach|violation)(?:es)?|"
    r"(?:breach|violation)(?:es)?\s+(?:of|under)\s+(?:this|the|its|their|any|these)\s+(?:\w+\s+){0,3}?"
    r"(?:agreement|contract|terms?|addendum|clauses?|section|provisions?|obligations?|warrant\w+|representations?|dpa|msa)|"
    r"breach\s+of\s+(?:contract|warranty|duty|payment)|(?:cure|remedy|remed(?:ies|ied|ying))\s+(?:such|the|any|that|its)\s+breach"
)
"""A breach that nobody's data are touched by."""
AUTHORITY: Final = _words(
    r"(?:notif|inform|report)\w*\s+(?:\w+\s+){0,4}?(?:to\s+)?(?:the\s+)?(?:\w+\s+){0,2}?"
    r"(?:supervisory\s+authorit|data\s+protection\s+authorit|regulators?\b|regulatory\s+authorit|competent\s+authorit|ICO\b|law\s+enforcement)[^;]*"
)
TO_CUSTOMER: Final = _words(
    r"(?:the\s+)?(?:customers?|controllers?|clients?|you|data\s+exporter|licensee|affected\s+part(?:y|ies))\b"
)
CUSTOMER_MUST: Final = re.compile(
    r"\b(?:the\s+)?(?:customer|client|controller|licensee|buyer|purchaser|subscriber|you|data\s+exporter)\s+"
    r"(?:shall|will|must|agrees?\s+to|undertakes?\s+to|is\s+(?:required|obliged)\s+to|has\s+to)\s+(?:\w+[\s,]+){0,6}?"
    r"(?:notif|inform|report|alert|tell|delet|destroy|eras|retain|keep|stor|return)[^;]*",
    re.IGNORECASE,
)
"""What the customer promises is no promise of ours."""
SUBPROCESSOR: Final = _words(r"sub[\s-]?(?:processors?|processing|contractors?|contracting)")
CHANGE: Final = _words(
    r"new\b|add(?:s|ed|ing|ition|itional)?\b|chang|replac|engag|appoint|intend|proposed|advance|prior\b|before\b|authori[sz]|updat|us(?:e|ing)\b"
)
OBJECTS: Final = _words(r"object(?:s|ed|ing|ions?)?\b|oppos|veto|refus(?:e|al)|terminate\b")
AHEAD: Final = _words(r"prior|advance|notice|notif\w+|before|ahead|earlier")
DELETES: Final = _words(r"delet|destr(?:oy|uct)|eras|purg|wip(?:e|ed|ing)\b|dispos(?:e|al|ed)\b|return\s+or\b|saniti[sz]")
BEHIND_DELETION: Final = re.compile(r"^\W*(?:after|following|from|of)\s+(?:\w+\s+){0,2}?(?:delet|destruct|eras)", re.IGNORECASE)
AT_THE_END: Final = _words(
    r"terminat|expir|end(?:s|ed|ing)?\b|conclu|complet|cessation|cease|upon\b|after\b|following\b|request|cancel|clos(?:e|ure)|offboard|churn"
)
FETCHES: Final = _words(r"export(?:s|ed)?\b|retriev|download|request\s+(?:a\s+)?(?:copy|return)|available\s+for")
KEEPS: Final = _words(r"retain|retention|ke(?:ep|pt|eps)\b|stor(?:e|es|ed|age)\b|maintain|preserv|archiv|held\b|hold\b")
KEPT: Final = _words(r"data|logs?\b|logging|records?|backups?|audit\s+(?:logs?|trails?)|copies|information|recordings?")
LIMIT: Final = re.compile(
    r"(?:within|in\s+under|under|no\s+(?:later|longer|more)\s+than|not\s+(?:later|longer|more|to\s+exceed)(?:\s+than)?|at\s+the\s+latest|at\s+most|"
    r"maximum(?:\s+(?:of|period\s+of))?|up\s+to|in\s+any\s+(?:event|case)|less\s+than|at\s+least|minimum(?:\s+of)?|period\s+of|exceed(?:ing)?|upon|in)"
    r"[\s,]+(?:a\s+|the\s+|an\s+|additional\s+|following\s+|first\s+|period\s+of\s+|maximum\s+of\s+|at\s+most\s+|max\.?\s+)*$",
    re.IGNORECASE,
)
"""What stands right before an amount that is a promise."""
AUDITS: Final = _words(r"audit|inspect")
MAY: Final = _words(
    r"(?:may|right|rights|entitled|permit(?:s|ted)?|allow(?:s|ed)?|grant(?:s|ed)?|submit|subject\s+to|contribute\s+to|make\s+available|on\s+request|"
    r"upon\s+(?:\w+\s+)?request|can|limited\s+to|exercise)\b"
)
AVAILABLE: Final = _words(r"availab|up[\s-]?time|service\s+levels?|SLA\b|operational")
SERVICE: Final = _words(
    r"services?\b|systems?\b|platform|application|software|solution|up[\s-]?time|SLA\b|service\s+levels?|monthly|API\b|site\b|website"
)
AVAILABILITY_OF: Final = re.compile(
    r"^\W*(?:service\s+)?availability\W*$|\bavailability\s+(?:of|is|shall\s+be|will\s+be|at)\b(?!\s+(?:the\s+|our\s+|its\s+)?(?:staff|person|people))"
    r"[^.;%]{0,50}$",
    re.IGNORECASE,
)
"""What stands before a percentage that is an availability, also where nothing else says of what."""
FALLS_BELOW: Final = re.compile(
    r"(?:below|less\s+than|under|falls?\s+(?:below|to|short\s+of)|drops?\s+(?:below|to)|lower\s+than|between|<|≥|>=|>|but)\s*$",
    re.IGNORECASE,
)
"""A step of a table of credits, no promise."""
