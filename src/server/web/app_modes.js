// What the board of each tool has of its own, next to the pages: which way a document is split, which pages
// are taken out, which way they are turned.

import { Board, isWhole, listOf, planOf, readOrder } from "./app_board.js";
import { button, el } from "./app_dom.js";
import { goWords, t } from "./app_i18n.js";

/**
 * @typedef {Object} Context
 * @property {Board} board
 * @property {(file: string) => number} counts  pages of a file
 * @property {(does: () => void, said?: string, values?: Record<string, any>) => void} change  changes the board
 * @property {() => void} changed  what is drawn follows
 * @property {() => void} draw  the pages are drawn anew
 * @typedef {{icon: string, words: string, refuses?: string}} Go  what the button shows; refuses: why it does nothing
 * @typedef {{files: string[], steps: {tool: string, params: Record<string, string>}[]}} Plan
 * @typedef {Object} Mode
 * @property {HTMLElement} node
 * @property {() => void} follow  the board changed
 * @property {() => Go | null} go  null: as on every board
 * @property {() => Plan} plan
 * @property {boolean} [picks]  a press chooses a page, and the board stays as it is
 */

const number = (id, value, is) => el("input", { id, type: "number", min: 1, step: 1, value, inputMode: "numeric", ...is });

/** Ways to split. @param {Context} context @returns {Mode} */
function splitMode({ board, counts, change, changed }) {
  const every = number("every", 1);
  const size = number("split-size", 10, { min: 0.01, step: "any", inputMode: "decimal" });
  const level = el("select", { id: "split-level" }, ...[1, 2, 3].map((n) => new Option(t("splitLevel", { n }), String(n))));
  const blank = el("select", { id: "split-blank" }, ...["drop", "keep", "remove"].map((one) => new Option(t(`splitBlank_${one}`), one)));
  const controls = { every, size, level, blank };
  const params = {
    size: () => ({ maxSize: String(Math.max(1000, Math.round(Number(size.value) * 1e6))) }),
    level: () => ({ level: level.value }),
    blank: () => ({ blank: blank.value }),
  };
  let way = "own";
  /** Whether nothing was done to the pages of one file. */
  const isUnchanged = () => new Set(board.leaves.map((one) => one.file)).size < 2 && board.leaves.every((one) => !one.turn && !one.cut) && isWhole(board.leaves, counts);
  const choose = (name) => {
    way = name;
    node.querySelector(`#way-${name}`).checked = true;
    for (const [one, control] of Object.entries(controls)) control.closest(".way-more").hidden = one !== name;
    const cuts = board.starts().length > 1;
    if (name === "every") change(() => board.cutEvery(Math.max(1, Number(every.value) || 1)), "splitMade");
    else if (name !== "own" && cuts) change(() => board.cutEvery(0), "splitsGone");
    else changed();
  };
  const choice = (name, words, control, label) => el("div", { className: "way" },
    el("label", null, el("input", { type: "radio", name: "way", id: `way-${name}`, checked: name === "own", onchange: () => choose(name) }), el("span", null, words)),
    control && el("div", { className: "way-more", hidden: true }, el("label", { className: "unseen", for: control.id }, label || words), control));
  every.addEventListener("input", () => choose("every"));
  const none = button("close", t("noSplits"), () => {
    choose("own");
    change(() => board.cutEvery(0), "splitsGone");
  }, { className: "quiet", id: "no-splits" });
  const node = el("fieldset", { className: "ways", id: "ways" }, el("legend", null, t("splitHow")),
    choice("own", t("splitOwn")), choice("every", t("splitEvery"), every), choice("size", t("splitSize"), size),
    choice("level", t("splitOutline"), level), choice("blank", t("splitBlank"), blank), none);
  return {
    node,
    follow() {
      const cuts = board.starts().length > 1;
      none.hidden = !cuts;
      // Scissors are a way of their own, as are cuts that were taken back.
      if ((cuts && way !== "every" && way !== "own") || (!cuts && way === "every" && board.leaves.length > 1)) choose("own");
    },
    go: () => (way in params ? { icon: "split", words: goWords("split", 1) }
      : isUnchanged() ? { icon: "split", words: goWords("split", 1), refuses: t("splitNone") } : null),
    plan: () => planOf(board, counts, params[way]?.()),
  };
}

