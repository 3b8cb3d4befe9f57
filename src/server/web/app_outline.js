// The bookmarks of a document as rows: title, page and level. The rows begin with those that the document has, or with
// its headings; the JSON that the API takes is made of them once something was changed.

import { ask, finished, here, submit } from "./app_api.js";
import { button, el, iconButton, put, say } from "./app_dom.js";
import { files, refOf } from "./app_files.js";
import { t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { sheet } from "./app_sheet.js";

const DEEPEST = 32; // levels, as the server says
const MOST = 2000; // rows; longer lists are changed as text

/** @typedef {{level: number, item: any}} Row  item: as the API has it, without its children */

/** @param {any[]} items @param {number} [level] @returns {Row[]} */
const flat = (items, level = 0) => items.flatMap(({ children, ...item }) => [{ level, item }, ...flat(children || [], level + 1)]);

/** @param {Row[]} rows @returns {any[]} */
function nested(rows) {
  const top = [];
  const open = [top];
  for (const { level, item } of rows) {
    const made = { ...item };
    open.length = level + 1;
    open[level].push(made);
    open[level + 1] = made.children = [];
  }
  const bare = (list) => list.map(({ children, ...rest }) => (children.length ? { ...rest, children: bare(children) } : rest));
  return bare(top);
}

/** No row is more than one level below the one before it. @param {Row[]} rows */
function settle(rows) {
  rows.forEach((row, i) => (row.level = Math.min(row.level, i ? rows[i - 1].level + 1 : 0)));
}

/** The items of a text; null if it is not a list of bookmarks. @param {string} text @returns {any[] | null} */
function itemsOf(text) {
  const fine = (list) => Array.isArray(list) && list.every((one) => one && typeof one === "object" && typeof one.title === "string" && (one.children === undefined || fine(one.children)));
  try {
    const found = JSON.parse(text || "[]");
    const list = Array.isArray(found) ? found : found?.outline;
    return fine(list) ? list : null;
  } catch {
    return null;
  }
}

/** What is wrong before it is sent: a bookmark without a title. @param {string} text */
export const wrongOutline = (text) => (flat(itemsOf(text) || []).some(({ item }) => !item.title.trim()) ? t("outUntitled") : "");

/**
 * The rows for a control of a form. Events of the control: "bookmark-fill" has the rows of a document drawn, whose items are its
 * detail; "bookmark-look" says that a page is wanted in sight; "bookmark-headings" asks for the rows of the headings.
 * @param {HTMLInputElement} control @param {HTMLElement} place @returns {() => void} draws them anew from the control's value
 */
export function outlineEditor(control, place) {
  /** @type {Row[]} */
  let rows = [];
  let written = "\0";
  const list = el("ol", { className: "mark-rows" });
  const said = el("p", { className: "hint", role: "status" });
  const text = el("textarea", { rows: 3, dir: "ltr", spellcheck: false, autocomplete: "off", "aria-label": "JSON" });
  const problem = el("p", { className: "error", role: "alert" });
  const headings = button("list", t("outHeadings"), () => control.dispatchEvent(new Event("bookmark-headings", { bubbles: true })), { className: "quiet", id: "out-headings", hidden: true });
  const adder = button("add", t("outAdd"), () => add(), { className: "quiet", id: "out-add" });
  const tell = () => {
    written = control.value = text.value = JSON.stringify(nested(rows));
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** The row after those that belong to row i. */
  const endOf = (i) => {
    let end = i + 1;
    while (end < rows.length && rows[end].level > rows[i].level) end++;
    return end;
  };
  /** The row that row i would change places with, or -1. */
  const siblingOf = (i, by) => {
    if (by > 0) return endOf(i) < rows.length && rows[endOf(i)].level === rows[i].level ? endOf(i) : -1;
    for (let k = i - 1; k >= 0 && rows[k].level >= rows[i].level; k--) if (rows[k].level === rows[i].level) return k;
    return -1;
  };
  const look = (row) => row.item.page && control.dispatchEvent(new CustomEvent("bookmark-look", { detail: row.item.page, bubbles: true }));

  /** Draws all, and gives the focus to a button of row i. @param {number} [i] @param {string} [selector] */
  function draw(i, selector) {
    const many = rows.length > MOST;
    list.hidden = many || rows.length === 0;
    said.textContent = many ? t("outMany", { n: rows.length }) : rows.length ? "" : t("outNone");
    put(list, ...(many ? [] : rows.map(rowOf)));
    const row = i === undefined ? null : list.children[i];
    /** @type {HTMLElement | null} */ (row?.querySelector(`${selector}:not(:disabled)`) || row?.querySelector("input"))?.focus();
  }

  function rowOf(row, i) {
    const { item } = row;
    const name = item.title || t("outUntitled");
    const title = el("input", { type: "text", value: item.title, dir: "auto", autocomplete: "off", "aria-label": t("outTitle", { n: i + 1 }), "aria-invalid": item.title.trim() ? null : "true", maxLength: 1000 });
    const page = el("input", { type: "number", min: 1, step: 1, inputMode: "numeric", value: item.page ?? "", disabled: Boolean(item.uri || item.action), "aria-label": t("outPage", { name }) });
    title.addEventListener("input", () => {
      item.title = title.value;
      title.setAttribute("aria-invalid", String(!title.value.trim()));
      tell();
    });
    page.addEventListener("input", () => {
      if (!page.validity.valid) return;
      delete item.top; // It was a place of the other page.
      if (page.value) item.page = Number(page.value);
      else delete item.page;
      look(row);
      tell();
    });
    title.addEventListener("focus", () => look(row));
    const act = (iconName, words, className, disabled, change) => iconButton(iconName, t(words, { name }), change, { className: `icon-button ${className}`, disabled });
    const made = el("li", { className: "mark-row" }, title, el("div", { className: "mark-acts" },
      el("label", { className: "mark-page" }, el("span", { "aria-hidden": "true" }, item.uri ? t("outLink") : t("outPageWord")), page),
      act("before", "outOut", "mark-out", row.level === 0, () => shift(i, -1)),
      act("after", "outIn", "mark-in", i === 0 || row.level > rows[i - 1].level || row.level + 1 >= DEEPEST, () => shift(i, 1)),
      act("up", "moveUp", "mark-up", siblingOf(i, -1) < 0, () => move(i, -1)), act("down", "moveDown", "mark-down", siblingOf(i, 1) < 0, () => move(i, 1)),
      act("trash", "removeNamed", "mark-remove", false, () => remove(i))));
    made.style.setProperty("--level", String(Math.min(6, row.level)));
    return made;
  }

  function shift(i, by) {
    for (let k = i, end = endOf(i); k < end; k++) rows[k].level += by;
    settle(rows);
    draw(i, by > 0 ? ".mark-in" : ".mark-out");
    tell();
    say(t("outLevel", { name: rows[i].item.title, n: rows[i].level + 1 }));
  }
  function move(i, by) {
    const [first, second] = by < 0 ? [siblingOf(i, -1), i] : [i, siblingOf(i, 1)];
    const block = rows.splice(second, endOf(second) - second);
    rows.splice(first, 0, ...block);
    const now = by < 0 ? first : first + block.length;
    draw(now, by < 0 ? ".mark-up" : ".mark-down");
    tell();
    say(t("movedTo", { name: rows[now].item.title, n: now + 1 }));
  }
  function remove(i) {
    const [gone] = rows.splice(i, 1);
    settle(rows);
    draw(Math.min(i, rows.length - 1), ".mark-remove");
    if (!rows.length) adder.focus();
    tell();
    say(t("removed", { name: gone.item.title }));
  }
  /** A bookmark to the page in sight, after those of the pages before it. */
  function add() {
    const page = Number(place.dataset.page) || 1;
    let i = rows.findIndex(({ item }) => item.page > page);
    if (i < 0) i = rows.length;
    rows.splice(i, 0, { level: i ? rows[i - 1].level : 0, item: { title: t("pageN", { n: page }), page } });
    settle(rows);
    draw(i, "input");
    tell();
    /** @type {HTMLInputElement | null} */ (list.children[i]?.querySelector("input"))?.select();
  }

  for (const kind of ["input", "change"]) for (const one of [list, text]) one.addEventListener(kind, (event) => event.stopPropagation());
  text.addEventListener("change", () => {
    const found = itemsOf(text.value);
    problem.textContent = found ? "" : t("outNoList");
    text.setAttribute("aria-invalid", String(!found));
    if (!found) return;
    rows = flat(found);
    draw();
    tell();
  });
  const show = (items) => {
    rows = flat(items);
    text.value = JSON.stringify(items);
    draw();
  };
  control.addEventListener("bookmark-fill", (event) => {
    headings.hidden = false;
    show(/** @type {CustomEvent} */ (event).detail);
  });
  const read = () => {
    if (control.value === written || !control.value) return;
    written = control.value;
    show(itemsOf(control.value) || []);
  };
  control.addEventListener("input", read);
  control.focus = () => /** @type {HTMLElement} */ (list.querySelector("[aria-invalid=true]") || adder).focus();
  put(place, list, said, el("div", { className: "row" }, adder, headings), el("details", { className: "op-json" }, el("summary", null, t("opsText")), text, problem));
  draw();
  read();
  return read;
}

/** The bookmarks of a file, by a job of which nothing stays. @param {import("./app_files.js").Item} item @param {{tool: string, params: any}[]} steps */
async function bookmarks(item, steps) {
  const secret = item.password ? { inputPassword: item.password } : {};
  const { jobId } = await submit("pipeline", [["files", refOf(item)], ["steps", JSON.stringify(steps.map(({ tool, params }, i) => ({ tool, params: i ? params : { ...params, ...secret } })))], ["clientRef", PREVIEW]]);
  const job = await finished(jobId);
  const { outline } = await fetch(here(job.downloadUrl)).then((answer) => answer.json());
  ask("DELETE", `/api/v1/jobs/${jobId}`).catch(() => null);
  return outline;
}

/** @param {any} context of the tool's view */
export async function outlining(context) {
  const { fields, problem } = context;
  const control = /** @type {HTMLInputElement} */ (fields.querySelector('[name="outline"]'));
  const action = /** @type {HTMLSelectElement} */ (fields.querySelector('[name="action"]'));
  const row = /** @type {HTMLElement} */ (control.closest(".field"));
  const place = /** @type {HTMLElement} */ (row.querySelector(".editor"));
  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  const shown = await sheet(context, (paper, one, page) => (place.dataset.page = String(one ? page : 1)));

  const fit = () => {
    control.disabled = action.value !== "set";
    row.hidden = action.value === "headings" || action.value === "remove";
  };
  const choose = (value) => {
    if (action.value !== value) {
      action.value = value;
      action.dispatchEvent(new Event("input", { bubbles: true }));
    }
    fit();
  };
  async function load(steps, then) {
    const from = item;
    place.setAttribute("aria-busy", "true");
    problem.textContent = "";
    try {
      const found = await bookmarks(item, steps);
      if (item === from) then(found);
    } catch (error) {
      if (item === from) problem.textContent = error.message;
    }
    place.removeAttribute("aria-busy");
  }
  const fill = (items) => control.dispatchEvent(new CustomEvent("bookmark-fill", { detail: items }));
  const READ = { tool: "outline", params: { action: "read" } };

  function find() {
    const next = context.item() || null;
    if (next === item) return;
    item = next;
    // What was kept is of another document.
    control.value = "";
    if (action.value === "set") choose("read");
    if (item) load([READ], fill);
  }
  const changed = (event) => {
    if (event.target === control && control.value) choose("set");
    else if (event.target === action) fit();
  };
  const headings = () => item && load([{ tool: "outline", params: { action: "headings" } }, READ], (found) => {
    fill(found);
    control.value = JSON.stringify(found);
    control.dispatchEvent(new Event("input", { bubbles: true }));
    say(t("outFound", { n: flat(found).length }));
  });
  const look = (event) => shown.turnTo(event.detail);
  fields.addEventListener("input", changed);
  fields.addEventListener("bookmark-headings", headings);
  fields.addEventListener("bookmark-look", look);
  for (const event of ["list", "change", "known"]) files.addEventListener(event, find);
  fit();
  find();
  return {
    leave() {
      shown.leave();
      fields.removeEventListener("input", changed);
      for (const event of ["list", "change", "known"]) files.removeEventListener(event, find);
    },
  };
}
