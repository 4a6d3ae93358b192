"""Writes one vendor with its reviews, assessments, findings and documents (platform-api 4.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from portal.sandbox.kinds.vendors import ASSESSMENT_STATUSES, DECISIONS, RISK_STATUSES
from portal.sandbox.seed.cast import Cast
from portal.sandbox.seed.names import mail_name
from portal.sandbox.seed.shapes import Batch, Json, ago, moment, new_id
from portal.sandbox.seed.vendor_facts import AUTH_DETAILS, COUNTRIES, DOCUMENT_TYPES, FINDINGS, LEVELS, REQUEST


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Writes one vendor after the other, with all its parts."""

    cast: Cast
    types: list[Json]
    attributes: list[Json]
    content: Random
    identifiers: Random

    def write(self, number: int, name: str, category: str, services: str) -> Iterator[Batch]:
        vendor = self.vendor(number, name, category, services)
        reviews = [self.review(vendor["id"], age=age) for age in (700, 350, 20)]
        decided = [review for review in reviews if review["decision"]]
        vendor["latestDecision"] = decided[-1]["decision"]
        vendor["lastSecurityReviewCompletionDate"] = decided[-1]["completionDate"]
        vendor["nextSecurityReviewDueDate"] = reviews[-1]["dueDate"]
        yield "vendors", None, [vendor]
        yield "security-reviews", vendor["id"], reviews
        documents = [self.document(name, document_type) for document_type in DOCUMENT_TYPES]
        yield "vendor-documents", vendor["id"], documents
        yield "security-review-documents", reviews[-1]["id"], [self.document(name, kind) for kind in DOCUMENT_TYPES]
        yield (
            "vendor-assessments",
            vendor["id"],
            [self.assessment(vendor["id"], status) for status in ASSESSMENT_STATUSES[::-1]],
        )
        yield "vendor-findings", vendor["id"], [self.finding(vendor["id"], reviews[-2], documents[0]) for _ in range(3)]

    def vendor(self, number: int, name: str, category: str, services: str) -> Json:
        domain = f"{mail_name(name)}.example"
        start = ago(self.cast.now, self.content, days=(750, 1200))
        security, business = self.content.sample(self.cast.active_users, k=2)
        return {
            "id": new_id(self.identifiers),
            "name": name,
            "status": "IN_PROCUREMENT" if number % 6 == 4 else "ARCHIVED" if number % 9 == 7 else "MANAGED",
            "category": {"displayName": category},
            "websiteUrl": f"https://{domain}/",
            "accountManagerName": "Account team",
            "accountManagerEmail": f"accounts@{domain}",
            "servicesProvided": services,
            "additionalNotes": None,
            "securityOwnerUserId": security["id"],
            "businessOwnerUserId": business["id"] if number % 3 else None,
            "contractStartDate": moment(start),
            "contractRenewalDate": moment(self.cast.now + timedelta(days=self.content.uniform(-20, 300))),
            "contractTerminationDate": None,
            "contractAmount": {"amount": self.content.randrange(2, 90) * 1000, "currency": "EUR"},
            "isVisibleToAuditors": True,
            "isRiskAutoScored": number % 2 == 0,
            "riskAttributeIds": [attribute["id"] for attribute in self.content.sample(self.attributes, k=2)],
            "inherentRiskLevel": self.content.choice(LEVELS),
            "residualRiskLevel": self.content.choice(LEVELS[:3]),
            "vendorHeadquarters": self.content.choice(COUNTRIES),
            "authDetails": AUTH_DETAILS[number % len(AUTH_DETAILS)],
            "linkedTaskTrackerTaskProcurementRequest": REQUEST if number % 6 == 4 else None,
            "customFields": [{"label": "Cost center", "value": f"CC-{100 + number}"}],
        }

    def owner(self) -> Json | None:
        """Choose who looks after something: a user, a team, or nobody."""
        user, chance = self.content.choice(self.cast.active_users), self.content.random()
        if chance < 0.15:
            return None
        if chance < 0.3:
            return {"id": new_id(self.identifiers), "type": "TEAM", "displayName": "Vendor risk", "email": None}
        return {"id": user["id"], "type": "USER", "displayName": user["displayName"], "email": user["email"]}

    def times(self, *, age: float, is_done: bool) -> Json:
        start = self.cast.now - timedelta(days=age)
        return {
            "completedByUserId": self.content.choice(self.cast.active_users)["id"] if is_done else None,
            "startDate": moment(start),
            "dueDate": moment(start + timedelta(days=30)),
            "overrideDueDate": None,
            "completionDate": moment(start + timedelta(days=self.content.uniform(5, 30))) if is_done else None,
        }

    def shown_type(self) -> Json:
        return {name: value for name, value in self.content.choice(self.types).items() if name != "status"}

    def review(self, vendor_id: str, *, age: float) -> Json:
        """Make a yearly security review. The one that began lately is still open."""
        times = self.times(age=age, is_done=age > 30)
        at = times["completionDate"]
        return {
            "id": new_id(self.identifiers),
            "vendorId": vendor_id,
            "decisionNotes": "No open findings of weight." if at else None,
            "comments": None,
            **times,
            "decision": {"status": self.content.choice(DECISIONS[:2]), "lastUpdatedAt": at} if at else None,
            "assessmentType": self.shown_type(),
            "owner": self.owner(),
        }

    def assessment(self, vendor_id: str, status: str) -> Json:
        is_done = status == "COMPLETED"
        times = self.times(age=self.content.uniform(35, 300) if is_done else self.content.uniform(1, 25), is_done=is_done)
        if status == "NOT_STARTED":
            times["startDate"] = None
        decision = {"comments": None, "lastUpdatedAt": times["completionDate"], "status": self.content.choice(DECISIONS)}
        return {
            "id": new_id(self.identifiers),
            "vendorId": vendor_id,
            "status": status,
            **times,
            "createdDate": times["startDate"] or moment(ago(self.cast.now, self.content, days=(1, 20))),
            "decision": decision if is_done else None,
            "assessmentType": self.shown_type(),
            "owner": self.owner(),
        }

    def document(self, vendor_name: str, document_type: str) -> Json:
        document_id, at = new_id(self.identifiers), moment(ago(self.cast.now, self.content, days=(5, 300)))
        title = f"{vendor_name} - {document_type.replace('_', ' ').lower()}"
        return {
            "id": document_id,
            "title": title,
            "fileName": f"{mail_name(title)}.pdf",
            "type": document_type,
            "description": None,
            "mimeType": "application/pdf",
            "uploadedBy": {"type": "USER", "id": self.content.choice(self.cast.active_users)["id"]},
            "creationDate": at,
            "updatedDate": at,
            "deletionDate": None,
            "url": "",
        }

    def finding(self, vendor_id: str, review: Json, document: Json) -> Json:
        status = self.content.choice(RISK_STATUSES)
        remediation = {"state": self.content.choice(("OPEN", "CLOSED")), "requirementNotes": "Until the next review."}
        return {
            "id": new_id(self.identifiers),
            "vendorId": vendor_id,
            "content": self.content.choice(FINDINGS),
            "riskStatus": status,
            "securityReviewId": review["id"],
            "documentId": document["id"] if self.content.random() < 0.5 else None,
            "remediation": remediation if status == "REMEDIATE" else None,
        }
