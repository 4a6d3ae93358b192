"""How long work goes on in one piece."""

TASK_TIME_BUDGET_SECONDS = 15.0
"""A task ends by itself after so long; what is left is enqueued, or found by the sweep. It is short for two reasons: a deploy
waits half a minute for a worker (guarantee Q8), and a worker whose tasks are long looks unresponsive (Q7)."""
