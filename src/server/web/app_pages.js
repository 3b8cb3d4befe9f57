// The workspace: the pages of all files on one board. Merge, split and rotate are ways to look at it.
// Nothing is computed until it is asked for; then one job makes the document.

import { ask, finished, submit } from "./app_api.js";
import { at, button, el, icon, kept, put, say } from "./app_dom.js";
import { arrangement, Board, packed, planOf, readOrder, unpacked } from "./app_board.js";
import { used } from "./app_find.js";
import { documentOf, files, hasPages, refOf } from "./app_files.js";
import { Grid } from "./app_grid.js";
import { pageTools, scissors } from "./app_hover.js";
import { goWords, howTo, t, toolSummary, toolTitle } from "./app_i18n.js";
import { closeScreen, heldBack, inEnglish, lookAtScreen, openScreen, PREVIEW, start } from "./app_jobs.js";
import { goesOn, lackOfPages, leftOut } from "./app_left.js";
import { usualName } from "./app_names.js";
import { signedNote } from "./app_signed.js";
import { has, isOfPage } from "./app_tools.js";
import { chooser, sorter, tray } from "./app_tray.js";

/**
 * Each tool has a board of its own, which begins from the files.
 * @typedef {{board: Board, placed: Set<string>, restored: boolean}} Desk  placed: files whose pages are on the board, or were
 * @type {Map<string, Desk>}
 */
const desks = new Map();
let board = new Board();
/** @type {Set<string>} */
let placed = new Set();
let desk = "";

function sitAt(mode) {
  if (!desks.has(mode)) desks.set(mode, { board: new Board(), placed: new Set(), restored: false });
  desk = mode;
  ({ board, placed } = desks.get(mode));
}

const SIZES = [72, 100, 160, 220, 300];

const nameOf = (item) => item.upload || item.job;
/** The place of a file in the list. @param {string} id */
const rank = (id) => files.items.findIndex((one) => one.id === id);

/** The board of an earlier visit: the pages of its files that are still there, those that ask for
 * their password again at their places. */
async function restore() {
  const here = desks.get(desk);
  if (here.restored) return;
  here.restored = true;
  const before = kept.read("boards", {})[desk];
  if (!before) return;
  const byName = new Map(files.items.filter(hasPages).map((one) => [nameOf(one), one]));
  const there = before.files.map((name) => byName.get(name));
  await Promise.all(there.map((item) => item && documentOf(item).catch(() => null)));
  here.board.leaves = unpacked(before.runs.filter(([file]) => there[file]).map(([file, ...rest]) => [there[file].id, ...rest]));
  here.board.taken = here.board.leaves.length > 0;
  for (const name of before.placed) if (byName.has(name)) here.placed.add(byName.get(name).id);
}

/** Another tool's board that somebody arranged, if this one is as the files are. @returns {[string, Desk] | undefined} */
const otherDesk = () => (board.touched ? undefined : [...desks].find(([mode, one]) => mode !== desk && one.board.touched && one.board.leaves.length > 0));

const WRITE_MS = 400; // after the last change, if the page is not left before
let writing = 0;

function write() {
  clearTimeout(writing);
  writing = 0;
  const all = kept.read("boards", {});
  for (const [mode, one] of desks) {
    const used = arrangement(one.board.leaves).files;
    all[mode] = one.board.touched ? {
      files: used.map((id) => nameOf(files.find(id) || {})),
      placed: [...one.placed].map((id) => nameOf(files.find(id) || {})).filter(Boolean),
      runs: packed(one.board.leaves).map(([file, ...rest]) => [used.indexOf(file), ...rest]),
    } : undefined;
  }
  kept.write("boards", all);
}

function remember() {
  clearTimeout(writing);
  writing = setTimeout(write, WRITE_MS);
}
addEventListener("pagehide", () => writing && write());

/** Buttons that need at least one page chosen have data-needs; rare ones a phone folds away. Where pages are only
 * picked, nothing else is done to them. */
