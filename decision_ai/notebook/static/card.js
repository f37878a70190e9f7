// Draws an approval card. Everything shown is set as text, never as markup.

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const DIFF_CLASS = { "+": "added", "-": "removed", "…": "skipped" };

function drawFacts(facts) {
  const table = element("dl", "dai-facts");
  for (const [name, text] of facts) table.append(element("dt", "", name), element("dd", "", text));
  return table;
}

function drawChange(change) {
  const box = element("section", "dai-change");
  box.append(element("h4", "", change.title));
  if (change.description) box.append(element("p", "", change.description));
  if (change.formula) box.append(element("code", "dai-formula", change.formula));
  const diff = element("pre", "dai-diff");
  for (const [mark, text] of change.diff) {
    diff.append(element("span", `dai-line ${DIFF_CLASS[mark] ?? "kept"}`, `${mark} ${text}\n`));
  }
  box.append(diff);
  return box;
}

const SETTLED = {
  approved: "Approved.",
  rejected: "Rejected.",
  withdrawn: "No longer asked: it was settled elsewhere or stopped.",
};

export function render({ model, el }) {
  const content = model.get("content");
  const card = element("div", "dai-card");
  const preview = element("dd", "dai-preview");
  const facts = drawFacts(content.facts);
  facts.append(element("dt", "", "Effect"), preview);
  card.append(facts, ...content.changes.map(drawChange));

  const buttons = element("div", "dai-buttons");
  const approve = element("button", "dai-approve", "Approve");
  const reason = element("input", "dai-reason");
  reason.placeholder = "Why not? (may stay empty)";
  reason.setAttribute("aria-label", "Reason for a rejection");
  const reject = element("button", "dai-reject", "Reject");
  const status = element("span", "dai-status");
  status.setAttribute("role", "status");
  buttons.append(approve, reason, reject, status);
  card.append(buttons);

  const say = (decision) => {
    for (const control of [approve, reason, reject]) control.disabled = true;
    status.textContent = "Sent …";
    model.send(decision);
  };
  approve.addEventListener("click", () => say({ decision: "approve" }));
  reject.addEventListener("click", () => say({ decision: "reject", reason: reason.value }));
  reason.addEventListener("keydown", (event) => {
    event.stopPropagation(); // or the notebook takes the keys as its own shortcuts
    if (event.key === "Enter" && reason.value.trim()) reject.click();
  });

  const showPreview = () => { preview.textContent = model.get("preview"); };
  const showState = () => {
    const state = model.get("state");
    if (state === "open") return;
    for (const control of [approve, reason, reject]) control.disabled = true;
    status.textContent = SETTLED[state] ?? state;
  };
  model.on("change:preview", showPreview);
  model.on("change:state", showState);
  showPreview();
  showState();
  el.append(card);
  return () => {
    model.off("change:preview", showPreview);
    model.off("change:state", showState);
  };
}

export default { render };
