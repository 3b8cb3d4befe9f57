// What a file or a result looks like, in a dialog: the pages of a document (app_reader.js), of an Office document
// those that are made of it first; a page of the board alone, turned as it is there. Of a text its beginning, of a
// web page what it says.

import { ask, finished, here, submit } from "./app_api.js";
import { el, iconButton, put } from "./app_dom.js";
import { documentOf, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { kindOf, pagesBy, TEXTS } from "./app_tools.js";
import { passwordForm } from "./app_tray.js";

const WIDTH = 1400;
/** Tools whose results are compared with what they were made of. */
const COMPARED = new Set(["compress", "redact", "repair", "to-word"]);
const MOST_TEXT = 20000; // characters of a text that are shown
const MOST_HTML = 8e6; // pictures are in it

const current = () => ({ dialog: Boolean(history.state?.dialog), address: location.href });
/** The step of the history that the page is at: an open dialog has one of its own, which going back
 * takes; of one that was closed otherwise, it is passed over. */
let step = current();
addEventListener("popstate", () => {
  const before = step;
  const open = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));
  step = current();
  if (open) open.close();
  else if (before.dialog && !step.dialog && before.address === step.address) history.back();
});

/** A dialog that closes by its button, by Escape, by a press beside it, and by going back. */
export function dialog(title, ...inner) {
  const made = el("dialog", { className: "dialog", "aria-label": title },
    el("div", { className: "dialog-head" }, el("h2", null, el("bdi", null, title)), iconButton("close", t("close"), () => made.close())), ...inner);
  made.addEventListener("click", (event) => event.target === made && made.close());
  if (!history.state?.dialog) history.pushState({ dialog: true }, "");
  step = { dialog: true, address: location.href };
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/**
 * A question that one goes back from, or on; closing it otherwise is going back.
 * @param {string} title @param {any} inner  what is said @param {any} back @param {any} on  buttons, as button() makes them
 * @returns {Promise<boolean>} whether to go on
 */
export function asks(title, inner, back, on) {
  return new Promise((resolve) => {
    const made = dialog(title, el("div", { className: "asked" }, inner, el("div", { className: "row" }, back, on)));
    back.addEventListener("click", () => made.close());
    on.addEventListener("click", () => {
      resolve(true);
      made.close();
    });
    made.addEventListener("close", () => resolve(false));
    back.focus();
  });
}

const SWIPE = 50; // pixels across, and less than half of it up or down
const ZOOMS = [1, 1.5, 2, 3, 4];

/** A finger that wipes across turns the page, unless the page is larger than its place. */
function onSwipe(paper, turn) {
  let from = null;
  paper.addEventListener("touchstart", (event) => {
    from = event.touches.length === 1 && paper.scrollWidth <= paper.clientWidth + 1 ? event.touches[0] : null;
  }, { passive: true });
  paper.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    const [dx, dy] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
    from = null;
    if (Math.abs(dx) > SWIPE && Math.abs(dy) < Math.abs(dx) / 2) turn(dx < 0 !== (document.documentElement.dir === "rtl") ? 1 : -1);
  }, { passive: true });
}

/** One page that is turned. @param {import("./app_files.js").Item} item @param {number} page from 1 @param {number} turn degrees */
async function lookAtTurned(item, page, turn) {
  const image = el("img", { className: `turn-${turn}` });
  const place = el("output", { className: "hint" });
  const problem = el("p", { className: "error", role: "alert" });
  const paper = el("div", { className: "paper", tabIndex: 0, role: "group" }, image);
  let count = page;
  let zoom = 0;
  const zoomTo = (n) => {
    zoom = Math.max(0, Math.min(ZOOMS.length - 1, n));
    paper.style.setProperty("--zoom", String(ZOOMS[zoom]));
    [less.disabled, more.disabled] = [zoom === 0, zoom === ZOOMS.length - 1];
    if (document.activeElement === document.body) (zoom ? less : more).focus();
  };
  const less = iconButton("unzoom", t("zoomOut"), () => zoomTo(zoom - 1), { disabled: true });
  const more = iconButton("zoom", t("zoomIn"), () => zoomTo(zoom + 1));
  const show = (n) => {
    page = Math.max(1, Math.min(count, n));
    place.textContent = t("pageOf", { page, count });
    image.alt = t("pageOf", { page, count });
    const [width, height] = item.doc?.size(page) || [1, 1];
    paper.style.setProperty("--ratio", String(width / height));
    paper.setAttribute("aria-label", image.alt);
    showPage(image, item, page, WIDTH);
    for (const [one, end] of [[before, page === 1], [after, page === count]]) {
      if (end && document.activeElement === one) paper.focus();
      one.disabled = end;
    }
  };
  const before = iconButton("before", t("pageBefore"), () => show(page - 1));
  const after = iconButton("after", t("pageAfter"), () => show(page + 1));
  const foot = el("div", { className: "dialog-foot", hidden: true }, before, place, after, less, more);
  const known = el("p", { className: "hint known", hidden: true }, t("openedWith"));
  const made = dialog(item.name, known, paper, problem, foot);
  onSwipe(paper, (step) => show(page + step));
  made.classList.add("viewer");
  made.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (foot.hidden) return;
    if (event.key === "+" || event.key === "-") zoomTo(zoom + (event.key === "+" ? 1 : -1));
    if (!step || (zoom && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    show(page + step);
  });
  const begin = async () => {
    try {
      count = (await documentOf(item)).count;
      known.hidden = !(item.job && item.password);
      put(paper, image);
      foot.hidden = false;
      show(page);
    } catch (error) {
      if (!item.locked) return void put(problem, error.message);
      put(paper, passwordForm(item, begin));
      paper.querySelector("input").focus();
    }
  };
  await begin();
}

