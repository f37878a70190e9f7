"""What is said and kept: messages, diffs, components, state. Standard library and pydantic only."""
