// The operations of the tool "pages" as rows of controls: each can be changed, moved and removed, and the JSON that the
// API takes is made of them. What a row does not say is left out, so that the server's default counts.

import { el, icon, iconButton, put, say } from "./app_dom.js";
import { choiceWords, paramWords, t } from "./app_i18n.js";
import { POINT } from "./app_plan.js";

const MOST = 50; // operations, as the server says

/** The lines of their pictures, as those of app_dom.js. */
const LINES = {
  crop: "M7 2v15h15M2 7h15v15", nup: "M3 5h18v14H3zM12 5v14", booklet: "M12 6c-2-2-5-2-9-2v14c4 0 7 0 9 2 2-2 5-2 9-2V4c-4 0-7 0-9 2zM12 6v14",
  poster: "M4 3h16v18H4zM12 3v18M4 12h16", resize: "M4 4h16v16H4zM9 9l6 6m0-4v4h-4M13 9H9v4", scale: "M3 21V3h14M3 21h18V9M8 16l7-7m-5 0h5v5",
  split: "M3 5h18v14H3zM12 2v3m0 2v3m0 2v3m0 2v3m0 2v1", reverse: "M7 20V5m0 0L3 9m4-4 4 4M17 4v15m0 0 4-4m-4 4-4-4", blank: "M6 3h12v18H6zM12 9v6M9 12h6",
  delete: "M14 3H6v18h12V7zM9 11l6 6m0-6-6 6", duplicate: "M9 9h11v11H9zM5 15H4V4h11v1", reorder: "M4 7h10M4 12h7M4 17h4M17 6v12m0 0-3-3m3 3 3-3", compose: "M5 3h14v18H5zM8 7h8M8 17h3",
};

/** @typedef {{name: string, kind: string, choices?: string[], min?: number, max?: number, step?: number, preset?: any, needed?: boolean, label?: string}} Key */

/** @type {Record<string, Key>} */
const KEYS = {
  pages: { name: "pages", kind: "list" }, which: { name: "pages", kind: "list", needed: true, label: "which" }, source: { name: "source", kind: "list" },
  after: { name: "after", kind: "list", needed: true }, size: { name: "size", kind: "paper" }, paper: { name: "size", kind: "paper", needed: true },
  margin: { name: "margin", kind: "length", max: 1000 }, gap: { name: "gap", kind: "length", max: 1000 }, overlap: { name: "overlap", kind: "length", max: 1000 },
  columns: { name: "columns", kind: "number", min: 1, max: 20, step: 1, needed: true }, rows: { name: "rows", kind: "number", min: 1, max: 20, step: 1, needed: true },
  count: { name: "count", kind: "number", min: 1, max: 100, step: 1, preset: 1 }, fit: { name: "fit", kind: "choice", choices: ["contain", "stretch"] },
  factor: { name: "factor", kind: "percent", min: 1, max: 10000, needed: true }, order: { name: "order", kind: "choice", choices: ["rows", "columns"] },
  direction: { name: "direction", kind: "choice", choices: ["ltr", "rtl"] }, at: { name: "at", kind: "percent", min: 10, max: 90, preset: 0.5 },
  every: { name: "every", kind: "check" }, place: { name: "place", kind: "choice", choices: ["over", "under"] },
};

/** What each operation begins with, its keys in sight, and those that are folded away. @type {Record<string, {begin: any, keys: Key[], more: Key[], own?: string}>} */
const OPERATIONS = {
  crop: { begin: { margins: 28.35 }, keys: [], more: [KEYS.pages], own: "crop" },
  nup: { begin: { columns: 2, rows: 1 }, keys: [KEYS.size], more: [KEYS.columns, KEYS.rows, KEYS.margin, KEYS.gap, KEYS.order, KEYS.direction], own: "nup" },
  booklet: { begin: {}, keys: [KEYS.size], more: [KEYS.margin, KEYS.gap, KEYS.direction] },
  poster: { begin: { columns: 2, rows: 2 }, keys: [KEYS.columns, KEYS.rows, KEYS.size], more: [KEYS.overlap, KEYS.pages] },
  resize: { begin: { size: "a4" }, keys: [KEYS.paper, KEYS.fit], more: [KEYS.pages] },
  scale: { begin: { factor: 0.5 }, keys: [KEYS.factor], more: [KEYS.pages] },
  split: { begin: {}, keys: [KEYS.direction], more: [KEYS.at, KEYS.every, KEYS.pages] },
  reverse: { begin: {}, keys: [], more: [] },
  blank: { begin: { after: "last" }, keys: [KEYS.after, KEYS.count], more: [KEYS.size] },
  delete: { begin: { pages: "last" }, keys: [KEYS.which], more: [] },
  duplicate: { begin: {}, keys: [KEYS.pages, KEYS.count], more: [] },
  reorder: { begin: { pages: "last" }, keys: [KEYS.which], more: [] },
  compose: { begin: {}, keys: [KEYS.place], more: [KEYS.source, KEYS.pages] },
};

