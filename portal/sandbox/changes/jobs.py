"""What the platform does by itself when its time has come."""

from portal.sandbox.changes import exports, machine, test_runs
from portal.sandbox.changes.questionnaires import STEP
from portal.sandbox.sandbox import JobHandler

JOBS: dict[str, JobHandler] = {STEP: machine.step, exports.JOB: exports.finish, test_runs.JOB: test_runs.run}
