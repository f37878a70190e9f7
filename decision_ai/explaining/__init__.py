"""Why a model answers what it answers: found out by solving it and changed copies; values in and out."""
