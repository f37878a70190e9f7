"""The names a program may use: the tables behind the policy. What is not here is refused."""

import itertools
import math


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MODULES: dict[str, frozenset[str]] = {
    "decision_ai": _words(
        """
        InputData OptModel Var Variables binary integer continuous constraint objective unit
        """
    ),
    "pulp": _words(
        """
        lpSum lpDot lpSum_vars lpSum_vars_coefs value LpAffineExpression LpConstraint LpVariable
        LpConstraintEQ LpConstraintGE LpConstraintLE LpMinimize LpMaximize LpBinary LpInteger LpContinuous
        """
    ),
    "math": frozenset(name for name in dir(math) if not name.startswith("_")),
    "itertools": frozenset(name for name in dir(itertools) if not name.startswith("_")),
    "functools": _words("partial reduce lru_cache cache cmp_to_key"),
    "collections": _words("Counter OrderedDict defaultdict deque ChainMap namedtuple abc"),
    "collections.abc": _words(
        """
        Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView Mapping
        MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView
        """
    ),
    "datetime": _words("date datetime time timedelta timezone tzinfo UTC MINYEAR MAXYEAR"),
    "enum": _words("Enum IntEnum StrEnum Flag IntFlag auto unique"),
    "dataclasses": _words("dataclass field replace asdict astuple KW_ONLY"),
    "typing": _words(
        """
        Annotated Any Callable ClassVar Dict Final FrozenSet Generator Hashable Iterable Iterator List
        Literal Mapping NoReturn Optional Self Sequence Set Tuple Type TypeAlias Union TYPE_CHECKING cast
        override
        """
    ),
    "pydantic": _words(
        """
        BaseModel ConfigDict Field computed_field field_validator model_validator AfterValidator
        BeforeValidator PositiveFloat PositiveInt NonNegativeFloat NonNegativeInt NegativeFloat
        NegativeInt NonPositiveFloat NonPositiveInt FiniteFloat StrictBool StrictFloat StrictInt StrictStr
        PastDate FutureDate ValidationInfo
        """
    ),
    "numpy": _words(
        """
        abs absolute add all allclose any arange argmax argmin argsort around array asarray average
        bincount bool_ ceil clip column_stack concatenate cos count_nonzero cross cumprod cumsum diag diff
        divide dot e einsum empty equal exp expand_dims eye flatnonzero flip float32 float64 floor
        floor_divide full full_like greater greater_equal histogram hstack hypot identity inf inner insert
        int32 int64 intersect1d interp isclose isfinite isin isinf isnan less less_equal linalg linspace
        log log10 log2 logical_and logical_not logical_or max maximum mean median meshgrid min minimum mod
        multiply nan nan_to_num ndenumerate ndindex negative newaxis nonzero not_equal ones
        ones_like outer pad percentile pi power prod ptp quantile ravel repeat reshape roll round
        searchsorted setdiff1d sign sin sort split sqrt square squeeze stack std subtract sum swapaxes tan
        tile trace transpose trapezoid tril triu union1d unique var vstack where zeros zeros_like
        """
    ),
    "numpy.linalg": _words("norm inv solve det eig eigvals lstsq pinv matrix_rank"),
    "__future__": frozenset(["annotations"]),
}
"""Module → names that may be taken from it; a name that is itself a key is a module."""

BUILTINS = _words(
    """
        abs all any bin bool bytes callable chr classmethod complex dict divmod enumerate filter float
        format frozenset hash hex id int isinstance issubclass iter len list map max min next object oct
        ord pow print property range repr reversed round set slice sorted staticmethod str sum super tuple
        type zip True False None NotImplemented Ellipsis ArithmeticError AssertionError AttributeError
        BaseException Exception FloatingPointError IndexError KeyError LookupError NameError
        NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError ValueError
        ZeroDivisionError UserWarning Warning
        """
)
"""Built-in names a program may read."""

DUNDERS = frozenset(["__name__", "__init__"])
"""Double-underscore names that may be read."""

METHODS = _words(
    """
        __init__ __post_init__ __str__ __repr__ __eq__ __ne__ __hash__ __lt__ __le__ __gt__ __ge__ __len__
        __iter__ __next__ __contains__ __getitem__ __bool__ __add__ __sub__ __mul__ __neg__ __call__
        """
)
"""Double-underscore methods a class of the program may define."""

REFUSED_ATTRIBUTES = _words(
    """
        format format_map mro gi_frame gi_code gi_yieldfrom gi_running gi_suspended cr_frame cr_code
        cr_await cr_origin ag_frame ag_code ag_await tb_frame tb_next tb_lineno tb_lasti f_back f_builtins
        f_code f_globals f_locals f_trace func_globals func_code parse_file parse_raw update_forward_refs
        model_rebuild annotation model_parametrized_name writeLP writeMPS fromMPS fromJson from_json
        toJson to_json sequentialSolve setSolver solverModel makeElasticSubProblem tofile dump dumps ctypes
        setflags resize setfield getfield f_generator model_fields model_computed_fields model_json_schema
        from_annotation from_field from_annotated_attribute apply_typevars_map rebuild_annotation
        merge_field_infos from_orm
        """
)
"""Attributes refused on everything but modules, whose tables above decide.

Text templates read attributes the syntax tree does not show; the others lead to frames and code, to types by
name (pydantic), to files and solvers (pulp), and to files and raw memory (numpy).
"""

CONFIG = _words(
    """
        frozen extra strict title str_strip_whitespace str_to_lower str_to_upper populate_by_name
        validate_by_name validate_by_alias use_enum_values validate_default validate_assignment allow_inf_nan
        use_attribute_docstrings arbitrary_types_allowed coerce_numbers_to_str
        """
)
"""Settings a class may make; others read attributes by name, or import by text."""