/** Whether the pages are those of one file, as they stand there. */
const isAsInFile = (leaves) => leaves.every((one, i) => !one.turn && !one.blank && one.file === leaves[0].file && (i === 0 || one.n > leaves[i - 1].n));

/** Pages are chosen, to be taken out or to be removed. @param {"extract-pages" | "delete"} mode @param {Context} context @returns {Mode} */
function pickMode(mode, { board, counts, changed, draw }) {
  const takes = mode === "extract-pages";
  const input = el("input", { id: "picked", type: "text", placeholder: "1-3,5", dir: "ltr", autocomplete: "off", spellcheck: false, "aria-describedby": "picked-hint picked-error" });
  const error = el("p", { className: "error", id: "picked-error", role: "alert" });
  const each = el("input", { id: "each", type: "checkbox", onchange: () => changed() });
  let typing = false;
  input.addEventListener("input", () => {
    const places = input.value.trim() ? readOrder(input.value, board.leaves.length) : [];
    error.textContent = places ? "" : t("orderWrong", { count: board.leaves.length });
    input.setAttribute("aria-invalid", String(!places));
    if (!places) return;
    typing = true;
    board.selected = new Set(places.map((index) => board.leaves[index].id));
    changed();
    draw();
    typing = false;
  });
  const node = el("div", { className: "picks" },
    el("div", { className: "field" }, el("label", { for: "picked" }, t(takes ? "pagesToExtract" : "pagesToDelete")), input, el("p", { className: "hint", id: "picked-hint" }, t("pickHint")), error),
    takes && el("div", { className: "field check" }, each, el("div", null, el("label", { for: "each" }, t("eachOwn")))));
  const chosen = () => board.leaves.filter((one) => board.selected.has(one.id) === takes);
  return {
    node,
    picks: true,
    follow() {
      if (typing) return;
      input.value = listOf(board.places());
      error.textContent = "";
      input.removeAttribute("aria-invalid");
    },
    go() {
      const n = board.selected.size;
      const refuses = n === 0 ? t("pickNone") : !takes && n === board.leaves.length ? t("pickAll") : undefined;
      return { icon: mode, words: n ? t(takes ? "extractPages" : "deleteSome", { n }) : t(takes ? "extractNone" : "deletePages"), refuses };
    },
    plan() {
      const { leaves } = board;
      const whole = isAsInFile(leaves) && counts(leaves[0].file) === leaves.length;
      if (whole) return { files: [leaves[0].file], steps: [{ tool: "split", params: { pages: listOf(board.places()), mode: takes ? (each.checked ? "each" : "extract") : "remove" } }] };
      const rest = new Board();
      rest.leaves = chosen().map((one, i) => ({ ...one, cut: takes && each.checked && i > 0 }));
      return planOf(rest, counts);
    },
  };
}

/** All pages, or those that are chosen, are turned. @param {Context & {turn: (degrees: number) => void}} context @returns {Mode} */
function turnMode({ board, counts, turn }) {
  const words = el("p", { className: "hint" });
  const node = el("div", { className: "turns" }, words, el("div", { className: "row" },
    button("left", t("rotateLeft"), () => turn(270), { id: "turn-left", className: "quiet" }), button("right", t("rotateRight"), () => turn(90), { id: "turn-right", className: "quiet" })));
  return {
    node,
    follow: () => (words.textContent = board.selected.size ? t("chosenOf", { n: board.selected.size, count: board.leaves.length }) : t("turnsAll")),
    go: () => ({ icon: "rotate", words: goWords("rotate", 1), refuses: board.touched ? undefined : t("turnNone") }),
    plan: () => planOf(board, counts),
  };
}

/** @param {string} mode @param {Context & {turn: (degrees: number) => void}} context @returns {Mode | null} */
export function modeOf(mode, context) {
  if (mode === "split") return splitMode(context);
  if (mode === "rotate") return turnMode(context);
  return mode === "extract-pages" || mode === "delete" ? pickMode(mode, context) : null;
}
