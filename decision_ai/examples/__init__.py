"""Six example models with data, each a model file as a user would write it."""

from importlib import resources

EXAMPLES: dict[str, str] = {
    "knapsack": "load a van with the most useful items it can carry",
    "production_planning": "plan production, stock and overtime of four products over six months",
    "transportation": "open warehouses and supply twelve cities from them",
    "staff_scheduling": "a fair and cheap weekly roster for ten people",
    "vrp_time_windows": "tours of three vehicles to eight customers with time windows",
    "diet": "the cheapest day of food that meets all needs",
}
"""Name → what it decides, in one line."""


def example(name: str) -> tuple[str, str]:
    """Source and data (JSON text) of an example.

    Raises:
        KeyError: if there is no such example.
    """
    if name not in EXAMPLES:
        raise KeyError(f"no example {name!r}; there are {', '.join(EXAMPLES)}")
    folder = resources.files(__name__) / name
    return (folder / "model.py").read_text("utf-8"), (folder / "data.json").read_text("utf-8")
