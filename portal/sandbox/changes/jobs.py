"""What the platform does by itself when its time has come."""

from portal.sandbox.changes import exports, machine, runs
from portal.sandbox.changes.questionnaires import STEP
from portal.sandbox.sandbox import JobHandler

JOBS: dict[str, JobHandler] = {STEP: machine.step, exports.JOB: exports.finish, runs.JOB: runs.run}
