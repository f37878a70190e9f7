"""What is wrong with the input of a tool, in one sentence for the modeller."""

from pydantic import ValidationError


def first_problem(error: ValidationError) -> str:
    """The first problem of a validation error: which field, and what was expected."""
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"]) or "the input"
    more = error.error_count() - 1
    return f"{where}: {problem['msg']}" + (f" (and {more} more problems)" if more else "")
