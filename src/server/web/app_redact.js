// Redacting: what is to be removed is found or drawn on the pages, looked over one by one, and only then removed for good.

import { ask, finished, here, submit } from "./app_api.js";
import { button, el, iconButton, put, say } from "./app_dom.js";
import { documentOf, files, refOf, showPage } from "./app_files.js";
import { byFinger, choiceWords, howTo, paramWords, t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { pageStrip } from "./app_strip.js";
import { describe, toolNames } from "./app_tools.js";

const WIDTH = 1200;
const UNIT = 10; // points of the square that says how a page lies
const LEAST = 4; // points of a box
const STEP = 4; // points that a key moves a box by
const SHOWN = 1000; // rows of the list
/** What the page asks for by other means than the tool's own fields. */
const OWN_FIELDS = ["text", "hits", "pages", "expect", "ifNone", "wholeWords", "pattern", "preset", "regions", "matchCase"];

/** @typedef {{id: string, kind: string, page?: number, quads?: number[][], text?: string, context?: string, on: boolean, drawn?: number[]}} Hit
 *   drawn: left, top, width, height of a box that was drawn, in points of the page as it is shown */

/** What redact-find finds in a file, by a job of which nothing stays; it counts in no quota. */
async function hitsOf(item, pairs) {
  const { jobId } = await submit("redact-find", [["file", refOf(item)], ["inputPassword", item.password], ["clientRef", PREVIEW], ...pairs]);
  const job = await finished(jobId);
  const { hits } = await fetch(here(job.downloadUrl)).then((answer) => answer.json());
  ask("DELETE", `/api/v1/jobs/${jobId}`).catch(() => null);
  return { hits, warnings: job.warnings || [] };
}

/** From points of a page as it is shown to those in which the file counts, and back. @param {number[]} quad of the square at the page's corner */
function mapOf([x, y, right, rightY, down, downY]) {
  const [a, b, c, d] = [(right - x) / UNIT, (rightY - y) / UNIT, (down - x) / UNIT, (downY - y) / UNIT];
  const det = a * d - b * c;
  return {
    stored: (sx, sy) => [x + a * sx + c * sy, y + b * sx + d * sy],
    shown: (ux, uy) => [(d * (ux - x) - c * (uy - y)) / det, (a * (uy - y) - b * (ux - x)) / det],
  };
}

/** @param {any} context of the tool's view */
export async function redacting(context) {
  const { fields, preview, problem } = context;
  const named = (name) => /** @type {HTMLInputElement} */ (fields.querySelector(`[name="${name}"]`));
  const control = named("hits");
  for (const name of OWN_FIELDS) {
    named(name)?.closest(".field").toggleAttribute("hidden", true);
    if (named(name) && name !== "hits") named(name).disabled = true;
  }
  const finder = toolNames().includes("redact-find") ? await describe("redact-find") : null;
  const presets = finder?.fields.find((one) => one.name === "preset")?.schema["x-options"] || [];

  // What is looked for.
  const words = el("textarea", { id: "redact-words", rows: 3, dir: "auto", autocomplete: "off", "aria-describedby": "redact-words-hint" });
  const pattern = el("input", { id: "redact-pattern", type: "text", dir: "ltr", autocomplete: "off", spellcheck: false });
  const boxes = presets.map((one) => el("input", { type: "checkbox", value: one }));
  const check = (id, label) => {
    const box = el("input", { id, type: "checkbox" });
    return { box, row: el("div", { className: "field check" }, box, el("label", { for: id }, label)) };
  };
  const matchCase = check("redact-case", paramWords("redact-find", "matchCase")[0]);
  const wholeWords = check("redact-whole", paramWords("redact-find", "wholeWords")[0]);
  const go = button("zoom", t("redactFind"), () => find(), { id: "redact-find", className: "quiet" });
  const search = el("section", { className: "redact-search" },
    el("label", { className: "label", for: "redact-words" }, t("redactWords")), words, el("p", { className: "hint", id: "redact-words-hint" }, t("redactWordsHint")),
    el("details", null, el("summary", null, paramWords("redact-find", "preset")[0]), el("div", { className: "several redact-presets", role: "group", "aria-label": paramWords("redact-find", "preset")[0] },
      ...boxes.map((box) => el("label", null, box, el("span", null, choiceWords("redact-find", "preset", box.value)))))),
    el("details", null, el("summary", null, t("moreOptions")), el("div", { className: "field" }, el("label", { for: "redact-pattern" }, paramWords("redact-find", "pattern")[0]), pattern), matchCase.row, wholeWords.row),
    el("div", { className: "row" }, finder && go, button("add", t("redactBox"), () => addBox(), { id: "redact-box", className: "quiet" })));
  if (!finder) for (const one of search.children) if (!one.matches(".row")) /** @type {HTMLElement} */ (one).hidden = true;

  // What was found, one by one.
  const counted = el("p", { id: "redact-count", role: "status" });
  const list = el("ol", { className: "redact-list", "aria-label": t("redactPlaces") });
  const all = (on) => button("", t(on ? "redactAll" : "redactNone"), () => {
    for (const hit of hits) hit.on = on;
    tell();
    draw();
  }, { className: "quiet small", id: on ? "redact-all" : "redact-none" });
  const review = el("section", { className: "redact-review" }, counted, el("div", { className: "row" }, all(true), all(false)), list);
  fields.prepend(search, review);

  // The page.
  const image = el("img", { alt: "", draggable: false });
  const layer = el("div", { className: "redact-layer" });
  const stage = el("div", { className: "stage redact-stage", dir: "ltr" }, image, layer);
  const output = el("output", { className: "hint" });
  const strip = pageStrip((n) => turnTo(n));
  const turner = el("div", { className: "row turner" }, iconButton("before", t("pageBefore"), () => turnTo(page - 1), { "data-turn": "-1" }), output,
    iconButton("after", t("pageAfter"), () => turnTo(page + 1), { "data-turn": "1" }));
  // A finger that moves over the page scrolls, until it is to draw.
  const drawing = button("pen", t("redactDraw"), () => drawing.setAttribute("aria-pressed", String(stage.classList.toggle("drawing"))), { id: "redact-draw", className: "quiet small", "aria-pressed": "false" });
  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), el("div", { className: "row redact-bar" }, turner, byFinger() && drawing), stage, strip.node, el("p", { className: "hint", id: "redact-help" }, howTo("redactHelp")));

  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  let page = 1;
  let count = 1;
  /** @type {Hit[]} */
  let hits = [];
  /** @type {Map<number, ReturnType<typeof mapOf>>} */
  let maps = new Map();
  let serial = 0;

  const isHere = (hit) => hit.page === page && (hit.drawn || hit.quads?.length);
  const labelOf = (hit) => (hit.drawn ? t("redactDrawn") : hit.text || choiceWords("redact", "kind", hit.kind));

  /** The value of the form, and what is said of it. */
  function tell() {
    const wanted = hits.filter((hit) => hit.on);
    control.value = wanted.length ? JSON.stringify(wanted.map((hit) => {
      const map = hit.drawn && maps.get(hit.page);
      if (!map) return { id: hit.id, kind: hit.kind, page: hit.page, quads: hit.quads, text: hit.text };
      const [x, y, width, height] = hit.drawn;
      return { id: hit.id, kind: "region", page: hit.page, quads: [[...map.stored(x, y), ...map.stored(x + width, y), ...map.stored(x, y + height), ...map.stored(x + width, y + height)]] };
    })) : "";
    counted.textContent = hits.length ? t("redactCount", { n: wanted.length, of: hits.length }) : "";
    review.hidden = hits.length === 0;
    problem.textContent = "";
  }

  function toggle(hit, on = !hit.on) {
    hit.on = on;
    tell();
    for (const node of document.querySelectorAll(`[data-hit="${CSS.escape(hit.id)}"]`)) {
      if (node instanceof HTMLInputElement) node.checked = on;
      else node.setAttribute("aria-pressed", String(on));
    }
  }

  /** Left, top, width and height of each part of a hit, in points as shown. @param {Hit} hit @returns {number[][]} */
  function placesOf(hit) {
    if (hit.drawn) return [hit.drawn];
    const map = maps.get(hit.page);
    return !map ? [] : (hit.quads || []).map((quad) => {
      const corners = [0, 2, 4, 6].map((i) => map.shown(quad[i], quad[i + 1]));
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    });
  }

  /** @param {HTMLElement} node @param {number[]} box */
  function lay(node, box) {
    const [x, y, width, height] = box;
    const [across, down] = item.doc.size(page);
    Object.assign(node.style, { left: `${(x / across) * 100}%`, top: `${(y / down) * 100}%`, width: `${(width / across) * 100}%`, height: `${(height / down) * 100}%` });
  }

  /** A box stays on its page. */
  function hold(box) {
    const [across, down] = item.doc.size(page);
    box[2] = Math.max(LEAST, Math.min(box[2], across));
    box[3] = Math.max(LEAST, Math.min(box[3], down));
    box[0] = Math.max(0, Math.min(box[0], across - box[2]));
    box[1] = Math.max(0, Math.min(box[1], down - box[3]));
  }

  function drawPage() {
    put(layer, ...hits.filter(isHere).flatMap((hit) => placesOf(hit).map((place, i) => {
      const node = el("button", { type: "button", className: `redact-hit${hit.drawn ? " drawn" : ""}`, "data-hit": hit.id, "aria-pressed": String(hit.on), title: labelOf(hit),
        "aria-label": hit.drawn ? `${labelOf(hit)} ${howTo("redactKeys")}` : labelOf(hit), tabIndex: i ? -1 : 0, onclick: () => toggle(hit) });
      lay(node, place);
      if (hit.drawn) node.addEventListener("keydown", (event) => keyed(event, hit, node));
      return node;
    })));
  }

  function keyed(event, hit, node) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      return removeBox(hit);
    }
    if (!step) return;
    event.preventDefault();
    const at = event.shiftKey ? 2 : 0;
    hit.drawn[at] += step[0] * STEP;
    hit.drawn[at + 1] += step[1] * STEP;
    hold(hit.drawn);
    lay(node, hit.drawn);
    tell();
  }

  function removeBox(hit) {
    hits = hits.filter((one) => one !== hit);
    tell();
    draw();
    /** @type {HTMLElement | null} */ (layer.querySelector("button") || search.querySelector("#redact-box"))?.focus();
    say(t("removed", { name: labelOf(hit) }));
  }

  /** A box that was drawn, or that begins in the middle of the page. @param {number[]} [box] */
  function addBox(box) {
    if (!item || !maps.has(page)) return;
    const [across, down] = item.doc.size(page);
    const made = { id: `drawn-${++serial}`, kind: "region", page, on: true, drawn: box || [across * 0.3, down * 0.45, across * 0.4, Math.max(LEAST, down * 0.04)] };
    hold(made.drawn);
    hits.push(made);
    tell();
    draw();
    /** @type {HTMLElement | null} */ (layer.querySelector(`[data-hit="${made.id}"]`))?.focus({ preventScroll: Boolean(box) });
    say(t("redactBoxAdded"));
  }

  function rowOf(hit) {
    const box = el("input", { type: "checkbox", checked: hit.on, "data-hit": hit.id, id: `hit-${hit.id}`, onchange: () => toggle(hit, box.checked) });
    const where = hit.page ? t("pageN", { n: hit.page }) : choiceWords("redact", "kind", hit.kind);
    const at = hit.context && hit.text ? hit.context.indexOf(hit.text) : -1;
    return el("li", null, box, el("label", { for: box.id }, el("bdi", { className: "redact-text" }, at < 0 ? labelOf(hit) : [hit.context.slice(0, at), el("b", null, hit.text), hit.context.slice(at + hit.text.length)]),
      el("span", { className: "hint" }, where)),
    hit.page && iconButton("eye", t("redactLook", { name: labelOf(hit) }), () => look(hit)), hit.drawn && iconButton("trash", t("removeNamed", { name: labelOf(hit) }), () => removeBox(hit)));
  }

  function draw() {
    if (item && hits.some((hit) => hit.page)) drawPage();
    else put(layer);
    const sorted = [...hits].sort((a, b) => (a.page || Infinity) - (b.page || Infinity));
    put(list, ...sorted.slice(0, SHOWN).map(rowOf), hits.length > SHOWN && el("li", { className: "hint" }, t("redactMore", { n: hits.length - SHOWN })));
  }

  function look(hit) {
    turnTo(hit.page);
    const node = /** @type {HTMLElement | null} */ (layer.querySelector(`[data-hit="${CSS.escape(hit.id)}"]`));
    node?.scrollIntoView({ block: "center" });
    node?.focus({ preventScroll: true });
  }

  function turnTo(n) {
    page = Math.max(1, Math.min(count, n));
    const [width, height] = item.doc.size(page);
    stage.style.aspectRatio = `${width} / ${height}`;
    stage.style.setProperty("--ratio", String(width / height));
    strip.show(item, count, page);
    turner.hidden = count < 2;
    for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (turner.querySelectorAll("button"))) one.disabled = one.dataset.turn === "1" ? page === count : page === 1;
    showPage(image, item, page, WIDTH);
    image.alt = output.textContent = t("pageOf", { page, count });
    drawPage();
  }

  /** Looks for what was typed and ticked; boxes that were drawn stay. */
  async function find() {
    const kinds = boxes.filter((box) => box.checked).map((box) => box.value).join();
    const text = words.value.split("\n").map((one) => one.trim()).filter(Boolean).join("\n");
    if (!item) return;
    if (!kinds && !text && !pattern.value) return words.focus();
    const from = item;
    go.disabled = true;
    go.setAttribute("aria-busy", "true");
    problem.textContent = "";
    say(t("working"));
    try {
      const found = await hitsOf(item, [["text", text || null], ["pattern", pattern.value || null], ["preset", kinds || null], ["matchCase", matchCase.box.checked ? "true" : null], ["wholeWords", wholeWords.box.checked ? "true" : null]]);
      if (item !== from) return;
      const drawn = hits.filter((hit) => hit.drawn);
      hits = [...found.hits.map((hit) => ({ ...hit, on: true })), ...drawn];
      tell();
      draw();
      if (!found.hits.length) problem.textContent = t("redactNothing");
      else {
        const first = hits.find((hit) => hit.page && hit.quads?.length);
        if (first && !hits.some(isHere)) turnTo(first.page);
        say(counted.textContent);
      }
    } catch (error) {
      if (item === from) problem.textContent = error.message;
    }
    go.disabled = false;
    go.removeAttribute("aria-busy");
  }

  // By mouse and by finger.
  layer.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target !== layer || !item || (event.pointerType === "touch" && !stage.classList.contains("drawing"))) return;
    event.preventDefault();
    const room = layer.getBoundingClientRect();
    const [across, down] = item.doc.size(page);
    const pointOf = (one) => [Math.max(0, Math.min(across, ((one.clientX - room.left) / room.width) * across)), Math.max(0, Math.min(down, ((one.clientY - room.top) / room.height) * down))];
    const from = pointOf(event);
    const ghost = el("div", { className: "redact-ghost" });
    let box = null;
    const held = new AbortController();
    layer.append(ghost);
    layer.setPointerCapture(event.pointerId);
    layer.addEventListener("pointermove", (to) => {
      const [x, y] = pointOf(to);
      box = [Math.min(x, from[0]), Math.min(y, from[1]), Math.abs(x - from[0]), Math.abs(y - from[1])];
      lay(ghost, box);
    }, held);
    const end = (keep) => () => {
      held.abort();
      ghost.remove();
      if (keep && box && box[2] >= LEAST && box[3] >= LEAST) addBox(box);
    };
    layer.addEventListener("pointerup", end(true), held);
    layer.addEventListener("pointercancel", end(false), held);
  });

  async function show(next) {
    item = null;
    hits = [];
    maps = new Map();
    tell();
    draw();
    preview.hidden = !next;
    if (!next) return;
    try {
      const doc = await documentOf(next);
      if (asked !== next) return;
      item = next;
      count = doc.count;
      turnTo(1);
      // Where the file counts from, page by page.
      const { hits: squares } = await hitsOf(next, [["regions", `all:0,0,${UNIT},${UNIT}`]]);
      if (asked !== next) return;
      for (const square of squares) if (square.kind === "region" && square.quads?.length) maps.set(square.page, mapOf(square.quads[0]));
      stage.dataset.ready = "";
    } catch (error) {
      if (asked === next) problem.textContent = error.message;
    }
  }

  /** @type {any} */
  let asked = null;
  function seek() {
    const next = context.item() || null;
    if (next === asked) return;
    asked = next;
    show(next);
  }
  for (const event of ["list", "change", "known"]) files.addEventListener(event, seek);
  tell();
  seek();
  return {
    refused() {
      if (control.value) return false;
      problem.textContent = t("redactFirst");
      words.focus();
      return true;
    },
    leave() {
      for (const event of ["list", "change", "known"]) files.removeEventListener(event, seek);
    },
  };
}