/**
 * Looks at a document.
 * @param {import("./app_files.js").Item} item @param {number} page from 1 @param {number} [turn] degrees
 * @param {() => Promise<void>} [make] makes the item's pages first @param {any} [source] what it was made of, as an item
 */
export async function lookAt(item, page, turn = 0, make, source) {
  if (turn) return lookAtTurned(item, page, turn);
  const problem = el("p", { className: "error", role: "alert" });
  const known = el("p", { className: "hint known", hidden: true }, t("openedWith"));
  const pane = el("div", { className: "reader-pane", tabIndex: 0, role: "group", "aria-label": item.name });
  const bar = el("div", { className: "reader-bar", hidden: true });
  const foot = el("div", { className: "dialog-foot", hidden: true });
  const made = dialog(item.name, known, bar, el("div", { className: "reader-body" }, pane), problem, foot);
  made.classList.add("viewer", "reader");
  let reader = null;
  made.addEventListener("close", () => reader?.close());
  const begin = async () => {
    try {
      const { openReader } = await import("./app_reader.js");
      reader = await openReader(item, { page, source, place: pane, foot, bar });
      if (!made.open) reader.close();
      known.hidden = !(item.job && item.password);
    } catch (error) {
      if (!item.locked) return void put(problem, error.message);
      put(pane, passwordForm(item, begin));
      pane.querySelector("input").focus();
    }
  };
  try {
    if (make) {
      const note = el("p", { className: "hint", role: "status" }, t("working"));
      bar.before(note);
      made.addEventListener("close", () => item.job && ask("DELETE", `/api/v1/jobs/${item.job}`).catch(() => null));
      await make().finally(() => note.remove());
    }
    await begin();
  } catch (error) {
    put(problem, error.message);
  }
}

/** The beginning of a text, which is not read further. @param {string} url @param {number} most characters */
async function beginning(url, most) {
  const reader = (await fetch(url)).body.pipeThrough(new TextDecoderStream()).getReader();
  let found = "";
  while (found.length < most) {
    const { done, value } = await reader.read();
    if (done) return found;
    found += value;
  }
  reader.cancel();
  return `${found.slice(0, most)} …`;
}

/** Shows a web page that a tool made. */
async function lookAtHtml(job) {
  const { readable } = await import("./app_html.js");
  const text = await beginning(here(job.downloadUrl), MOST_HTML).catch(() => "");
  const words = el("div", { className: "words prose", tabIndex: 0, role: "region", "aria-label": job.outputFile, dir: "auto" }, text ? readable(text) : t("unreachable"));
  dialog(job.outputFile, words).classList.add("viewer");
}

/** What a result was made of, where before and after say something. @returns {any} */
function sourceOf({ tool, source }) {
  const [, kind, id] = /^(upload|job):([\w-]+)$/.exec(source || "") || [];
  return id && COMPARED.has(tool) ? { id: `source-${id}`, name: "", kind: "pdf", state: "ready", [kind]: id } : undefined;
}

/** The result of a job from job.page on: its pages, those that a converter makes of it, or its words. */
export async function lookAtResult(job) {
  const kind = kindOf(job.outputFile);
  if (kind === "html") return lookAtHtml(job);
  if (TEXTS.has(kind)) {
    const words = el("pre", { dir: "auto" });
    const made = dialog(job.outputFile, el("div", { className: "words", tabIndex: 0, role: "region", "aria-label": job.outputFile }, words));
    made.classList.add("viewer");
    words.textContent = await beginning(here(job.downloadUrl), MOST_TEXT).catch(() => t("unreachable"));
    return;
  }
  /** @type {import("./app_files.js").Item} */
  const item = { id: `job-${job.jobId}`, name: job.outputFile, size: job.outputBytes, kind: "pdf", state: "ready", offset: job.outputBytes, job: job.jobId };
  const tool = pagesBy(kind);
  await lookAt(item, job.page || 1, 0, tool && (async () => {
    item.job = undefined;
    item.job = (await submit(tool, [["file", `job:${job.jobId}`], ["clientRef", PREVIEW]])).jobId;
    await finished(item.job);
  }), sourceOf(job));
}
