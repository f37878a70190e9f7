"""The slash commands that tell what went to the language model and what it cost."""

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.schemas.chat_session import Usage
from decision_ai.client.sent_requests import SentRequest, money
from decision_ai.errors import DecisionAIError
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.version_commands import Command

NOTHING_SENT = "No language model was asked in this session."
NOTHING_COUNTED = "No tokens of a language model were counted in this session."


class SentCommands:
    """Sent and usage.

    Args:
        screen: where to write.
        session: the session.
    """

    def __init__(self, screen: Screen, session: ChatSession) -> None:
        self._screen = screen
        self._session = session

    def commands(self) -> dict[str, Command]:
        """Every command by its name."""
        return {
            "/sent": ("[TURN [N]]", "show what went to the language model; the N-th in full", self._sent),
            "/usage": ("", "show the tokens, money and seconds that decisions took", self._usage),
        }

    def _sent(self, rest: str) -> None:
        numbers = _numbers(rest)
        sent = self._session.sent_to_model(numbers[0] if numbers else None)
        if not sent:
            self._none_in_turn()
        elif len(numbers) < 2:
            for n, request in enumerate(sent, start=1):
                self._outline(n, request)
            self._screen.say(f"/sent {sent[0].turn} 1 shows the first of them in full.", "dim")
        elif 1 <= numbers[1] <= len(sent):
            self._screen.say(sent[numbers[1] - 1].text())
        else:
            raise DecisionAIError(
                f"there is no request {numbers[1]} in this turn: there are {len(sent)}, from 1 to {len(sent)}"
            )

    def _none_in_turn(self) -> None:
        others = sorted({request.turn for request in self._session.sent_to_model("all")})
        if not others:
            self._screen.say(NOTHING_SENT)
            return
        turns = ", ".join(map(str, others[-10:]))
        self._screen.say(f"No language model was asked in this turn, but in {turns}: /sent {others[-1]}.")

    def _outline(self, n: int, request: SentRequest) -> None:
        self._screen.say(f"turn {request.turn}, request {n}: {request.summary}", "bold")
        for trace in request.traces:
            self._screen.say(trace, "yellow", indent=2)
        for part in request.parts:
            self._screen.say(f"{part.name:<10}{part.characters:>9,}  {_short(part.text)}", indent=2)

    def _usage(self, _: str) -> None:
        usage = self._session.state().usage
        if usage is None:
            self._screen.say(NOTHING_COUNTED)
            return
        self._screen.fact("last turn", _cost_line(usage.last_turn))
        self._screen.fact("session", _cost_line(usage))


def _cost_line(usage: Usage) -> str:
    words = [
        f"{usage.decisions} decision{'' if usage.decisions == 1 else 's'}",
        f"{usage.prompt_tokens:,} tokens read, {usage.completion_tokens:,} written",
        f"{usage.seconds:.1f} s",
    ]
    return " · ".join(words if usage.cost is None else [*words, money(usage.cost, usage.currency)])


def _short(text: str) -> str:
    """The first words of a part, for one line."""
    line = " ".join(text[:200].split())
    return line if len(line) <= 50 and len(text) <= 200 else f"{line[:49]}…"


def _numbers(rest: str) -> list[int]:
    try:
        numbers = [int(word) for word in rest.split()]
    except ValueError:
        numbers = [0, 0, 0]
    if len(numbers) > 2:
        raise DecisionAIError("say which turn, and which of its requests: /sent, /sent 0 or /sent 0 2")
    return numbers
