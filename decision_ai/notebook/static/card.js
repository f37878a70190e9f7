// Draws an approval card. Everything shown is set as text, never as markup.

const BEAT = 3000; // milliseconds from one "are you there?" to the next
const BEATS_LOST = 2; // so many without an answer, and the card counts as dead
const DIFF_CLASS = { "+": "added", "-": "removed", "…": "skipped" };
const SAYS = {
  open: "Waiting for your answer.",
  sent: "Sent …",
  approved: "✓ Approved.",
  rejected: "✗ Rejected.",
  withdrawn: "No longer asked: the cell was stopped, or the answer came from elsewhere. " +
    "If it is still open, run the cell again.",
  dead: "Nobody is listening any more: the kernel was restarted or does not answer. " +
    "Nothing was decided here; run the cell again to be asked again.",
};

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawFact([name, texts, caution]) {
  const fact = element("div", caution ? "dai-fact caution" : "dai-fact");
  const value = element("dd", "", texts.length === 1 ? texts[0] : undefined);
  if (texts.length > 1) {
    const list = element("ul", "");
    list.append(...texts.map((text) => element("li", "", text)));
    value.append(list);
  }
  fact.append(element("dt", "", name), value);
  return fact;
}

function drawFormula(formula, typesetter) {
  const drawn = element("code", "dai-formula", formula);
  if (!typesetter || formula.includes("$")) return drawn;
  const typeset = element("div", "dai-formula", `$${formula}$`);
  queueMicrotask(() => typesetter.typeset(typeset));
  return typeset;
}

function drawChange(change, typesetter) {
  const box = element("section", "dai-change");
  box.append(element("h4", "", change.title));
  if (change.description) box.append(element("p", "", change.description));
  if (change.formula) box.append(drawFormula(change.formula, typesetter));
  const diff = element("pre", "dai-diff");
  diff.tabIndex = 0; // a long one is scrolled with the arrow keys
  diff.setAttribute("role", "region");
  diff.setAttribute("aria-label", `Difference: ${change.title}`);
  const lines = element("div", "dai-lines");
  for (const [mark, text] of change.diff) {
    lines.append(element("span", `dai-line ${DIFF_CLASS[mark] ?? "kept"}`, `${mark} ${text}\n`));
  }
  diff.append(lines);
  box.append(diff);
  return box;
}

function drawControls() {
  const row = element("div", "dai-controls");
  const approve = element("button", "dai-approve", "Approve");
  const reject = element("button", "dai-reject", "Reject");
  for (const button of [approve, reject]) button.type = "button";
  const reason = element("input", "dai-reason");
  reason.placeholder = "Why not? (optional)";
  reason.setAttribute("aria-label", "Reason for a rejection, optional");
  row.append(approve, reject, reason);
  return { row, approve, reject, reason };
}

// Asks the kernel whether it still waits for this card. A dead one is not asked again: a restarted kernel
// does not know the card. A late answer revives it.
function heartbeat(model, onChange) {
  let lost = 0;
  const beat = () => {
    if (lost === BEATS_LOST) onChange(false);
    if (lost >= BEATS_LOST) return;
    lost += 1;
    try { model.send({ ping: true }); } catch { /* as good as no answer */ }
  };
  const hear = (said) => {
    if (!said?.waiting) return;
    lost = 0;
    onChange(true);
  };
  model.on("msg:custom", hear);
  const timer = setInterval(beat, BEAT);
  return () => {
    clearInterval(timer);
    model.off("msg:custom", hear);
  };
}

function render({ model, el }) {
  const content = model.get("content");
  const typesetter = model.widget_manager?.rendermime?.latexTypesetter; // JupyterLab has one
  const card = element("div", "dai-card");
  card.setAttribute("role", "group");
  card.setAttribute("aria-label", "Proposed change");
  card.setAttribute("data-lm-suppress-shortcuts", "true"); // or Jupyter takes Enter and letters for itself
  const facts = element("dl", "dai-facts");
  facts.append(...content.facts.map(drawFact));
  const effect = element("dl", "dai-facts dai-effect");
  effect.setAttribute("aria-live", "polite");
  const { row, approve, reject, reason } = drawControls();
  const status = element("div", "dai-status");
  status.setAttribute("role", "status");
  status.tabIndex = -1;
  card.append(facts, effect, ...content.changes.map((change) => drawChange(change, typesetter)), row, status);

  let sent = false;
  let alive = true;
  const show = () => {
    const state = model.get("state");
    const says = state !== "open" ? state : !alive ? "dead" : sent ? "sent" : "open";
    if (says !== "open" && card.contains(document.activeElement)) status.focus(); // before its control goes
    for (const control of [approve, reject, reason]) control.disabled = says !== "open";
    row.hidden = state !== "open" || !alive;
    card.className = `dai-card ${says}`;
    const why = model.get("reason");
    status.textContent = says === "rejected" && why ? `✗ Rejected: ${why}` : SAYS[says] ?? says;
    if (state !== "open") stop();
  };
  const showEffect = () => effect.replaceChildren(...model.get("effect").map(drawFact));
  const say = (decision) => {
    sent = true;
    show();
    model.send(decision);
  };
  const stop = heartbeat(model, (waiting) => {
    alive = waiting;
    show();
  });
  approve.addEventListener("click", () => say({ decision: "approve" }));
  reject.addEventListener("click", () => say({ decision: "reject", reason: reason.value }));
  reason.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && reason.value.trim()) reject.click();
  });
  card.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
  for (const name of ["state", "reason"]) model.on(`change:${name}`, show);
  model.on("change:effect", showEffect);
  el.append(card);
  show();
  showEffect();
  return () => {
    stop();
    for (const name of ["state", "reason"]) model.off(`change:${name}`, show);
    model.off("change:effect", showEffect);
  };
}

export default { render };