const SIDES = ["top", "right", "bottom", "left"];
/** Columns and rows of the pictures for several pages on a sheet. */
const GRIDS = [[2, 1], [2, 2], [3, 3]];
const PAPERS = [["a4", "a4"], ["297x420mm", "a3"], ["148x210mm", "a5"], ["letter", "letter"], ["legal", "legal"]];

const words = (name) => paramWords("operations", name, "");
const choice = (name, value) => choiceWords("operations", name, value);
export const operationTitle = (op) => choice("op", op);
const millimetres = (points) => String(Math.round(points * POINT * 10) / 10);
const points = (mm) => Math.round((Number(mm) / POINT) * 100) / 100;

let serial = 0;

function picture(op) {
  const made = icon("file");
  made.firstElementChild.setAttribute("d", LINES[op] || LINES.compose);
  return made;
}

/** A label and what it names. @param {string} label @param {HTMLElement} control @param {...any} more */
function named(label, control, ...more) {
  control.id = `op-${++serial}`;
  return el("div", { className: "op-field" }, el("label", { for: control.id }, label), control, ...more);
}

/** A number in the reader's measure. @param {any} is @param {(value: number | undefined) => void} set  undefined: nothing, or what cannot be */
function numberOf(is, set) {
  const control = el("input", { type: "number", inputMode: "decimal", step: "any", ...is });
  control.addEventListener("input", () => {
    control.setAttribute("aria-invalid", String(!control.validity.valid));
    set(control.validity.valid && control.value !== "" ? Number(control.value) : undefined);
  });
  return control;
}

/** The sizes of paper, and one of one's own in millimetres. */
function paperOf(op, key, changed) {
  const { size } = op;
  const own = new Option(t("ownSize"), "own");
  const select = el("select", null, !key.needed && new Option(choice("size", "same"), ""),
    ...PAPERS.map(([value, name]) => new Option(choiceWords("jpg-to-pdf", "pageSize", name), value)), own);
  const found = /^\s*([\d.]+)\s*x\s*([\d.]+)\s*mm\s*$/i.exec(size || "");
  const usual = PAPERS.some(([value]) => value === size);
  const sides = ["width", "height"].map((name, i) => numberOf({ min: 2, max: 5080, required: true, value: found && !usual ? found[i + 1] : "" }, () => read()));
  const box = el("div", { className: "op-pair", hidden: true }, named(t("width"), sides[0]), named(t("height"), sides[1]));
  const read = () => {
    box.hidden = select.value !== "own";
    op.size = select.value === "own" ? (sides.every((one) => one.value && one.validity.valid) ? `${sides[0].value}x${sides[1].value}mm` : undefined) : select.value || undefined;
    changed();
  };
  select.value = !size ? (key.needed ? "a4" : "") : usual ? size : "own";
  box.hidden = select.value !== "own";
  select.addEventListener("change", () => {
    if (select.value === "own" && !sides[0].value) [sides[0].value, sides[1].value] = ["210", "297"];
    read();
  });
  return named(words("size")[0], select, box);
}

/** The control of a key. @param {any} op @param {Key} key @param {() => void} changed */
function fieldOf(op, key, changed) {
  const { name, kind } = key;
  const [label, help] = words(key.label || name);
  const set = (value) => {
    op[name] = value;
    changed();
  };
  if (kind === "paper") return paperOf(op, key, changed);
  if (kind === "check") {
    const box = el("input", { type: "checkbox", checked: op[name] === true, onchange: () => set(box.checked || undefined), id: `op-${++serial}` });
    return el("div", { className: "op-check" }, box, el("label", { for: box.id }, label));
  }
  if (kind === "choice") {
    const select = el("select", { onchange: () => set(select.value === key.choices[0] ? undefined : select.value) }, ...key.choices.map((one) => new Option(choice(name, one), one)));
    select.value = op[name] || key.choices[0];
    return named(label, select);
  }
  if (kind === "number" || kind === "percent" || kind === "length") {
    const factor = kind === "percent" ? 100 : 1;
    const now = op[name] ?? key.preset;
    const shown = now === undefined ? "" : kind === "length" ? millimetres(now) : String(Math.round(now * factor * 100) / 100);
    return named(label, numberOf({ min: key.min ?? 0, max: kind === "length" ? 352 : key.max, step: key.step || "any", required: key.needed, value: shown },
      (value) => set(value === undefined ? undefined : kind === "length" ? points(value) : value / factor)));
  }
  const input = el("input", { type: "text", value: op[name] ?? "", autocomplete: "off", spellcheck: false, dir: "ltr", required: key.needed,
    placeholder: key.needed ? "" : t("allPages"), oninput: () => set(input.value.trim() || undefined) });
  return named(label, input, help && el("p", { className: "hint" }, help));
}

