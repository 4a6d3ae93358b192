"""What is found in the text of contracts and answers, and what must not be: clauses as lawyers write them."""

import time
from decimal import Decimal

import pytest

from portal.commitments.patterns import find, find_in_answer

pytestmark = pytest.mark.once


def told(found) -> list[tuple[str, str]]:
    return [
        (each.term, f"{each.amount.normalize():f} {each.unit}" if each.amount is not None else each.words) for each in found
    ]


GOOD = {
    # Breach notice.
    "Processor shall notify Customer of any Personal Data Breach within seventy-two (72) hours after becoming aware of it.": (
        "breach-notice",
        "72 hours",
    ),
    "Vendor will notify Customer without undue delay and in any event within 48 hours of discovering a Security Incident.": (
        "breach-notice",
        "48 hours",
    ),
    "Supplier shall report each data breach to the Controller no later than three (3) business days after detection.": (
        "breach-notice",
        "3 business-days",
    ),
    "In the event of unauthorised access to Customer Data, Provider must inform the Client at the latest 24 hours later.": (
        "breach-notice",
        "24 hours",
    ),
    "Notification of a breach of security shall be made not later than one (1) working day following its discovery.": (
        "breach-notice",
        "1 business-days",
    ),
    "The Processor undertakes to provide a 36-hour notification of any Personal Data Breach.": ("breach-notice", "36 hours"),
    "The Processor shall notify the Controller of a personal data breach without undue delay after becoming aware of it.": (
        "breach-notice",
        "without undue delay",
    ),
    "Company shall promptly notify Customer of any actual or suspected Security Breach.": ("breach-notice", "promptly"),
    "We will let you know, i.e. notify you, within two days of any incident that affects your data.": (
        "breach-notice",
        "2 days",
    ),
    "Upon a Data Breach, Processor shall send a first notification within 24 hours and a report within five (5) days.": (
        "breach-notice",
        "24 hours",
    ),
    "Supplier shall, without undue delay and, where feasible, not later than 48 hours after having become aware of it, notify "
    "the Controller of the Personal Data Breach.": ("breach-notice", "48 hours"),
    "Business Associate shall report to Covered Entity any Breach of Unsecured PHI within ten (10) business days.": (
        "breach-notice",
        "10 business-days",
    ),
    "Provider shall notify the Customer at the latest within 24 hours of an incident; the Customer informs the "
    "supervisory authority within 72 hours.": ("breach-notice", "24 hours"),
    # Subprocessors.
    "Provider shall give Customer 30 days' prior written notice of any new sub-processor.": (
        "subprocessor-notice",
        "30 days",
    ),
    "Supplier will inform the Controller of any intended changes concerning the addition or replacement of other Subprocessors "
    "at least fourteen (14) days in advance.": ("subprocessor-notice", "14 days"),
    "Processor shall notify Customer of new Sub-processors at least 30 days in advance; Customer may object within 10 days.": (
        "subprocessor-notice",
        "30 days",
    ),
    "Before engaging a subcontractor the Vendor announces it with one month’s notice.": ("subprocessor-notice", "1 months"),
    "The Processor shall not engage any sub-processor without the prior written consent of the Controller.": (
        "subprocessor-notice",
        "only with prior written consent",
    ),
    "The Company gives the Client not less than 45 days notice before appointing a new subcontractor.": (
        "subprocessor-notice",
        "45 days",
    ),
    # Deletion.
    "Upon termination, Processor shall return or delete all Personal Data within ninety days.": ("deletion", "90 days"),
    "Following expiry of the Agreement Provider destroys all Customer Data no later than sixty (60) calendar days after.": (
        "deletion",
        "60 days",
    ),
    "Customer may export data for thirty (30) days after termination, after which Provider deletes it within 14 days.": (
        "deletion",
        "14 days",
    ),
    "All copies of Confidential Information and data will be securely erased within 2 weeks of a written request.": (
        "deletion",
        "14 days",
    ),
    # Audits.
    "Customer may audit Provider's compliance once per calendar year upon reasonable notice.": (
        "audit-rights",
        "1 times-a-year",
    ),
    "The Controller shall have the right to conduct an audit twice a year.": ("audit-rights", "2 times-a-year"),
    "Customer's right to audit shall be exercised no more than once in any twelve (12) month period.": (
        "audit-rights",
        "1 times-a-year",
    ),
    "Customer is entitled to inspect the premises up to three (3) times per year.": ("audit-rights", "3 times-a-year"),
    "Client may audit the Processor once every two years.": ("audit-rights", "0.5 times-a-year"),
    # Availability.
    "The Services shall be available 99.9% of the time in each calendar month.": ("availability", "99.9 percent"),
    "Supplier guarantees an uptime of ninety-nine point nine five percent (99.95 %).": ("availability", "99.95 percent"),
    "Monthly Uptime Percentage: at least 99,5 per cent.": ("availability", "99.5 percent"),
    "Availability: 99.95 % per month.": ("availability", "99.95 percent"),
    "The Provider commits to an availability of 99.95%.": ("availability", "99.95 percent"),
    "The Provider commits to an availability of at least 99.95\u00a0% in each quarter.": ("availability", "99.95 percent"),
    "The Service shall be available 99.95 % of the time.": ("availability", "99.95 percent"),
    # Where data stay.
    "Customer Data shall be stored and processed exclusively within the European Economic Area.": (
        "data-location",
        "within the European Economic Area",
    ),
    "Processor shall not transfer Personal Data outside the European Union without Customer's instruction.": (
        "data-location",
        "within the European Union",
    ),
    "All data is hosted in data centres located in Germany.": ("data-location", "within Germany"),
    "Provider keeps Customer Data at all times in the United States.": ("data-location", "within the United States"),
    # Retention.
    "Audit logs are retained for a minimum of twelve (12) months.": ("retention", "12 months"),
    "Provider shall keep records of processing for no longer than 2 years.": ("retention", "24 months"),
    "Backups are stored for 35 days.": ("retention", "35 days"),
}
BAD = [
    # Breaches of the contract.
    "Either party may terminate this Agreement upon thirty (30) days' written notice of a material breach.",
    "If a party commits a material breach, the other party shall notify it and it has 30 days to cure such breach.",
    "Notice of any breach of this Agreement must be given within ten days.",
    # What the customer, or an authority, has to do with it.
    "Customer shall notify Provider of any security incident affecting its credentials within 24 hours.",
    "The Controller must report a personal data breach to the supervisory authority within 72 hours.",
    "The Customer shall delete all Software and data within 10 days of termination.",
    # Other notices and other lengths of time.
    "Provider shall notify Customer at least 48 hours before scheduled maintenance.",
    "Invoices are payable within thirty (30) days of receipt.",
    "Customer may object to a new sub-processor within fourteen (14) days.",
    "This Agreement renews for one year unless notice is given 60 days before its end.",
    "The obligations of confidentiality survive for five (5) years after termination.",
    "Supplier shall maintain insurance and records thereof for 2 years.",
    "Customer may download its data for 30 days after termination.",
    # Audits of oneself.
    "Provider undergoes a SOC 2 Type II audit by an independent auditor every year.",
    # Percentages of other things.
    "If availability falls below 99.0%, Customer receives a credit of 10%.",
    "Late payments bear interest of 95% of the base rate.",
    "The discount is 15% in the first year.",
    # Countries that say nothing of where data stay.
    "This Agreement is governed by the laws of Germany.",
    "Provider, established in Ireland, processes Personal Data on behalf of the Customer.",
    "The processing concerns personal data of data subjects in the European Union.",
    "Processing takes place in accordance with European Union data protection law.",
    "Personal Data may be transferred outside the European Economic Area.",
    # Words that stand beside each other by chance.
    "A party in breach shall notify the other party promptly.",
    "Either Party shall notify the other within 5 days of any change of its address.",
    "If Customer objects within ten days of such notice of a new Sub-processor, the parties shall talk for 30 days.",
    "This DPA terminates 30 days after deletion of all data.",
    "The availability of staff is 95% in summer.",
    # Nothing at all.
    "",
    "72 hours",
    "Within twenty-four hours.",
]


