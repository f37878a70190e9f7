"""The allow-list: what attacks look like is refused with its line, what models look like is not."""

import statistics  # noqa: F401 - a worker has imported the added modules too
import sys
from pathlib import Path

import pytest

import decision_ai.examples
from decision_ai.sandbox.policy import check, check_method

pytestmark = pytest.mark.core

HEAD = """import pulp
import numpy as np
from typing import Annotated, Literal
from pydantic import Field
from decision_ai import InputData
"""

REFUSED = [
    "import os",
    "import os.path as p",
    "from os import path",
    "from . import x",
    "from math import *",
    "from decision_ai import DecisionAI",
    "import decision_ai.client",
    "import importlib",
    "from pydantic import create_model",
    "from pydantic import ImportString",
    "from functools import singledispatch",
    "from dataclasses import make_dataclass",
    "from typing import get_type_hints",
    "open('x')",
    "eval('1')",
    "exec('1')",
    "compile('1', 'x', 'exec')",
    "__import__('os')",
    "getattr(1, 'x')",
    "setattr(1, 'x', 2)",
    "globals()",
    "vars()",
    "breakpoint()",
    "memoryview(b'')",
    "x = [open][0]",
    "__builtins__",
    "().__class__",
    "().__class__.__base__.__subclasses__()",
    "pulp.lpSum.__globals__",
    "a._b",
    "self._x.__dict__",
    "np.load('x')",
    "np.lib.npyio",
    "np.ctypeslib",
    "np.linalg.linalg",
    "x = np.linalg",
    "np.array([1]).tofile('x')",
    "np.array([1]).dump('x')",
    "pulp.LpProblem('x')",
    "pulp.HiGHS()",
    "pulp.apis",
    "p.writeLP('x')",
    "x = pulp",
    "f(np)",
    "for np in [1]: pass",
    "x = lambda pulp: pulp.os",
    "import collections\ncollections.abc.sys",
    "type('A', (), {})",
    "t = type",
    "type(InputData)('A', (InputData,), {})",
    "x = type(InputData)",
    "class D(InputData, metaclass=type): pass",
    "class D:\n  def __class_getitem__(cls, x): pass",
    "class D:\n  def __get_pydantic_core_schema__(cls, s, h): pass",
    "d = {'__annotations__': {'x': 'os'}}",
    "'{0.__class__}'.format(1)",
    "str.format_map('x', {})",
    "f'{().__class__}'",
    "(x for x in []).gi_frame",
    "InputData.parse_file('x')",
    "InputData.model_rebuild()",
    "match 1:\n  case object(__class__=x): pass",
    "async def f(): pass",
    "x = [y async for y in z]",
    # pydantic evaluates text that stands for a type
    "class D(InputData):\n  x: '__import__(\"os\")'",
    "class D(InputData):\n  x: 'print(1)'",
    "S = 'print(1)'\nclass D(InputData):\n  x: S",
    "S = 'pri' + 'nt(1)'\nclass D(InputData):\n  x: S",
    "for S in ['print(1)']: pass\nclass D(InputData):\n  x: S",
    "class D(InputData):\n  x: list['a' + 'b']",
    "class D(InputData):\n  x: f'{1}'",
    "class D(InputData):\n  x: str.lower('PRINT(1)')",
    "class D(InputData):\n  x: Annotated['print(1)', 1]",
    "from decision_ai import unit\nclass D(InputData):\n  x: Annotated['print(1)', unit('kg')]",
    "from decision_ai import unit\nclass D(InputData):\n  x: unit('kg')",
    "from decision_ai import unit\nclass D(InputData):\n  x: Annotated[float, unit(open('x'))]",
    "class D(InputData):\n  x: {'a': 'print(1)'}['a']",
    "def f(s: 'print(1)'): pass",
    "def f() -> 'print(1)': pass",
    "class A:\n  y = 'print(1)'\nclass D(InputData):\n  x: A.y",
    "from enum import StrEnum\nclass A(StrEnum):\n  k = 'print(1)'\nclass D(InputData):\n  x: A['k']",
    "def f(g): return 'print(1)'\n@f\ndef S(): pass\nclass D(InputData):\n  x: S",
    "def f(g): return 'print(1)'\n@f\nclass S: pass\nclass D(InputData):\n  x: S",
    "def dataclass(g): return 'print(1)'\n@dataclass\nclass S: pass\nclass D(InputData):\n  x: S",
    "match 'print(1)':\n  case S: pass\nclass D(InputData):\n  x: S",
    "match ['print(1)']:\n  case [*S]: pass\nclass D(InputData):\n  x: S[0]",
    "match {0: 'print(1)'}:\n  case {**S}: pass\nclass D(InputData):\n  x: S[0]",
    "import math\nmath.pi = 'print(1)'\nclass D(InputData):\n  x: math.pi",
    "import pydantic\nclass D(InputData):\n  x: 'pydantic.ImportString'",
    "from pydantic import computed_field\nclass D(InputData):\n  @computed_field(return_type='print(1)')\n"
    "  def y(self): return 1",
    "from pydantic import computed_field\nx = computed_field(**{'return' + '_type': 'print(1)'})",
    "from pydantic import computed_field\nx = [computed_field][0]",
    "import pydantic\nx = pydantic.computed_field",
    "from pydantic import BeforeValidator\nx = BeforeValidator(int, 'print(1)')",
    "Field().from_annotation('print(1)')",
    "Field().apply_typevars_map({})",
    "InputData.model_fields",
    # pydantic reads attributes by name
    "from pydantic import ConfigDict\nclass D(InputData):\n  model_config = ConfigDict(from_attributes=True)",
    "from pydantic import ConfigDict\nclass D(InputData):\n  model_config = ConfigDict(**{'a': 1})",
    "from pydantic import ConfigDict\nC = ConfigDict\nclass D(InputData):\n  model_config = C(frozen=True)",
    "class D(InputData):\n  model_config = {'from_' + 'attributes': True}",
    "class D(InputData):\n  for model_config in [1]: pass",
    "class D(InputData):\n  def model_config(self): pass",
    "class D(InputData, from_attributes=True): pass",
    "InputData.model_config['a'] = 1",
    "InputData.model_validate(1, from_attributes=True)",
    "InputData.model_validate(1, **{'from_' + 'attributes': True})",
    "f = InputData.model_validate",
    # enums made of computed names, and what they keep for themselves
    "from enum import Enum\nEnum('E', {'__array' + '_interface__': 1})",
    "from enum import Enum\nF = Enum",
    "import enum\nF = enum.Enum",
    "from enum import Enum\nclass E(Enum): pass",
    "from enum import Enum\nclass E(Enum):\n  _ignore_ = ['A']\n  A = 1",
    "from enum import Enum\nclass E(Enum):\n  A = property()",
    "from enum import Enum, auto\nauto = property\nclass E(Enum):\n  A = auto()",
    "from enum import Enum\ncls = Enum\ncls._convert_('X', 'os', callable)",
    # `self` is the object of a method, and its private members are those the program makes
    "self = InputData\nself._x",
    "class D:\n  def f(self):\n    return self._x",
    "class D:\n  def f(self):\n    self._x_ = 1\n    return self._x_",
    "class D:\n  def f(x, self):\n    x.a = self._y\n    self._y = 1",
    "f = lambda self: self._x",
    "match 1:\n  case self: self._x = 1",
    # raw memory
    "np.array([1]).resize(1, refcheck=False)",
    "np.ndarray((1,), dtype=object, buffer=bytes(8))",
    "p.makeElasticSubProblem()",
    "np.linalg.norm = 1",
    "del np.sum",
]

