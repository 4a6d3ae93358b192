"""The whole portal in front of a platform that obeys the specification and decides otherwise everywhere else."""