/** Crop by margins, by what is drawn, or to a box. */
function cropFields(op, changed, redraw) {
  const way = op.auto ? "auto" : op.box ? "box" : "margins";
  const select = el("select", { onchange: () => {
    for (const one of ["margins", "auto", "box", "padding"]) delete op[one];
    Object.assign(op, { margins: { margins: 28.35 }, auto: { auto: true }, box: { box: [0, 0, 300, 400] } }[select.value]);
    redraw();
  } }, ...["margins", "auto", "box"].map((one) => new Option(choice("crop", one), one)));
  select.value = way;
  if (way === "auto")
    return [named(words("crop")[0], select), named(words("padding")[0], numberOf({ min: 0, max: 352, value: op.padding ? millimetres(op.padding) : "" }, (value) => {
      op.padding = value ? points(value) : undefined;
      changed();
    }))];
  const names = way === "box" ? ["left", "top", "boxWidth", "boxHeight"] : SIDES;
  const values = way === "box" ? op.box : Array.isArray(op.margins) ? op.margins : Array(4).fill(op.margins);
  const inputs = names.map((name, i) => named(words(name)[0], numberOf({ min: way === "box" && i > 1 ? 2 : 0, max: 5080, required: true, value: millimetres(values[i]) }, (value) => {
    values[i] = value === undefined ? 0 : points(value);
    op[way] = way === "margins" && values.every((one) => one === values[0]) ? values[0] : [...values];
    changed();
  })));
  return [named(words("crop")[0], select), el("div", { className: "op-four", role: "group", "aria-label": choice("crop", way) }, ...inputs)];
}

/** Two, four or nine pages on a sheet, as pictures. */
function gridFields(op, changed, redraw) {
  const group = `op-grid-${++serial}`;
  return [el("div", { className: "cards op-grids", role: "radiogroup", "aria-label": operationTitle("nup") }, ...GRIDS.map(([columns, rows]) => {
    const input = el("input", { type: "radio", name: group, value: `${columns}x${rows}`, checked: op.columns === columns && op.rows === rows, onchange: () => {
      Object.assign(op, { columns, rows });
      redraw(`input[value="${columns}x${rows}"]`);
    } });
    const cells = el("span", { className: `op-grid${columns > rows ? " lying" : ""}`, "aria-hidden": "true" }, ...Array.from({ length: columns * rows }, () => el("i")));
    cells.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    return el("label", { className: "card-choice" }, input, cells, el("span", { className: "card-words" }, t("perSheet", { n: columns * rows })));
  }))];
}

/** Whether a picture says what a key does. */
const inGrid = (op, name) => op.op === "nup" && /^(columns|rows)$/.test(name) && GRIDS.some(([columns, rows]) => op.columns === columns && op.rows === rows);

const OWN = { crop: cropFields, nup: gridFields };

/** The operations of a text; null if it is no list of objects. @param {string} text @returns {any[] | null} */
export function operationsOf(text) {
  try {
    const list = JSON.parse(text || "[]");
    return Array.isArray(list) && list.every((one) => one && typeof one === "object" && typeof one.op === "string") ? list : null;
  } catch {
    return null;
  }
}

/** What is wrong with the operations before they are sent: an empty list, or a key that is needed and empty. @param {string} text */
export function wrongOperations(text) {
  const list = operationsOf(text);
  if (!list?.length) return t("opsNone");
  const empty = list.findIndex((op) => OPERATIONS[op.op]?.keys.some((key) => key.needed && op[key.name] === undefined) || (op.op === "nup" && !(op.columns && op.rows)));
  return empty < 0 ? "" : `${empty + 1}. ${operationTitle(list[empty].op)}: ${t("wrongMissing")}`;
}

/**
 * The rows for a control of a form, which has their JSON as its value.
 * @param {HTMLInputElement} control @param {HTMLElement} place  where they are drawn @returns {() => void} draws them anew from the control's value
 */
