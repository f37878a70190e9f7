"""Bearer keys."""

import pytest

from decision_ai_server.auth.keys import Caller, Keys, Unauthorized, new_key


@pytest.mark.parametrize("header", ["Bearer right-key", "bearer right-key", "Bearer  right-key "])
def test_the_right_key_is_the_owner(header: str) -> None:
    assert Keys("right-key").caller(header) == Caller(name="owner")


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Basic right-key",
        "right-key",
        "Bearer right-key x",
        "Bearer ü",
    ],
)
def test_everything_else_is_refused_without_repeating_it(header: str | None) -> None:
    with pytest.raises(Unauthorized) as refused:
        Keys("right-key").caller(header)
    assert "wrong" not in str(refused.value)
    assert "right-key" not in str(refused.value)


def test_a_key_is_not_kept_in_the_clear() -> None:
    assert "right-key" not in repr(vars(Keys("right-key")))


def test_new_keys_differ_and_can_be_sent() -> None:
    keys = {new_key() for _ in range(50)}
    assert len(keys) == 50
    assert all(len(key) >= 32 and key.isascii() and " " not in key for key in keys)
