"""What components of a model have in common."""

from typing import Literal

Priority = Literal["hard", "A", "B", "C"]
"""`hard` must hold; violations of A are minimised before B before C before the objective."""
