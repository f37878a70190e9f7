import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.source import SourceText, Span, Splice, lines_inside_strings, parse_python

pytestmark = pytest.mark.core


def test_lines_end_at_cr_lf_and_crlf_only() -> None:
    source = SourceText("a\rb\r\nc\nd\u2028e\x0cf\x85g")
    assert source.lines == ["a", "b", "c", "d\u2028e\x0cf\x85g"]
    assert source.newline == b"\r"
    assert source.text == "a\nb\nc\nd\u2028e\x0cf\x85g"


def test_positions_are_bytes_after_the_byte_order_mark() -> None:
    source = SourceText("\ufeffä = 1\nb = 2")
    assert source.lines[0] == "ä = 1"
    assert source.data[source.start(1) : source.end(1)].decode() == "ä = 1"
    assert source.part_bytes(Span(1, 2)).decode() == "ä = 1\nb = 2"


def test_splices_apply_from_the_end() -> None:
    source = SourceText("one two three")
    assert source.spliced([Splice(0, 3, b"1"), Splice(8, 13, b"3"), Splice(4, 4, b"+")]) == "1 +two 3"


def test_deletion_takes_the_blank_lines_above_and_keeps_the_end_of_the_file() -> None:
    source = SourceText("a\n \n\nb\n\nc")
    assert source.spliced([source.deletion(Span(4, 4))]) == "a\n\nc"
    assert source.spliced([source.deletion(Span(6, 6))]) == "a\n \n\nb"
    assert source.spliced([source.deletion(Span(1, 1))]) == "\n \n\nb\n\nc"


def test_text_that_is_not_python_names_the_line() -> None:
    with pytest.raises(ProgramError) as caught:
        parse_python(SourceText("x = 1\ny = = 2\n"))
    assert (caught.value.report.line, caught.value.report.source_line) == (2, "y = = 2")


@pytest.mark.parametrize("text", ["a;" * 60_000, "\n" * 100_001, "x = a" + " and a" * 60_000])
def test_text_that_would_take_seconds_to_read_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="more than 100,000 words and signs"):
        parse_python(SourceText(text))


@pytest.mark.parametrize("text", ["x = '\x00'", "(" * 5000 + ")" * 5000, "x = " + "-" * 90_000 + "1"])
def test_hostile_text_is_refused_and_not_a_crash(text: str) -> None:
    with pytest.raises(ProgramError, match="not valid Python"):
        parse_python(SourceText(text))


def test_a_stray_backslash_is_no_error() -> None:
    assert parse_python(SourceText("x = '\\s'"))


def test_text_that_is_not_unicode_is_refused() -> None:
    with pytest.raises(ProgramError, match="not UTF-8 text at character 1"):
        SourceText("a\udc80")


def test_lines_inside_strings_are_those_that_start_in_one() -> None:
    text = 'a = """\nb\n"""\nc = (\n  f"""{\n1}\n  """\n)\nd = "x\\\ny"\n'
    assert lines_inside_strings(text) == {2, 3, 6, 7, 10}
