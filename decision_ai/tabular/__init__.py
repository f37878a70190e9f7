"""Data in and out: Excel, CSV and data frames onto input-data classes, and plans into workbooks and back."""

from decision_ai.tabular.problems import Place, Problem, TableError
from decision_ai.tabular.reading import json_text, read_data

__all__ = ["Place", "Problem", "TableError", "json_text", "read_data"]
