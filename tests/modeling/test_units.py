"""What counts as the same unit, and how units are written and calculated with."""

import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from decision_ai.modeling.units import Unit, UnitMark, conversion_factor, parse_unit, unit

pytestmark = pytest.mark.core


def read(text: str) -> Unit:
    found = parse_unit(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        ("EUR", "€", 1),
        ("euro", "Euros", 1),
        ("USD", "$", 1),
        ("piece", "pcs", 1),
        ("items", "units", 1),
        ("people", "person", 1),
        ("pallets", "Pallet", 1),
        ("boxes", "box", 1),
        ("kg", "kilograms", 1),
        ("KG", "kg", 1),
        ("t", "kg", 1000),
        ("hours", "min", 60),
        ("kWh", "MJ", 3.6),
        ("EUR/t", "EUR/kg", 1 / 1000),
        ("EUR per kg", "€ / kg", 1),
        ("m2", "m^2", 1),
        ("m²", "m**2", 1),
        ("person-hours", "h*person", 1),
        ("EUR/(kg*km)", "EUR/kg/km", 1),
        ("%", "1", 0.01),
        ("degC", "degC", 1),
        ("EUR", "USD", None),
        ("kg", "EUR", None),
        ("shift", "person", None),
        ("piece", "kg", None),
        ("point", "mm", None),
        ("degC", "kg", None),
    ],
)
def test_what_one_unit_is_in_another(one: str, other: str, factor: float | None) -> None:
    assert conversion_factor(one, other) == (None if factor is None else pytest.approx(factor))


@pytest.mark.parametrize(
    ("text", "symbols", "words"),
    [
        ("kg", "kg", "kilograms"),
        ("tonne", "t", "tonnes"),
        ("euro per kg", "EUR/kg", "euros per kilogram"),
        ("km/h", "km/h", "kilometers per hour"),
        ("people", "person", "people"),
        ("m^2", "m^2", "m^2"),
        ("kg*m/s^2", "kg·m/s^2", "kg·m/s^2"),
        ("EUR/(h*km)", "EUR/(h·km)", "euros per hour per kilometer"),
        ("1/h", "1/h", "1/h"),
        ("1", "", "plain numbers"),
    ],
)
def test_a_unit_in_symbols_and_in_words(text: str, symbols: str, words: str) -> None:
    assert (read(text).text, read(text).words) == (symbols, words)


def test_units_cancel() -> None:
    assert read("EUR/kg") * read("kg") == read("EUR")
    assert read("km") / read("km/h") == read("h")
    assert read("m") ** 2 == read("m2")
    assert (read("EUR/g") * read("kg")).dimension == read("EUR").dimension


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a unit"),
        ("3 kg", "not a unit: '3'"),
        ("kg+g", "not a unit: 'kg\\+g'"),
        ("kg/", "not a unit"),
        ("(kg", "not a unit"),
        ("kg)", "not a unit"),
        ("kg^kg", "not a unit"),
        ("kg^99", "powers up to 9"),
        ("((kg^9)^9)^9", "powers up to 9"),
        ("a" * 81, "at most 80 characters, not 81"),
    ],
)
def test_a_text_that_is_no_unit_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        unit(text)


def test_a_unit_is_a_text() -> None:
    assert unit("kg") == UnitMark("kg")
    with pytest.raises(ValueError, match="not 5"):
        unit(5)  # type: ignore[arg-type]


@given(st.text(alphabet="kgmh€·*/^()-2 1", max_size=20))
def test_any_text_is_a_unit_or_refused(text: str) -> None:
    try:
        found = parse_unit(text)
    except ValueError:
        return
    assert found is not None
    assert found.text == "" or conversion_factor(found.text, text) == pytest.approx(1)


def test_importing_the_package_and_declaring_units_loads_no_pint() -> None:
    uses = "decision_ai.unit('kg'); decision_ai.binary(unit='h')"
    code = f"import sys, decision_ai; {uses}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pint" not in run.stdout.split()
