"""From a model file and data to a plan: building, HiGHS, outcomes, and the processes they run in."""
