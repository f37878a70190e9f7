from decision_ai.tabular.shapes import (
    TEXT,
    Field,
    Mapping,
    Opaque,
    Record,
    Scalar,
    Sequence,
    Shape,
    Tuple,
    as_optional,
    described,
    is_plain,
    key_levels,
    with_unit,
)

NUMBER = Scalar("number")
ITEM = Record("Item", (Field("weight", NUMBER, True),))


def test_a_unit_reaches_the_numbers_that_have_none() -> None:
    kilos = Scalar("number", unit="kg")
    assert with_unit(Mapping(TEXT, NUMBER), "kg") == Mapping(TEXT, kilos)
    assert with_unit(Sequence(Tuple((NUMBER, TEXT))), "kg") == Sequence(Tuple((kilos, TEXT)))
    assert with_unit(kilos, "t") == kilos


def test_keys_of_nested_dictionaries() -> None:
    assert key_levels(Mapping(TEXT, Mapping(TEXT, NUMBER))) == ((TEXT, TEXT), NUMBER)


def test_what_a_cell_can_hold() -> None:
    plain: list[Shape] = [NUMBER, Sequence(TEXT), Tuple((NUMBER, NUMBER))]
    assert all(map(is_plain, plain))
    others: list[Shape] = [ITEM, Mapping(TEXT, NUMBER), Sequence(ITEM), Opaque("X"), Tuple((ITEM,))]
    assert not any(map(is_plain, others))


def test_only_a_scalar_becomes_optional() -> None:
    assert as_optional(NUMBER) == Scalar("number", optional=True)
    assert as_optional(ITEM) == ITEM


def test_shapes_in_words() -> None:
    assert described(Mapping(TEXT, ITEM)) == "Item records by 1 key"
    assert described(Mapping(TEXT, Mapping(TEXT, NUMBER))) == "numbers by 2 keys"
    words = ["whole numbers", "yes or no", "lists", "tuples", "values"]
    shapes: list[Shape] = [Scalar("whole"), Scalar("truth"), Sequence(TEXT), Tuple((TEXT,)), Opaque("X")]
    assert [described(shape) for shape in shapes] == words