function toolbar(act, mode, picks) {
  const make = (name, words, does, more) => el("button", { type: "button", className: "icon-button labelled", title: words, onclick: does, "data-act": name, ...more },
    icon(name), el("span", null, name === "add" ? t("addFiles") : words));
  const rare = { className: "icon-button labelled rare" };
  const needs = (name, words, does, more) => make(name, words, does, { "data-needs": "", ...more });
  /** All pages are turned where none is chosen. */
  const turns = mode === "rotate" ? make : needs;
  const gap = () => el("span", { className: "gap" });
  const more = make("more", t("moreTools"), () => more.setAttribute("aria-expanded", String(bar.classList.toggle("open"))), { "aria-expanded": "false" });
  const bar = el("div", { className: "board-bar", role: "toolbar", "aria-label": t("pageTools") },
    make("undo", t("undo"), act.undo, { id: "undo", "aria-keyshortcuts": "Control+Z" }), make("redo", t("redo"), act.redo, { id: "redo", "aria-keyshortcuts": "Control+Y", ...rare }), gap(),
    needs("trash", t("deletePages"), () => act.change(() => board.remove(), "deletedPages")),
    turns("left", t("rotateLeft"), () => act.turn(270), rare),
    turns("right", t("rotateRight"), () => act.turn(90)),
    needs("before", t("moveEarlier"), () => act.change(() => board.nudge(-1), "moved"), rare),
    needs("after", t("moveLater"), () => act.change(() => board.nudge(1), "moved"), rare), gap(),
    needs("copy", t("duplicate"), () => act.change(() => board.duplicate(), "duplicated"), rare),
    make("blank", t("insertBlank"), () => board.leaves.length && act.change(() => board.insertBlank(), "inserted"), rare),
    make("add", t("insertFile"), () => at("choose").click(), rare), gap(),
    needs("cut", t("splitHere"), () => act.change(() => board.cut(), "splitMade")),
    needs("zoom", t("look"), act.look), more,
    el("span", { className: "count rare", id: "chosen", role: "status" }),
    el("span", { className: "end rare" }, button("check", t("selectAll"), act.all, { className: "quiet", id: "select-all" }),
      el("label", { className: "unseen", for: "zoom" }, t("size")),
      el("input", { id: "zoom", type: "range", min: 0, max: SIZES.length - 1, step: 1, oninput: act.zoom })));
  if (picks) for (const one of bar.querySelectorAll("[data-act], .gap")) one.hidden = !["zoom", "more"].includes(/** @type {HTMLElement} */ (one).dataset.act);
  return bar;
}

function splitHelp(act) {
  const every = el("input", { id: "every", type: "number", min: 1, step: 1, value: 1, inputMode: "numeric" });
  return el("div", { className: "field" }, el("label", { for: "every" }, t("everyN")),
    el("div", { className: "with-button" }, every, button("cut", t("split"), () => act.change(() => board.cutEvery(Math.max(1, Number(every.value) || 1)), "splitMade"), { className: "quiet" })),
    button("close", t("noSplits"), () => act.change(() => board.cutEvery(0), "splitsGone"), { className: "quiet", id: "no-splits" }));
}

function orderField(act) {
  const input = el("input", { id: "order", type: "text", placeholder: "2,31,4-9", dir: "ltr", autocomplete: "off", "aria-describedby": "order-hint order-error" });
  const error = el("p", { className: "error", id: "order-error", role: "alert" });
  input.addEventListener("input", () => {
    error.textContent = "";
    input.removeAttribute("aria-invalid");
  });
  return el("form", {
    className: "field", id: "order-form",
    onsubmit: (event) => {
      event.preventDefault();
      const order = readOrder(input.value, board.leaves.length);
      error.textContent = order ? "" : t("orderWrong", { count: board.leaves.length });
      input.setAttribute("aria-invalid", String(!order));
      if (!order) return input.focus();
      const left = board.leaves.length - new Set(order).size;
      act.change(() => board.arrange(order), "ordered", { n: order.length, left });
    },
  }, el("label", { for: "order" }, t("typeOrder")), el("div", { className: "with-button" }, input, button("", t("apply"), null, { type: "submit", className: "quiet" })),
  el("p", { className: "hint", id: "order-hint" }, t("orderHint")), error);
}