export function operationsEditor(control, place) {
  /** @type {any[]} */
  let list = [];
  let written = "";
  const rows = el("ol", { className: "op-rows" });
  const text = el("textarea", { rows: 3, dir: "ltr", spellcheck: false, autocomplete: "off", className: "op-text", "aria-label": "JSON" });
  const problem = el("p", { className: "error", role: "alert" });
  const adders = el("div", { className: "op-adders" }, ...Object.keys(OPERATIONS).map((op) =>
    el("button", { type: "button", className: "quiet", "data-op": op, onclick: () => add(op) }, picture(op), el("span", null, operationTitle(op)))));
  const adding = el("details", { className: "op-add" }, el("summary", null, icon("add"), el("span", null, t("opAdd"))), adders);
  const tell = () => {
    written = list.length ? JSON.stringify(list) : "";
    control.value = text.value = written;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };

  function rowOf(op, i) {
    const about = OPERATIONS[op.op];
    const redraw = (focus = "select") => {
      const row = rowOf(op, i);
      rows.children[i].replaceWith(row);
      tell();
      /** @type {HTMLElement | null} */ (row.querySelector(focus))?.focus();
    };
    const more = about?.more.length ? el("details", { className: "op-more", open: about.more.some((key) => op[key.name] !== undefined && !inGrid(op, key.name)) },
      el("summary", null, t("moreOptions")), ...about.more.map((key) => fieldOf(op, key, tell))) : null;
    const title = operationTitle(op.op);
    const row = el("li", { className: "op-row", "data-op": op.op },
      el("div", { className: "op-head" }, picture(op.op), el("strong", null, title),
        iconButton("up", t("moveUp", { name: title }), () => move(i, -1), { className: "icon-button op-up", disabled: i === 0 }),
        iconButton("down", t("moveDown", { name: title }), () => move(i, 1), { className: "icon-button op-down", disabled: i + 1 === list.length }),
        iconButton("trash", t("removeNamed", { name: title }), () => remove(i), { className: "icon-button op-remove" })),
      ...(about?.own ? OWN[about.own](op, tell, redraw) : []), ...(about ? about.keys.map((key) => fieldOf(op, key, tell)) : []), more);
    return row;
  }

  function draw() {
    put(rows, ...list.map(rowOf));
    rows.hidden = list.length === 0;
    adding.open = list.length === 0;
    for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (adders.querySelectorAll("button"))) one.disabled = list.length >= MOST;
  }
  function add(op) {
    list.push({ op, ...structuredClone(OPERATIONS[op].begin) });
    draw();
    tell();
    const row = /** @type {HTMLElement} */ (rows.lastElementChild);
    /** @type {HTMLElement | null} */ (row.querySelector("select, input:checked, input, summary") || row.querySelector(".op-remove"))?.focus();
    row.scrollIntoView({ block: "nearest" });
    say(t("opAdded", { name: operationTitle(op), n: list.length }));
  }
  function move(i, by) {
    const [one] = list.splice(i, 1);
    list.splice(i + by, 0, one);
    draw();
    tell();
    const row = rows.children[i + by];
    /** @type {HTMLElement} */ (row.querySelector(`.op-${by < 0 ? "up" : "down"}:not(:disabled)`) || row.querySelector(".icon-button:not(:disabled)")).focus();
    say(t("movedTo", { name: operationTitle(one.op), n: i + by + 1 }));
  }
  function remove(i) {
    const [one] = list.splice(i, 1);
    draw();
    tell();
    /** @type {HTMLElement | null} */ (rows.children[Math.min(i, list.length - 1)]?.querySelector(".op-remove") || adding.querySelector("summary")).focus();
    say(t("removed", { name: operationTitle(one.op) }));
  }

  text.addEventListener("input", (event) => event.stopPropagation());
  text.addEventListener("change", (event) => {
    event.stopPropagation();
    const found = operationsOf(text.value);
    problem.textContent = found ? "" : t("opsNoList");
    text.setAttribute("aria-invalid", String(!found));
    if (!found) return;
    list = found;
    draw();
    tell();
  });
  put(place, rows, adding, el("details", { className: "op-json" }, el("summary", null, t("opsText")), text, problem));
  control.focus = () => /** @type {HTMLElement} */ (rows.querySelector("[aria-invalid=true], :invalid") || adding.querySelector("summary")).focus();
  const read = () => {
    if (control.value === written && rows.childElementCount === list.length) return;
    list = operationsOf(control.value) || [];
    written = control.value;
    text.value = control.value;
    draw();
  };
  control.addEventListener("input", read);
  written = "\0";
  read();
  return read;
}
