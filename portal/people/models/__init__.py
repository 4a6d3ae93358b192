"""The copy of people, of groups, and of groups that can be imported; and the changes to who is in which group."""

from portal.people.models.choices import STATUSES, TASK_STATUSES, task_pill
from portal.people.models.groups import Group, GroupQuerySet, IdpGroup, IdpGroupQuerySet
from portal.people.models.people import NO_DATE, Person, PersonInGroup, PersonQuerySet
from portal.people.models.runs import GroupItem, GroupRun, Verb

__all__ = [
    "NO_DATE",
    "STATUSES",
    "TASK_STATUSES",
    "Group",
    "GroupItem",
    "GroupQuerySet",
    "GroupRun",
    "IdpGroup",
    "IdpGroupQuerySet",
    "Person",
    "PersonInGroup",
    "PersonQuerySet",
    "Verb",
    "task_pill",
]
