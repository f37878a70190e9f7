"""Modellers that do as they are told.

Like every modeller they keep no state: what they decide follows from the conversation alone, so a server that
is killed and started again goes on with the script where it stood.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from decision_ai_server.agent.ports import Modeller, TurnContext
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision, ToolCall


@dataclass(frozen=True)
class ScriptedModeller:
    """Plays a script: for each sentence, the decisions to take one after another.

    A sentence without a script, or one whose script is used up, is answered with `silence`.
    """

    script: Mapping[str, Sequence[ModelDecision]]
    silence: str = "That is all."

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The decision that is due: one per call that the sentence has made so far."""
        decisions = self.script.get(context.sentence, ())
        done = len(context.calls)
        if done < len(decisions):
            return decisions[done]
        return ModelDecision(action=FinalAnswer(answer=self.silence))


@dataclass(frozen=True)
class Sabotaged:
    """Breaks the first change of every turn: its check fails and the modeller has to repair it."""

    inner: Modeller

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The inner modeller's decision; the first proposal of a turn gets a name that does not exist."""
        failed = any(record.state == "failed" for record in context.calls)
        calls = tuple(record for record in context.calls if record.state != "failed")
        decision = await self.inner.decide(replace(context, calls=calls))
        action = decision.action
        if failed or not isinstance(action, ToolCall) or action.name != "propose_changes":
            return decision
        edits = [
            edit | {"code": edit["code"].replace("v.", "v.no_such_family_")} if "code" in edit else edit
            for edit in action.input["edits"]
        ]
        broken = action.model_copy(update={"input": action.input | {"edits": edits}})
        return decision.model_copy(update={"action": broken})


def sabotaged_offline() -> Sabotaged:
    """The offline modeller with every first change broken; for `DECISION_AI_SERVER_MODELLER`."""
    from decision_ai_server.modellers.offline import OfflineModeller

    return Sabotaged(OfflineModeller())