@pytest.mark.parametrize("clause", GOOD)
def test_a_clause_is_understood(clause):
    assert told(find([(1, clause)])) == [GOOD[clause]]


@pytest.mark.parametrize("clause", BAD)
def test_what_only_looks_like_one_is_left_alone(clause):
    assert told(find([(1, clause)])) == []


PAGES = [
    (
        1,
        (
            "DATA PROCESSING ADDENDUM\n\n1. Definitions\n“Personal Data Breach” has the meaning of Art. 4 No. 12 GDPR.\n"
            "7. Security\n7.1 The Provider maintains appropriate measures.\n"
            "7.2 Personal Data Breach. The Provider shall act on every Personal Data Breach. It shall notify the\n"
            "Customer within twenty-four (24) hours after becoming aware of it.\n"
            "7.3 The Provider shall, at no cost:\n"
            "(a) keep the Customer informed;\n"
            "(b) return or delete all Personal Data within thirty\n(30) days of termination; and\n"
            "(c) permit the Customer to audit it once per year.\n1 of 3"
        ),
    ),
    (2, "§ 8 Subprocessors\nThe Provider shall notify the Customer of any new Sub-processor with at least 30 days’\n2"),
    (3, "prior notice.\nPage 3 of 3\n9. Availability\nThe Service is available 99.9% of each month, mea-\nsured monthly."),
]