/**
 * How a submission names files, whose tool takes one password for all: where they have different ones, they are
 * unlocked first, by jobs that end() deletes.
 * @param {import("./app_files.js").Item[]} items
 */
async function opened(items) {
  const passwords = new Set(items.map((one) => one.password).filter((one) => one !== undefined));
  if (passwords.size < 2) return { refs: items.map(refOf), password: [...passwords][0], end: () => null };
  const made = [];
  const end = () => made.forEach((id) => ask("DELETE", `/api/v1/jobs/${id}`).catch(() => null));
  const refs = [];
  try {
    for (const item of items) {
      if (item.password === undefined) {
        refs.push(refOf(item));
        continue;
      }
      const { jobId } = await submit("remove-password", [["file", refOf(item)], ["password", item.password], ["outputName", item.name.replace(/\.[^.]*$/, "")], ["clientRef", PREVIEW]]);
      made.push(jobId);
      await finished(jobId);
      refs.push(`job:${jobId}`);
    }
  } catch (problem) {
    end();
    throw problem;
  }
  return { refs, password: undefined, end };
}

export async function pagesView(main, mode) {
  if (!(await has("/api/v1/uploads/{uploadId}/document"))) {
    location.replace(`#/tool/${isOfPage(mode) ? "split" : mode || "merge"}`);
    return {};
  }
  sitAt(mode);
  if (mode) used(mode);
  const title = mode ? toolTitle(mode) : t("arrange");
  const root = el("div", { id: "board", className: "board", role: "listbox", tabIndex: 0, "aria-multiselectable": "true", "aria-label": t("pages"), "aria-describedby": "board-help" });
  const empty = el("section", { className: "hero", id: "drop" }, el("span", { className: "hero-icon" }, icon("pages")),
    el("p", { className: "lead" }, t("boardEmpty")), el("div", { className: "hero-actions" }, chooser("choose-first", t("chooseFiles"), { accept: ".pdf" })));
  const list = el("ul", { id: "files", className: "files" });
  const go = el("button", { id: "submit", type: "button", className: "primary" });
  let busy = false;
  const held = heldBack(go, () => busy || board.leaves.length === 0);
  const problem = el("div", { className: "error", id: "form-error", role: "alert" });
  const left = el("section", { className: "left-out", id: "left-out", role: "status", hidden: true });
  const signed = el("section", { className: "left-out", id: "signed", role: "status", hidden: true });
  const sorting = sorter();
  const goOn = el("section", { className: "note", id: "arranged", hidden: true });
  /** The pages as another tool's board has them. */
  const take = () => {
    const other = otherDesk();
    if (!other) return;
    board.change(other[1].board.leaves.map((one) => ({ ...one })), new Set());
    for (const id of other[1].placed) placed.add(id);
    grid.refresh();
    changed();
    root.focus();
  };
  let grid;
  /** @param {string} id */
  const counts = (id) => files.find(id)?.doc?.count || 0;
  /** What this tool's board has of its own. @type {import("./app_modes.js").Mode | null} */
  let own = null;
  let wasGone = true; // What an earlier visit deleted takes the focus from nothing.

  const changed = () => {
    const n = board.selected.size;
    const count = board.leaves.length;
    const parts = board.starts().length;
    at("chosen").textContent = n ? t("chosenOf", { n, count }) : t("pagesCount", { n: count });
    for (const one of bar.querySelectorAll("[data-needs]")) one.disabled = n === 0;
    at("select-all").lastElementChild.textContent = t(count > 0 && n === count ? "selectNone" : "selectAll");
    at("undo").disabled = !board.past.length;
    at("redo").disabled = !board.future.length;
    const several = new Set(board.leaves.map((one) => one.file)).size;
    own?.follow();
    const said = own?.go();
    if (said) put(go, icon(said.icon), el("span", null, said.words));
    else put(go, icon(parts > 1 ? "split" : several > 1 ? "merge" : "check"), el("span", null, parts > 1 ? t("makeParts", { n: parts }) : several > 1 ? goWords("merge", several) : t("makeOne", { n: count })));
    held.fit();
    called.hidden = count === 0;
    named();
    const gone = count === 0 && placed.size > 0 && board.past.length > 0;
    empty.querySelector(".lead").textContent = t(gone ? "allDeleted" : "boardEmpty");
    back.hidden = !gone;
    root.hidden = count === 0;
    bar.hidden = count === 0 && !board.past.length && !board.future.length;
    empty.hidden = count > 0 || !left.hidden;
    help.hidden = count === 0;
    hint.hidden = count < 2 || Boolean(picks);
    const other = picks ? undefined : otherDesk();
    goOn.hidden = !other;
    if (other) put(goOn, el("p", null, t("arrangedElsewhere", { tool: other[0] ? toolTitle(other[0]) : t("arrange") })), button("after", t("arrangedTake"), take, { className: "quiet", id: "take-arranged" }));
    side.hidden = count === 0 && files.items.length === 0;
    if (mode !== "split" && !own?.picks) at("no-splits").hidden = parts < 2;
    if (!said?.refuses) problem.textContent = "";
    remember();
    if (gone && !wasGone) back.focus();
    wasGone = gone;
  };
  const act = {
    change(does, said, values) {
      does();
      grid.refresh();
      changed();
      if (said) say(t(said, { n: board.selected.size, ...values }));
    },
    turn: (degrees) => act.change(() => board.rotate(degrees, mode === "rotate" && !board.selected.size ? new Set(board.leaves.map((one) => one.id)) : undefined), "rotated"),
    undo: () => act.change(() => board.undo(), "undone"),
    redo: () => act.change(() => board.redo(), "redone"),
    all: () => {
      const every = board.selected.size === board.leaves.length;
      board.selected = new Set(every ? [] : board.leaves.map((one) => one.id));
      changed();
      grid.draw();
    },
    look: () => open(board.places()[0] ?? grid.current),
    zoom: (event) => {
      grid.size = SIZES[Number(event.target.value)];
      kept.write("zoom", Number(event.target.value));
      grid.layout();
    },
  };
  const open = async (index) => {
    const leaf = board.leaves[index];
    if (!leaf || leaf.blank) return;
    (await import("./app_viewer.js")).lookAt(files.find(leaf.file), leaf.n, leaf.turn);
  };
  const keys = (event) => {
    const word = event.key.toLowerCase();
    const control = event.ctrlKey || event.metaKey;
    const some = board.selected.size > 0;
    if (own?.picks && word !== "escape") return false;
    if (control && word === "z") return act[event.shiftKey ? "redo" : "undo"](), true;
    if (control && word === "y") return act.redo(), true;
    if (control && word === "d") return some && act.change(() => board.duplicate(), "duplicated"), true;
    if (control) return false;
    if (event.altKey && (word === "arrowleft" || word === "arrowright")) {
      const forward = (word === "arrowright") !== (document.documentElement.dir === "rtl");
      if (some) {
        act.change(() => board.nudge(forward ? 1 : -1), "moved");
        grid.current = board.places()[0];
        grid.reveal(grid.current);
        grid.draw();
        say(t("movedTo", { name: t("pagesCount", { n: board.selected.size }), n: board.places()[0] + 1 }));
      }
      return true;
    }
    if (!some || event.altKey) return false;
    if (word === "delete" || word === "backspace") return act.change(() => board.remove(), "deletedPages"), true;
    if (word === "r") return act.change(() => board.rotate(event.shiftKey ? 270 : 90), "rotated"), true;
    if (word === "s") return act.change(() => board.cut(), "splitMade"), true;
    if (word === "escape") return (board.selected = new Set()), changed(), grid.draw(), true;
    return false;
  };
  /** To one page, what was pressed on it. */
  const does = (what, index) => {
    const one = new Set([board.leaves[index].id]);
    if (what === "look") open(index);
    else if (what === "cut") act.change(() => board.cut([index]), "splitMade");
    else if (what === "delete") act.change(() => board.remove(one), "deletedPages");
    else act.change(() => board.rotate(90, one), "rotated");
  };
  if (mode && mode !== "merge") own = (await import("./app_modes.js")).modeOf(mode, { board, counts, change: act.change, changed: () => changed(), draw: () => grid.draw(), turn: act.turn });
  const picks = own?.picks;
  const bar = toolbar(act, mode, picks);
  const back = button("undo", t("undo"), () => {
    act.undo();
    root.focus();
  }, { id: "undo-all", hidden: true });
  empty.querySelector(".hero-actions").prepend(back);
  const hint = el("p", { className: "hint", id: "board-hint" }, howTo("boardHint"));
  const help = el("details", { id: "board-help-box" }, el("summary", null, t("keys")), el("p", { className: "hint", id: "board-help" }, t("boardHelp")));
  const side = el("div", { className: "board-side card" }, own?.node, go, problem,
    el("div", null, el("div", { className: "card-head" }, el("h3", null, t("yourFiles")), sorting.made), list, chooser("choose", t("addFiles"), { accept: ".pdf" })),
    !picks && el("details", { className: "more" }, el("summary", null, t("moreOptions")), orderField(act), mode !== "split" && splitHelp(act)));
  const name = el("input", { id: "output-name", type: "text", maxLength: 200, dir: "auto", autocomplete: "off", spellcheck: false });
  const called = el("div", { className: "field called", hidden: true }, el("label", { for: "output-name" }, t("resultName")), name);
  /** What the result will be called, if no name is typed. */
  const usual = () => {
    const file = files.find(board.leaves.find((one) => !one.blank)?.file);
    const several = new Set(board.leaves.map((one) => one.file)).size > 1;
    return file ? usualName(file.name, board.starts().length > 1 || mode === "split" ? "split" : mode === "extract-pages" ? mode : several ? "merge" : mode === "rotate" ? mode : "pages") : "";
  };
  const named = () => (name.placeholder = usual());
  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, title), el("p", { className: "lead" }, mode ? toolSummary(mode) : t("arrangeLead"))), called),
    bar, goOn, left, signed, el("div", { className: "board-main" }, el("div", null, empty, hint, root, help), side));

  root.classList.toggle("picks", Boolean(picks));
  root.classList.toggle("deletes", mode === "delete");
  grid = new Grid(root, board, { changed, open, key: keys, moved: () => (changed(), grid.refresh(), say(t("moved", { n: board.selected.size }))), does },
    { picks, scissors: mode === "split" ? scissors : undefined });
  pageTools(root, [["zoom", "look", t("look")], ...(picks ? [] : [["right", "turn", t("rotateRight")], ["trash", "delete", t("deletePage")]])]);
  const zoom = kept.read("zoom", matchMedia("(max-width: 42rem)").matches ? 1 : 2);
  at("zoom").value = zoom;
  grid.size = SIZES[zoom] || 160;

  /** Files whose pages are drawn. */
  const shown = new Set();
  /** Files with their pages on the board, as the list had them. @type {string[]} */
  let listed = [];
  const placedNow = () => files.items.filter((one) => placed.has(one.id)).map((one) => one.id);
  /** Where pages are selected, files come after them in their order: one waits for those before it. */
  const waits = (item) => board.selected.size > 0 && !picks && files.items.some((one) => rank(one.id) < rank(item.id) && !placed.has(one.id) && !one.broken && !one.locked &&
    (one.state === "sending" || one.state === "waiting" || hasPages(one)));
  /** Files whose pages were asked for. @type {Set<string>} */
  const asked = new Set();
  /** Pages of files that are new come to their place (Board.addFile); those of files that are gone leave; files that were moved move. */
  const sync = () => {
    const { moved } = files;
    const here = new Set(files.items.map((one) => one.id));
    if ([...placed].some((id) => !here.has(id))) {
      board.keepFiles(here);
      for (const id of placed) if (!here.has(id)) placed.delete(id);
    }
    const before = listed.filter((id) => placed.has(id));
    if (before.join() !== placedNow().filter((id) => before.includes(id)).join()) board.orderFiles(rank, moved);
    for (const item of files.items.filter(hasPages)) {
      if (!item.doc) {
        // What is above the board says why there are no pages, and asks for a password.
        if (!asked.has(item.id)) documentOf(item).then(() => root.isConnected && sync(), () => asked.delete(item.id));
        asked.add(item.id);
      } else if (placed.has(item.id)) {
        if (!shown.has(item.id)) grid.renew(item.id);
        shown.add(item.id);
      } else if (!waits(item)) {
        const chosen = board.selected.size > 0 && !picks;
        placed.add(item.id);
        shown.add(item.id);
        board.addFile(item.id, item.doc.count, rank, picks);
        if (chosen) say(t("insertedFile", { name: item.name, n: board.places()[0] + 1 }));
      }
    }
    listed = placedNow();
    grid.refresh();
    changed();
  };
  const settled = (event) => event.detail.state === "ready" && sync();
  const stops = [held.stop, tray(list, { asks: false, order: true }), leftOut(left, () => lackOfPages), signedNote(signed, mode || "merge"), sorting.stop];
  /** The board's keys work while nothing else takes them. */
  const pressed = (event) => {
    const { target } = event;
    const taken = event.defaultPrevented || root.contains(target) || target.closest?.("input, select, textarea, [contenteditable], dialog") || document.querySelector("dialog[open]");
    const presses = target.closest?.("button, a, summary") && [" ", "Enter"].includes(event.key);
    if (!taken && !presses && board.leaves.length && !main.classList.contains("done") && keys(event)) event.preventDefault();
  };
  document.addEventListener("keydown", pressed);
  stops.push(() => document.removeEventListener("keydown", pressed));
  await restore();
  if (board.touched) listed = placedNow();
  else board.orderFiles(rank);
  files.addEventListener("list", sync);
  files.addEventListener("change", settled);
  sync();

  go.addEventListener("click", async () => {
    problem.textContent = own?.go()?.refuses || "";
    if (problem.textContent) return;
    const closed = files.items.find((one) => !one.doc && board.leaves.some((leaf) => leaf.file === one.id));
    if (closed) {
      problem.textContent = t("unlockFirst", { name: closed.name });
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-file="${closed.id}"] input`))?.focus();
      return;
    }
    if (!(await goesOn(lackOfPages))) return;
    busy = true;
    held.fit();
    try {
      const plan = own ? own.plan() : planOf(board, counts);
      const used = plan.files.map((id) => files.find(id));
      const { refs, password, end } = await opened(used);
      const common = [...(password !== undefined ? [["inputPassword", password]] : []), ["outputName", name.value.trim() || usual()]];
      let job;
      openScreen(() => {
        grid.layout();
        go.focus();
      }, 1);
      const first = used[0].name + (used.length > 1 ? ` + ${used.length - 1}` : "");
      if (plan.steps.length === 1) {
        const [step] = plan.steps;
        const field = step.tool === "merge" ? "files" : "file";
        job = await start(step.tool, first, [...refs.map((one) => [field, one]), ...Object.entries(step.params), ...common], mode || "pages");
      } else {
        if (password !== undefined) plan.steps[0].params.inputPassword = password;
        job = await start("pipeline", first, [...refs.map((one) => ["files", one]), ["steps", JSON.stringify(plan.steps)], ...common.filter(([field]) => field !== "inputPassword")], mode || "pages");
      }
      job.ended.then(end).then(named);
      lookAtScreen();
      say(t("sent"));
    } catch (error) {
      closeScreen();
      put(problem, error.message, inEnglish(error.detail));
    }
    busy = false;
    held.fit();
  });

  return {
    title,
    leave() {
      for (const stop of stops) stop();
      grid.leave();
      files.removeEventListener("list", sync);
      files.removeEventListener("change", settled);
    },
  };
}