ALLOWED = [
    "class D(InputData):\n  '''d'''\n  a: Literal['x y', 'z(']\n  b: Annotated[int, Field(gt=0)] = 3\n"
    "  c: dict[tuple[str, int], list['D']]\n  d: 'D | None' = None\n  capacity: float\n  item: int = 0\n",
    "from decision_ai import unit\nclass D(InputData):\n  a: Annotated[float, unit('kg')]\n"
    "  b: dict[str, Annotated[float, Field(ge=0), unit('EUR/kg')]]\n"
    "  c: 'list[Annotated[float | None, unit(\"h\")]]'\n",
    "import decision_ai\nclass D(InputData):\n  a: Annotated[list[float], decision_ai.unit('m^2')]\n",
    "Key = tuple[str, int]\nclass D(InputData):\n  a: dict[Key, float]\n",
    "class D(InputData):\n  open: float\n  base: float\n  data: int\n  name: str\n"
    "  def f(self, name: str) -> 'str':\n    return name\n",
    "v.open[1] + d.base",
    "np.array([1]).sum() + np.linalg.norm([1, 2]) + np.inf",
    "f'{1:.2f}'",
    "type(1).__name__",
    "x = type(1) is int",
    "class M:\n  def __init__(self):\n    self._a = 1\n  def f(self):\n    return self._a\n",
    "from collections import defaultdict\nimport datetime\ndatetime.date(2026, 1, 1)",
    "import itertools as it\nfor a, b in it.product([1], [2]): pass",
    "try:\n  pass\nexcept KeyError as e:\n  raise ValueError(e)",
    "from enum import Enum, auto\nclass E(Enum):\n  A = 'a'\nclass F(Enum):\n  B = auto()\n"
    "class D(InputData):\n  e: E\n  f: dict[F, float]\nE('a')",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass P:\n  a: list[int]\n"
    "class D(InputData):\n  p: P",
    "from pydantic import ConfigDict, model_validator, field_validator, AfterValidator\n"
    "class D(InputData, frozen=True):\n  model_config = ConfigDict(extra='ignore', frozen=True)\n  a: int\n"
    "  b: Annotated[int, AfterValidator(lambda b: b)]\n"
    "  @field_validator('a', mode='before')\n  @classmethod\n  def check_a(cls, a): return a\n"
    "  @model_validator(mode='after')\n  def check(self): return self\nD.model_validate({'a': 1, 'b': 2})",
    "import datetime\nclass D(InputData):\n  day: datetime.date\n  days: 'list[datetime.date]'",
    "class M:\n  _rate = 2\n  def _f(self, *, by):\n    return by * self._rate\n"
    "  def g(self):\n    return [self._f(by=i) for i in [1]]",
    "undefined_name + 1",
    "print('x')",
]


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    error = check(HEAD + text)

    assert error is not None
    assert error.error_type == "not_allowed"
    assert error.line is not None
    assert error.line > HEAD.count("\n")
    assert error.source_line


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(text: str) -> None:
    assert check(HEAD + text) is None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of 3.12")
