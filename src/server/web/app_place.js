// Watermark and page numbers on the page itself: moved by pointer or by arrow keys to where the tool can
// put them, and shown exactly by a job on that one page.

import { ask, finished, submit } from "./app_api.js";
import { button, el, iconButton, put, say } from "./app_dom.js";
import { documentOf, files, refOf, showPage } from "./app_files.js";
import { middleOf, numberStamp, pictureStamp, tilesOf, watermarkStamp, write } from "./app_fit.js";
import { choiceWords, howTo, t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { pageStrip } from "./app_strip.js";

const WIDTH = 900;
const TEXT_ANGLE = 45;
const ROWS = ["top", "middle", "bottom"];
const COLUMNS = ["left", "center", "right"];

/** [column, row] of a position, each 0 to 2; outer and inner are the corners of facing pages. */
function spotOf(position, page) {
  if (position === "center" || position === "tile") return [1, 1];
  if (position === "outer") return [page % 2 ? 2 : 0, 2];
  if (position === "inner") return [page % 2 ? 0 : 2, 2];
  const [row, column] = position.split("-");
  return [COLUMNS.indexOf(column), ROWS.indexOf(row)];
}

function nameOf([column, row]) {
  return column === 1 && row === 1 ? "center" : `${ROWS[row]}-${COLUMNS[column]}`;
}

const roman = (n) => [[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]]
  .reduce(([text, left], [value, word]) => [text + String(word).repeat(Math.floor(left / Number(value))), left % Number(value)], ["", n])[0];

/** What is written on a page. */
function numberText(values, page, count, file) {
  const n = Number(values.start || 1) + Math.max(0, page - 1 - Number(values.skipFirst || 0));
  const words = { n: String(n), roman: roman(n), ROMAN: roman(n).toUpperCase(), alpha: String.fromCharCode(96 + (n % 26 || 26)), total: String(count), file, date: new Date().toISOString().slice(0, 10) };
  return (values.format || "{n}").replace(/\{(\w+)\}/g, (all, word) => words[word] ?? all);
}

/** @param {any} context of the tool's view */
export async function placement(context) {
  const { tool, name, fields, preview, problem } = context;
  const select = () => fields.querySelector('[name="position"]');
  const value = (field) => {
    const control = fields.querySelector(`[name="${field}"]`);
    return control?.type === "checkbox" ? control.checked : control?.value;
  };
  const values = () => Object.fromEntries(tool.fields.map((field) => [field.name, value(field.name)]));
  const number = (field) => Number(value(field) || tool.fields.find((one) => one.name === field)?.schema.default) || 0;
  const image = el("img", { alt: "", draggable: false });
  const ink = el("canvas", { className: "ink", width: WIDTH, "aria-hidden": "true" });
  const spots = el("div", { className: "spots", "aria-hidden": "true" });
  const stamp = el("button", { type: "button", className: "stamp", id: "stamp" });
  const stage = el("div", { className: "stage" }, image, ink, spots, stamp);
  const note = el("p", { className: "hint", role: "status" });
  const shownPage = el("output", { className: "hint", id: "stamp-page" });
  /** The page that is looked at; 0: the first that gets the stamp. */
  let looked = 0;
  const lookAt = (n) => {
    looked = Math.max(1, Math.min(count, n));
    note.textContent = "";
    find();
  };
  const strip = pageStrip(lookAt);
  const turner = el("div", { className: "row turner" }, iconButton("before", t("pageBefore"), () => lookAt(page.n - 1), { "data-turn": "-1" }), shownPage,
    iconButton("after", t("pageAfter"), () => lookAt(page.n + 1), { "data-turn": "1" }));
  const exact = button("eye", t("exact"), () => showExact(), { className: "quiet", id: "exact" });
  let item = null;
  let page = { n: 1, size: [595, 842] };
  let count = 1;
  let job = null;

  const allowed = [...select().options].map((one) => one.value).filter((one) => /^(top|middle|bottom)-|^center$/.test(one));
  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), stage,
    el("div", { className: "row under-stage" }, turner, exact), note, strip.node,
    el("p", { className: "hint", id: "stamp-help" }, howTo("stampHelp", { n: allowed.length })));
  exact.title = t("countsOne");
  stamp.setAttribute("aria-describedby", "stamp-help");

  const position = () => select().value || select().options[0].value;

  /** @returns {{stamp: import("./app_fit.js").Stamp, middle: number[]}} what the tool writes at a position, and where */
  function stampAt(where) {
    const spot = spotOf(where, page.n);
    if (name === "page-numbers") {
      const margin = Math.min(number("margin"), Math.min(...page.size) / 4);
      const is = numberStamp({ font: value("font"), fontSize: number("fontSize") }, numberText(values(), page.n, count, item?.name.replace(/\.[^.]*$/, "") || ""), page.size, margin);
      return { stamp: is, middle: middleOf(is, page.size, spot, margin) };
    }
    const tiled = where === "tile";
    if (picture) return framed(pictureStamp({ size: [picture.width, picture.height], wanted: number("imageWidth"), rotation: number("rotation") }, page.size, spot, tiled), spot);
    const text = value("text").trim() ? value("text") : t("watermarkSample");
    const is = watermarkStamp({ text, font: value("font"), fontSize: number("fontSize"), rotation: value("rotation") ? number("rotation") : TEXT_ANGLE }, page.size, spot, tiled);
    return framed(is, spot);
  }

  const framed = (is, spot) => ({ stamp: is, middle: middleOf(is, page.size, spot) });

  /** What is put on the pages in place of a text; null if there is none, or the browser cannot draw it. */
  let picture = null;
  let chosen = null;

  async function readPicture() {
    const control = fields.querySelector('[name="image"]');
    const file = control?.files[0] || null;
    if (!control || file === chosen) return;
    chosen = file;
    // Without the file there must be a text; with it there is none, and the result cannot be made of one page alone.
    const text = fields.querySelector('[name="text"]');
    text.required = !file;
    text.disabled = Boolean(file);
    exact.hidden = Boolean(file);
    const read = file ? await createImageBitmap(file).catch(() => null) : null;
    if (chosen !== file) return;
    picture = read;
    draw();
  }

  /** Draws the picture with its middle at a point. */
  /** @param {any} is @param {number[]} at @param {number} scale @param {number} opacity */
  function paint(is, [x, y], scale, opacity) {
    const context = ink.getContext("2d");
    context.save();
    context.globalAlpha = opacity;
    context.translate(x * scale, y * scale);
    context.rotate(-is.angle);
    context.drawImage(picture, (-is.width / 2) * scale, (-is.height / 2) * scale, is.width * scale, is.height * scale);
    context.restore();
  }

  /** Shows the stamp at its position, or while it is dragged at a point. @param {number[]} [at] */
  function place(at) {
    const { stamp: is, middle } = stampAt(position());
    const [across, down] = page.size;
    const [x, y] = at || middle;
    const opacity = name === "watermark" ? number("opacity") : 1;
    Object.assign(stamp.style, {
      left: `${(x / across) * 100}%`, top: `${(y / down) * 100}%`, width: `${(is.width / across) * 100}%`, height: `${(is.height / down) * 100}%`,
      transform: `translate(-50%, -50%) rotate(${-is.angle}rad)`,
    });
    ink.height = Math.round((WIDTH * down) / across); // Which clears it.
    const all = position() === "tile" && !at ? tilesOf(is, page.size) : [[x, y]];
    const strength = opacity > 1 ? opacity / 100 : opacity;
    for (const one of all)
      if (picture) paint(is, one, WIDTH / across, strength);
      else if (!chosen) write(ink, is, one, WIDTH / across, value("color"), strength);
    stamp.setAttribute("aria-label", `${chosen ? chosen.name : is.block.lines.join(" ")} ${howTo("stampAt", { position: choiceWords(name, "position", select().value) })}`);
    if (!at) drawSpots();
  }

  /** Where the stamp can stand: a press on a ninth of the page takes it there. The page stays where it is in the window. */
  function drawSpots() {
    put(spots, allowed.map((one) => {
      const [column, row] = spotOf(one, page.n);
      const field = el("span", { className: one === position() ? "spot near" : "spot", title: choiceWords(name, "position", one), onclick: () => (choose(one), stamp.focus({ preventScroll: true })) });
      Object.assign(field.style, { left: `${(column / 3) * 100}%`, top: `${(row / 3) * 100}%` });
      return field;
    }));
  }

  function draw() {
    stamp.hidden = false;
    ink.hidden = spots.hidden = false;
    place();
  }

  async function find() {
    const next = context.item();
    preview.hidden = !next;
    if (!next) return;
    try {
      const doc = await documentOf(next);
      if (next !== item) looked = 0;
      const wanted = looked || Number(value("skipFirst") || 0) + 1;
      const n = Math.max(1, Math.min(doc.count, wanted));
      if (next === item && n === page.n) return;
      item = next;
      count = doc.count;
      page = { n, size: doc.size(n) };
      stage.style.setProperty("--ratio", String(page.size[0] / page.size[1]));
      stage.style.aspectRatio = `${page.size[0]} / ${page.size[1]}`;
      strip.show(item, count, n);
      turner.hidden = count < 2;
      showPage(image, item, n, WIDTH);
      image.alt = shownPage.textContent = t("pageOf", { page: n, count });
      const ends = { "-1": n === 1, 1: n === count };
      for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (turner.querySelectorAll("button"))) {
        if (ends[one.dataset.turn] && document.activeElement === one) stamp.focus();
        one.disabled = ends[one.dataset.turn];
      }
    } catch {
      preview.hidden = true;
    }
    draw();
  }

  const choose = (position) => {
    if (!allowed.includes(position) || select().value === position) return;
    select().value = position;
    select().dispatchEvent(new Event("input", { bubbles: true }));
    say(choiceWords(name, "position", position));
  };

  stamp.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    let [column, row] = spotOf(position(), page.n);
    for (let tries = 0; tries < 2; tries++) {
      column = Math.max(0, Math.min(2, column + step[0]));
      row = Math.max(0, Math.min(2, row + step[1]));
      if (allowed.includes(nameOf([column, row]))) break;
    }
    choose(nameOf([column, row]));
  });

  stage.addEventListener("dragstart", (event) => event.preventDefault());
  stamp.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stamp.setPointerCapture(event.pointerId);
    stage.classList.add("moving-stamp");
    const room = stage.getBoundingClientRect();
    const [across, down] = page.size;
    const from = stampAt(position()).middle;
    const middles = allowed.map((one) => stampAt(one).middle);
    let near = -1;
    const move = (at) => {
      const to = [from[0] + ((at.clientX - event.clientX) / room.width) * across, from[1] + ((at.clientY - event.clientY) / room.height) * down];
      const far = (one) => Math.hypot(one[0] - to[0], one[1] - to[1]);
      near = middles.reduce((best, one, i) => (far(one) < far(middles[best]) ? i : best), 0);
      place(to);
      [...spots.children].forEach((field, i) => field.classList.toggle("near", i === near));
    };
    const held = new AbortController();
    const end = () => {
      held.abort();
      stage.classList.remove("moving-stamp");
      if (near >= 0) choose(allowed[near]);
      place();
    };
    stamp.addEventListener("pointermove", move, held);
    stamp.addEventListener("pointerup", end, held);
    stamp.addEventListener("pointercancel", end, held);
  });

  function forget() {
    if (job) ask("DELETE", `/api/v1/jobs/${job}`).catch(() => null);
    job = null;
  }

  /** The tool itself, on this one page. */
  async function showExact() {
    if (!context.valid()) return;
    exact.disabled = true;
    note.textContent = t("working");
    try {
      const left = ["pages", "outputName", "ttl", "skipFirst", "inputPassword"];
      const params = Object.fromEntries(context.pairs().filter(([field, is]) => typeof is === "string" && !left.includes(field)));
      if (name === "page-numbers") params.start = String(Number(value("start") || 1) + Math.max(0, page.n - 1 - Number(value("skipFirst") || 0)));
      const first = { pages: String(page.n), mode: "extract", ...(item.password ? { inputPassword: item.password } : {}) };
      const made = await submit("pipeline", [["files", refOf(item)],
        ["steps", JSON.stringify([{ tool: "split", params: first }, { tool: name, params }])], ["clientRef", PREVIEW]]);
      forget();
      job = made.jobId;
      await finished(job);
      stamp.hidden = ink.hidden = spots.hidden = true;
      image.src = `/api/v1/jobs/${job}/pages/1.webp?width=${WIDTH}`;
      note.textContent = t("exactShown");
    } catch (error) {
      note.textContent = "";
      problem.textContent = error.message;
    }
    exact.disabled = false;
  }

  const changed = () => {
    note.textContent = "";
    if (stamp.hidden && item) showPage(image, item, page.n, WIDTH);
    draw();
    find();
    readPicture();
  };
  fields.addEventListener("input", changed);
  files.addEventListener("list", find);
  files.addEventListener("change", find);
  if (name === "watermark") fields.querySelector('[name="text"]').required = true;
  await find();
  await readPicture();
  return {
    leave() {
      forget();
      files.removeEventListener("list", find);
      files.removeEventListener("change", find);
    },
  };
}
