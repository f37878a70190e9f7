"""Prompts are Markdown files beside this one."""

from importlib import resources


def prompt(name: str) -> str:
    """The text of one prompt file, by its name without the ending."""
    return (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8")
