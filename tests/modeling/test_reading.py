import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

HEAD = "from decision_ai import *\nclass D(InputData):\n    n: int\n"
VARIABLES = "class V(Variables):\n    x: Var = binary()\n"
MODEL = "class M(OptModel[D, V]):\n    pass\n"


def test_decorators_and_docstrings_are_read(source: str) -> None:
    program = Program.parse(source)
    capacity, few = program.constraints.values()
    assert (capacity.math, capacity.policy, capacity.enabled) == (r"\sum w_i \, pack_i \le C", True, True)
    assert capacity.description == "The packed items weigh no more\nthan the backpack carries."
    assert (few.math, few.enabled, few.priority, few.policy) == ("x", False, "B", False)
    assert program.objective is not None
    assert (program.objective.id, program.objective.sense) == ("value", "maximize")
    assert program.objective.math == r"\sum u"
    assert source.splitlines()[capacity.line - 1].strip().startswith("@constraint")


def test_families_are_read(source: str) -> None:
    pack, slack = Program.parse(source).variables.values()
    assert (pack.domain, pack.enabled, pack.description) == (
        "binary",
        True,
        "1 if the item is packed.\n\nindented text",
    )
    assert pack.code.startswith("pack: dict[str, Var] = binary(\n    over=")
    assert (slack.domain, slack.description) == ("continuous", "")


def test_data_classes_are_read_with_inherited_fields() -> None:
    head = HEAD.replace(
        "class D(InputData)", "class Base(InputData):\n    m: float\n    'Metres.'\nclass D(Base)"
    )
    text = head + "    hidden: ClassVar[int] = 1\n    _own: int = 1\n" + VARIABLES + MODEL
    fields = Program.parse(text).data_classes["D"].fields
    assert {name: (field.annotation, field.description) for name, field in fields.items()} == {
        "m": ("float", "Metres."),
        "n": ("int", ""),
    }


@pytest.mark.parametrize(
    ("annotation", "unit"),
    [
        ("Annotated[float, unit('kg')]", "kg"),
        ("Annotated[float, Field(ge=0), decision_ai.unit(text='kg')]", "kg"),
        ("dict[str, Annotated[float, unit('EUR/kg')]]", "EUR/kg"),
        ("'list[Annotated[float, unit(\"h\")]]'", "h"),
        ("Annotated[list[float] | None, unit('h')]", "h"),
        ("Annotated[float, unit(h)]", ""),
        ("Annotated[float, other('kg')]", ""),
        ("float", ""),
        ("'not a type'", ""),
    ],
)
def test_the_unit_of_a_field_is_read(annotation: str, unit: str) -> None:
    text = HEAD + f"    w: {annotation}\n" + VARIABLES + MODEL
    assert Program.parse(text).data_classes["D"].fields["w"].unit == unit


def test_the_unit_of_a_family_is_read() -> None:
    families = "class V(Variables):\n    x: Var = binary(unit='piece')\n    y: Var = continuous()\n"
    parts = Program.parse(HEAD + families + MODEL).variables
    assert (parts["x"].unit, parts["y"].unit) == ("piece", "")


def test_strings_may_be_joined() -> None:
    body = '    @constraint("a" + r"\\b" + "c")\n    def c(self, data, v):\n        return v.x <= 1\n'
    program = Program.parse(HEAD + VARIABLES + MODEL.replace("    pass\n", body))
    assert program.constraints["c"].math == "a\\bc"


@pytest.mark.parametrize(
    ("decorator", "words"),
    [
        ("constraint", "with parentheses"),
        ("constraint(1)", "math of constraint 'c' must be a str"),
        ("constraint('a', 'b')", "takes math, enabled, priority, policy, each once"),
        ("constraint('a', math='b')", "each once"),
        ("constraint(enable=False)", "each once"),
        ("constraint('a'" + " + 'a'" * 900 + " + b)", "written out|syntax"),
        ("constraint(f'{1}')", "written out, not computed"),
        ("constraint(policy=None)", "policy of constraint 'c' must be a bool"),
        ("constraint(priority='hardly')", "priority of constraint 'c' must be 'hard'"),
        ("constraint(priority=[])", "priority of constraint 'c' must be 'hard'"),
        ("objective('max')", "'minimize' or 'maximize', not 'max'"),
        ("objective()", "'minimize' or 'maximize', not None"),
        ("objective('minimize', enabled=True)", "takes sense, math, each once"),
    ],
)
def test_a_decorator_that_says_something_else_is_refused(decorator: str, words: str) -> None:
    body = f"    @{decorator}\n    def c(self, data, v):\n        return v.x <= 1\n"
    with pytest.raises(ProgramError, match=words) as caught:
        Program.parse(HEAD + VARIABLES + MODEL.replace("    pass\n", body))
    assert caught.value.report.component_id == "c"


@pytest.mark.parametrize(
    "family",
    [
        "x: Var = binary(unit=3)",
        "x: Var = 1",
        "x: Var",
        "x: Var = boolean()",
        "x: Var = binary(enabled=y)",
        "x: Var = binary(math=1)",
    ],
)
def test_a_family_must_be_declared_as_one(family: str) -> None:
    with pytest.raises(ProgramError) as caught:
        Program.parse(HEAD + f"class V(Variables):\n    {family}\n" + MODEL)
    assert (caught.value.report.component, caught.value.report.component_id) == ("variable", "x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found none"),
        (HEAD + VARIABLES + MODEL + MODEL.replace("M(", "N("), "found M, N"),
        (HEAD + VARIABLES + "class M(OptModel):\n    pass\n", "write M as OptModel"),
        (HEAD + VARIABLES + "class M(OptModel[V, D]):\n    pass\n", "write M as OptModel"),
        (HEAD + MODEL, "write M as OptModel"),
    ],
)
def test_there_is_one_model_class_with_its_two_others(text: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        Program.parse(text)


def test_two_objectives_are_refused() -> None:
    one = "    @objective('minimize')\n    def a(self, data, v):\n        return v.x\n"
    with pytest.raises(ProgramError, match="one objective; found a, b"):
        Program.parse(HEAD + VARIABLES + MODEL.replace("    pass\n", one + one.replace("def a", "def b")))