def test_page_clause_and_the_quoted_sentence_come_along():
    found = {each.term: each for each in find(PAGES)}
    assert {term: (each.page, each.clause) for term, each in found.items()} == {
        "breach-notice": (1, "7.2"),
        "deletion": (1, "7.3(b)"),
        "audit-rights": (1, "7.3(c)"),
        "subprocessor-notice": (2, "8"),
        "availability": (3, "9"),
    }
    assert (
        found["breach-notice"].quote == "It shall notify the Customer within twenty-four (24) hours after becoming aware of it."
    )
    assert found["subprocessor-notice"].quote.endswith("with at least 30 days’ prior notice.")
    assert found["availability"].quote.endswith("measured monthly.")


def test_the_same_words_are_found_once_and_keep_their_fingerprint_wherever_they_stand():
    clause = "Provider shall notify Customer of a Data Breach within 24 hours at security@northwind.example."
    [once] = find([(1, clause), (2, clause)])
    [moved] = find([(7, f"4.1   {clause.replace(' within', chr(10) + 'within')}")])
    assert (once.page, moved.page, moved.clause) == (1, 7, "4.1")
    assert once.fingerprint == moved.fingerprint
    [erased] = find([(1, clause.replace("security@northwind.example", "[erased]"))])
    assert erased.fingerprint == once.fingerprint
    [other] = find([(1, clause.replace("24", "48"))])
    assert other.fingerprint != once.fingerprint


def test_two_promises_of_one_sentence_are_both_found():
    text = "Provider stores Customer Data within the European Union and deletes all data within 30 days after termination."
    assert told(find([(1, text)])) == [("deletion", "30 days"), ("data-location", "within the European Union")]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do you notify customers of breaches?", "Yes, we notify within 72 hours.", [("breach-notice", "72 hours")]),
        ("Within what time are customers notified of a data breach?", "72 hours.", [("breach-notice", "72 hours")]),
        ("Do you notify customers within 24 hours of a security incident?", "Yes", [("breach-notice", "24 hours")]),
        ("Do you notify customers within 24 hours of a security incident?", "No.", []),
        ("Do you notify customers within 24 hours of a security incident?", "It depends.", []),
        ("How long after termination is data deleted?", "Within 90 days", [("deletion", "90 days")]),
        ("Where is customer data stored?", "In the United States.", [("data-location", "within the United States")]),
        ("What is your uptime commitment?", "99.5%", [("availability", "99.5 percent")]),
        ("How long are logs retained?", "We keep them for one year.", [("retention", "12 months")]),
        ("How do you announce new subprocessors?", "With 14 days' notice.", [("subprocessor-notice", "14 days")]),
        ("May customers audit you?", "Yes, once per year.", [("audit-rights", "1 times-a-year")]),
        ("How often are backups tested?", "Every 30 days.", []),
        ("Do employees get security training?", "Yes, within 30 days of hire.", []),
        ("How often do you conduct penetration tests?", "Once a year.", []),
        ("How fast are incidents fixed?", "Critical ones within 4 hours.", []),
    ],
)
def test_an_answer_is_read_together_with_its_question(question, answer, expected):
    assert told(find_in_answer(question, answer)) == expected


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("one", 1),
        ("nineteen", 19),
        ("twenty-one", 21),
        ("ninety nine", 99),
        ("one hundred", 100),
        ("one hundred and twenty", 120),
        ("two hundred forty-five", 245),
    ],
)
def test_numbers_in_words_are_read(words, number):
    clause = f"Provider shall delete all data within {words} days after termination."
    assert [each.amount for each in find([(1, clause)])] == [Decimal(number)]


def test_words_count_where_digits_say_another_number():
    assert told(find([(1, "Notify Customer of a Data Breach within thirty (60) hours.")])) == [("breach-notice", "30 hours")]


@pytest.mark.parametrize(
    "noise",
    [
        "a" * 200_000,
        "without prior " * 20_000,
        "notify the Customer of a breach " * 5_000,
        "one hundred and " * 10_000,
        "(((((" * 20_000,
        "7.1 " * 30_000,
        "1.1.1.1.1 A\n" * 8_000,
        "99.9% availability below " * 5_000,
        "Customer shall " * 10_000,
        "\n\n" * 50_000,
        "within the territory of the " * 5_000,
        "audit once per calendar " * 5_000,
    ],
    ids=lambda noise: repr(noise[:24]),
)
def test_no_text_holds_it_up(noise):
    started = time.monotonic()
    find([(1, noise), (2, noise)])
    assert time.monotonic() - started < 5
