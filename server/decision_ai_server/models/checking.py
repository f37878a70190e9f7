"""What a configured endpoint can do, found out step by step, and which settings follow from that."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.models import probes
from decision_ai_server.models.endpoint import Answered, Endpoint
from decision_ai_server.models.trial import Trial
from decision_ai_server.settings import LlmSettings

_MODELS_SHOWN = 5
_TRIAL_SILENCE = 300.0
"""A trial waits longer than the settings may say, to find out how long it takes."""
_ROUND = 30


@dataclass(frozen=True)
class Step:
    """One thing that was tried."""

    name: str
    works: bool
    detail: str
    seconds: float


@dataclass(frozen=True)
class Report:
    """What was found.

    Attributes:
        steps: in the order in which they were tried.
        advice: settings of `LlmSettings` to change, by name.
        usable: whether a person can work with it.
    """

    steps: tuple[Step, ...]
    advice: Mapping[str, Any]
    usable: bool


Try: TypeAlias = Callable[[LlmSettings], Trial]
"""Makes the trial edit with some settings."""


def check(llm: LlmSettings, endpoint: Endpoint, attempt: Try, tell: Callable[[Step], None]) -> Report:
    """Try everything, the trial edit last.

    Args:
        llm: the settings; must name a language model.
        endpoint: theirs.
        attempt: makes the trial edit.
        tell: called with every step as it is done.
    """
    log = _Log(tell)
    config = llm.harness_config()
    _look_for_models(endpoint, config, log)
    plain = _probe(endpoint, probes.PLAIN, log)
    if plain.problem:
        return Report(tuple(log.steps), {}, usable=False)
    streamed = _probe(endpoint, probes.STREAMED, log)
    for probe in (probes.NATIVE_CALL, probes.REQUIRED_CALL, probes.JSON_SCHEMA, probes.JSON_OBJECT):
        _probe(endpoint, probe, log)
    log.add(_usage(plain, streamed))
    advice = protocol_advice(config, {step.name: step.works for step in log.steps})
    if _try(llm, advice, attempt, log, "trial edit"):
        return Report(tuple(log.steps), advice, usable=True)
    if llm.tools == "full":
        advice["tools"] = "small"
        if _try(llm, advice, attempt, log, "trial edit with few tools"):
            return Report(tuple(log.steps), advice, usable=True)
        del advice["tools"]
    return Report(tuple(log.steps), advice, usable=False)


class _Log:
    """The steps so far."""

    def __init__(self, tell: Callable[[Step], None]) -> None:
        self._tell = tell
        self.steps: list[Step] = []

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self._tell(step)


def protocol_advice(config: HarnessConfig, works: Mapping[str, bool]) -> dict[str, Any]:
    """The settings that would suit the endpoint better than the present ones.

    Args:
        config: the present ones.
        works: by the name of the probe.
    """
    advice: dict[str, Any] = {}
    if config.stream_model_calls and not works[probes.STREAMED.name]:
        advice["stream_model_calls"] = False
    if config.native_tool_calls and works[probes.NATIVE_CALL.name]:
        if config.tool_choice == "required" and not works[probes.REQUIRED_CALL.name]:
            advice["tool_choice"] = "auto"
        return advice
    if config.native_tool_calls:
        advice["native_tool_calls"] = False
    forms = {"json_schema": probes.JSON_SCHEMA.name, "json_object": probes.JSON_OBJECT.name}
    best = next((form for form, name in forms.items() if works[name]), "none")
    if not works.get(forms.get(config.structured_output, ""), False) and best != config.structured_output:
        advice["structured_output"] = best
    return advice


def patience_advice(llm: LlmSettings, longest: float) -> dict[str, Any]:
    """Longer time-outs where one decision took more than half of the present one."""
    name = "request_idle_timeout_seconds" if llm.stream_model_calls else "request_timeout_seconds"
    if longest <= getattr(llm, name) / 2:
        return {}
    return {name: float(math.ceil(3 * longest / _ROUND) * _ROUND)}


def _look_for_models(endpoint: Endpoint, config: HarnessConfig, log: _Log) -> None:
    names, problem, seconds = endpoint.models()
    if problem:
        detail = problem
    elif config.model in names:
        detail = f"{config.model!r} is one of its models ({len(names)})"
    else:
        others = ", ".join(map(repr, names[:_MODELS_SHOWN])) + (" …" if len(names) > _MODELS_SHOWN else "")
        detail = f"{config.model!r} is not one of its models: {others or 'it names none'}"
    log.add(Step("reachable", works=not problem and config.model in names, detail=detail, seconds=seconds))


def _probe(endpoint: Endpoint, probe: probes.Probe, log: _Log) -> Answered:
    answered = endpoint.ask(**probe.body)
    if answered.reply is None:
        log.add(Step(probe.name, works=False, detail=answered.problem, seconds=answered.seconds))
        return answered
    verdict = probe.judge(answered.reply)
    first = "" if answered.first_seconds is None else f"; first text after {answered.first_seconds:.1f} s"
    log.add(Step(probe.name, verdict.works, f"{verdict.detail}{first}", answered.seconds))
    return answered


def _usage(plain: Answered, streamed: Answered) -> Step:
    counted = {
        name: answered.reply is not None and answered.reply.usage is not None
        for name, answered in (("plain", plain), ("streamed", streamed))
    }
    told = " and ".join(name for name, is_told in counted.items() if is_told)
    detail = f"with {told} replies" if told else "never; tokens and money cannot be counted"
    return Step("usage reported", works=all(counted.values()), detail=detail, seconds=0.0)


def _try(llm: LlmSettings, advice: dict[str, Any], attempt: Try, log: _Log, name: str) -> bool:
    """One trial edit with the settings as advised; adds longer time-outs to the advice if they are needed."""
    patience = max(llm.request_idle_timeout_seconds, _TRIAL_SILENCE)
    changed = {**advice, "request_idle_timeout_seconds": patience}
    tried = attempt(llm.model_copy(update=changed))
    log.add(Step(name, tried.works, tried.detail, tried.longest))
    if tried.works:
        advice |= patience_advice(llm, tried.longest)
    return tried.works
