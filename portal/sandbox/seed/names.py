"""Invented names. Every mail domain ends in .example, so that none of them can ever be reached."""

from dataclasses import dataclass

COMPANY_NAMES = (
    "Harrowgale Mutual", "Brightfen Logistics", "Quillmere Bank", "Tessamoor Health Partners", "Lindqvarn Optik AB",
    "Ostermarck Versicherung AG", "Pellworth & Dane LLP", "Cindershore Energy", "Ventrelle Aeronautics",
    "Maplecrest Credit Union", "Nordhaven Shipping", "Sablewick Retail Group", "Ironvale Robotics",
    "Bluequarry Insurance", "Fernhollow Pharma", "Corvane Telecom", "Amberlyn Hospitality",
    "Drossmann Maschinenbau GmbH", "Ketterby Foods", "Lumenrow Education", "Stavrelle Capital", "Greyfjord Utilities",
    "Poldarrow Mining", "Rookwell Payments", "Thistledown Media", "Umberfield County Council", "Wexcombe University",
    "Yarrowgate Airports", "Zellbrook Diagnostics", "Alderpoint Software", "Bramwyke Steel", "Calderisle Ferries",
    "Dunmarrow Properties", "Elmsworth Wealth", "Foxglen Automotive", "Gildersea Reinsurance", "Hollinbrae Clinics",
    "Isenthal Chemie", "Juniperax Biotech", "Kilnmoor Ceramics", "Larkhaven Travel", "Mossgrave Legal",
    "Nettleship Marine", "Oakhurne Construction", "Pinecarrow Paper", "Quartzell Semiconductor",
    "Ravensmoor Security", "Silverbeck Dairy", "Tarnwick Rail", "Undercliffe Wines", "Velmora Cosmetics",
    "Whinfell Textiles", "Yewbarrow Analytics", "Zephyrholm Wind", "Ashgrove Tonbury Housing", "Birchmarsh Games",
    "Coppergill Freight", "Dovecrane Staffing", "Eaglemere Agritech", "Farrowdene Publishing", "Glimmerstad Solar",
    "Hazelthorn Charity Trust", "Inchmorran Spirits", "Jarrowfield Legal Aid",
)  # fmt: skip
"""Checked to be nobody's name; the order is the order in which they turn up as customers."""

USER_NAMES = (
    "Mara Lindholt", "Jonas Weyrich", "Priya Narvekar", "Tomasz Rejczak", "Amelie Courvant",
    "Dele Okonjide", "Sofia Brandwell", "Kenji Moritaka",
)  # fmt: skip
"""The trust team of the tenant. The last one has left the company."""

FIRST_NAMES = (
    "Ada", "Bruno", "Carla", "Dmitri", "Elif", "Farah", "Gustav", "Hana", "Ivo", "Jasmin", "Kwame", "Leila", "Mateus",
    "Noor", "Oskar", "Paola", "Quentin", "Rosa", "Sanjay", "Tilda", "Uche", "Viktor", "Wanda", "Xenia", "Yusuf",
    "Zoë", "Aoife", "Björn",
)  # fmt: skip
LAST_NAMES = (
    "Abernal", "Bergquest", "Castellon", "Drummage", "Eskelund", "Fontbrune", "Grzelak", "Hartsook", "Ishimura",
    "Jalloway", "Kowalczuk", "Lindemoor", "Mbekani", "Nakashiro", "Oyelade", "Petrovan", "Quirante", "Rasmunds",
    "Schönau", "Tavernier", "Ulmstad", "Varghesan", "Wrightwell", "Yamaguri", "Zielonka", "Ó Daltún",
)  # fmt: skip

FREE_MAIL_DOMAINS = ("freemail.example", "postbox.example")


@dataclass(frozen=True)
class Company:
    name: str
    domain: str


def mail_name(text: str) -> str:
    """Reduce a name to the plain letters, digits and hyphens that an address may hold."""
    plain = text.lower().translate(str.maketrans("äöüøåéëóú", "aouoaeeou"))
    return "-".join("".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split())


def company(number: int) -> Company:
    """Name the customer with this number. Past the last invented name they are told apart by a number."""
    lap, position = divmod(number, len(COMPANY_NAMES))
    name = COMPANY_NAMES[position] + (f" {lap + 1}" if lap else "")
    return Company(name=name, domain=f"{mail_name(name)}.example")