@pytest.mark.parametrize("text", ["class G[T](InputData): x: T", "def f[*T](): pass", "def f[**P](): pass"])
def test_type_parameters_are_refused(text: str) -> None:
    assert check(HEAD + text) is not None


def test_what_is_allowed_instead_is_said() -> None:
    imports, names = check("import os"), check("from enum import Foo")

    assert imports is not None
    assert "pulp" in imports.message
    assert names is not None
    assert "StrEnum" in names.message


def test_a_setting_adds_modules() -> None:
    assert check("import statistics\nstatistics.mean([1])") is not None
    assert check("import statistics\nstatistics.mean([1])", extra_imports=["statistics"]) is None
    assert check("import statistics\nstatistics._sum([1])", extra_imports=["statistics"]) is not None
    assert check("import statistics\nstatistics.sys.modules", extra_imports=["statistics"]) is not None
    assert check("from statistics import sys", extra_imports=["statistics"]) is not None


@pytest.mark.parametrize("text", ["x = (", "x = 'a\0b'", "def", "\ud800"])
def test_what_is_not_python_is_told_so(text: str) -> None:
    error = check(text)

    assert error is not None
    assert error.error_type == "syntax_error"


def test_long_programs_are_refused() -> None:
    error = check("x = 1\n" * 400_000)

    assert error is not None
    assert error.error_type == "too_large"


def test_the_examples_pass() -> None:
    models = sorted(Path(decision_ai.examples.__file__).parent.glob("*/model.py"))
    for model in models:
        source = "\n".join(
            line for line in model.read_text(encoding="utf-8").splitlines() if "load_input_data" not in line
        )
        assert check(source) is None, model


METHOD_OF = (
    HEAD + "class D(InputData):\n    size: int\n\nclass M:\n    def __init__(self):\n        self._kept = 1\n"
)


def method(body: str) -> str:
    return f"def late(self, data, v):\n    {body}\n"


@pytest.mark.parametrize(
    "body",
    [
        "return pulp.lpSum(v.x.values()) <= 3",
        "return np.abs(-1) <= self._kept",
        "assert isinstance(data, D), 'other data'",
        "return v.x['a'].value() <= data.size",
    ],
)
def test_checks_may_use_the_names_of_their_program(body: str) -> None:
    assert check_method(method(body), METHOD_OF) is None


@pytest.mark.parametrize(
    ("body", "error_type"),
    [
        *((text, "not_allowed") for text in REFUSED if "\n" not in text and not text.startswith("from")),
        ("return np", "not_allowed"),
        ("np = 1", "not_allowed"),
        ("return self._other", "not_allowed"),
        ("return data.__dict__", "not_allowed"),
        ("global D; D: 'print(1)' = 1", "not_allowed"),
        ("class", "syntax_error"),
    ],
)
def test_what_a_program_may_not_do_a_check_may_not_do(body: str, error_type: str) -> None:
    report = check_method(method(body), METHOD_OF)

    assert report is not None
    assert report.error_type in (error_type, "syntax_error", "not_a_check")
    if report.error_type == "not_allowed" and report.line is not None:
        assert report.line == 2
        assert report.source_line == body


def test_a_check_is_one_method() -> None:
    report = check_method(method("pass") + "open('x')\n", METHOD_OF)
    assert report is not None
    assert report.error_type == "not_a_check"


def test_what_a_check_does_to_its_program_is_told_without_a_line() -> None:
    typed = METHOD_OF + "Name = int\nclass E(InputData):\n    name: Name\n"
    assert check(typed) is None
    report = check_method(method("Name = v.x()"), typed)

    assert report is not None
    assert report.line in (None, 2)


@pytest.mark.parametrize(
    "line", ["y = pulp.LpVariable('y')", "y = pulp.LpVariable.dicts('y', [1])", "y = pulp.LpVariable"]
)
def test_variables_are_declared(line: str) -> None:
    """PuLP 3 makes variables that belong to no model, PuLP 4 fails with words of its own."""
    report = check(
        f"import pulp\n\ndef f(x: pulp.LpVariable):\n    return isinstance(x, pulp.LpVariable)\n{line}\n"
    )
    if line.endswith("LpVariable"):
        assert report is None
    else:
        assert report is not None
        assert (report.line, "variables class" in report.message) == (5, True)


def test_the_nearest_name_of_a_module_is_said() -> None:
    report = check("import pulp\nx = pulp.lpsum([1])\n")
    assert report is not None
    assert "did you mean lpSum?" in report.message
