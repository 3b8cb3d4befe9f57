// Watermark, page numbers and the visible signature on the page itself: moved by pointer or by arrow
// keys to where the tool can put them, and shown exactly by a job on that one page.

import { ask, finished, submit } from "./app_api.js";
import { signatureBox } from "./app_box.js";
import { button, el, put, say } from "./app_dom.js";
import { documentOf, files, refOf, showPage } from "./app_files.js";
import { choiceWords, howTo, t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { signaturePad } from "./app_signature.js";

const WIDTH = 900;
const ROWS = ["top", "middle", "bottom"];
const COLUMNS = ["left", "center", "right"];

/** [column, row] of a position, each 0 to 2; outer and inner are the corners of a right-hand page. */
function spotOf(position) {
  if (position === "center" || position === "tile") return [1, 1];
  if (position === "outer") return [2, 2];
  if (position === "inner") return [0, 2];
  const [row, column] = position.split("-");
  return [COLUMNS.indexOf(column), ROWS.indexOf(row)];
}

function nameOf([column, row]) {
  return column === 1 && row === 1 ? "center" : `${ROWS[row]}-${COLUMNS[column]}`;
}

/** Where a stamp stands within the page, in parts of its width and height. */
const PLACES = {
  watermark: { x: [0.2, 0.5, 0.8], y: [0.12, 0.5, 0.88] },
  "page-numbers": { x: [0.1, 0.5, 0.9], y: [0.045, 0.5, 0.955] },
};

const roman = (n) => [[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]]
  .reduce(([text, left], [value, word]) => [text + String(word).repeat(Math.floor(left / Number(value))), left % Number(value)], ["", n])[0];

/** What the stamp of a tool looks like, near enough while it is moved. */
function drawStamp(name, stamp, values, page, count, file) {
  const [width] = page.size;
  const points = (size) => `${(size / width) * 100}cqw`;
  const set = (style) => Object.assign(stamp.style, style);
  if (name === "watermark") {
    const text = values.text || t("watermarkSample");
    const longest = Math.max(...text.split("\n").map((line) => line.length), 4);
    stamp.textContent = text;
    set({
      fontSize: Number(values.fontSize) ? points(Number(values.fontSize)) : `${Math.min(16, 110 / longest)}cqw`, color: values.color,
      opacity: String(Number(values.opacity || 0.3)), transform: `translate(-50%, -50%) rotate(${-Number(values.rotation || 45)}deg)`,
    });
  } else if (name === "page-numbers") {
    const n = Number(values.start || 1) + Math.max(0, page.n - 1 - Number(values.skipFirst || 0));
    const words = { n: String(n), roman: roman(n), ROMAN: roman(n).toUpperCase(), alpha: String.fromCharCode(96 + (n % 26 || 26)), total: String(count), file, date: new Date().toISOString().slice(0, 10) };
    stamp.textContent = (values.format || "{n}").replace(/\{(\w+)\}/g, (all, word) => words[word] ?? all);
    set({ fontSize: points(Number(values.fontSize || 10)), color: values.color, opacity: "1", transform: "translate(-50%, -50%)" });
  }
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
  const image = el("img", { alt: "", draggable: false });
  const spots = el("div", { className: "spots", "aria-hidden": "true" });
  const stamp = el("button", { type: "button", className: "stamp", id: "stamp" });
  const stage = el("div", { className: "stage" }, image, spots, stamp);
  const note = el("p", { className: "hint", role: "status" });
  const exact = button("eye", t("exact"), () => showExact(), { className: "quiet", id: "exact" });
  let box = null;
  const pad = name === "sign" && tool.fields.some((field) => field.name === "image") ? signaturePad(fields, () => box && draw()) : null;
  let item = null;
  let page = { n: 1, size: [595, 842] };
  let count = 1;
  if (name === "sign") box = signatureBox({ fields, stage, stamp, values: () => values(), size: () => page.size, picture: () => pad?.picture() || null });
  let job = null;

  put(preview, el("h2", { id: "preview-title" }, t("preview")), el("p", { className: "hint", id: "stamp-help" }, howTo(name === "sign" ? "boxHelp" : "stampHelp")), stage, el("div", { className: "row" }, exact, el("span", { className: "hint" }, t("countsOne"))), note);
  stamp.setAttribute("aria-describedby", "stamp-help");
  const allowed = [...select().options].map((one) => one.value).filter((one) => /^(top|middle|bottom)-|^center$/.test(one));

  function place() {
    const [column, row] = spotOf(select().value || select().options[0].value);
    const { x, y } = PLACES[name];
    stamp.style.left = `${x[column] * 100}%`;
    stamp.style.top = `${y[row] * 100}%`;
    stamp.setAttribute("aria-label", howTo("stampAt", { position: choiceWords(name, "position", select().value) }));
  }

  function draw() {
    stamp.hidden = false;
    if (box) return box.draw();
    drawStamp(name, stamp, values(), page, count, item?.name.replace(/\.[^.]*$/, "") || "");
    place();
  }

  async function find() {
    const next = context.item();
    preview.hidden = !next;
    if (!next) return;
    try {
      const doc = await documentOf(next);
      const wanted = name === "sign" ? (Number.parseInt(value("page"), 10) || doc.count) : Number(value("skipFirst") || 0) + 1;
      const n = Math.max(1, Math.min(doc.count, wanted));
      if (next === item && n === page.n) return;
      item = next;
      count = doc.count;
      page = { n, size: doc.size(n) };
      const tall = page.size[1] > page.size[0];
      stage.style.width = tall ? "min(100%, 30rem)" : "min(100%, 44rem)";
      stage.style.aspectRatio = `${page.size[0]} / ${page.size[1]}`;
      showPage(image, item, n, WIDTH);
      image.alt = t("pageOf", { page: n, count });
    } catch {
      preview.hidden = true;
    }
    draw();
  }

  const choose = (position) => {
    if (!allowed.includes(position) || select().value === position) return;
    select().value = position;
    fields.dispatchEvent(new Event("input", { bubbles: true }));
    say(choiceWords(name, "position", position));
  };

  if (!box) stamp.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    let [column, row] = spotOf(select().value);
    for (let tries = 0; tries < 2; tries++) {
      column = Math.max(0, Math.min(2, column + step[0]));
      row = Math.max(0, Math.min(2, row + step[1]));
      if (allowed.includes(nameOf([column, row]))) break;
    }
    choose(nameOf([column, row]));
  });

  stage.addEventListener("dragstart", (event) => event.preventDefault());
  if (!box) stamp.addEventListener("pointerdown", (event) => {
    stamp.setPointerCapture(event.pointerId);
    stage.classList.add("moving-stamp");
    const { x, y } = PLACES[name];
    put(spots, allowed.map((one) => {
      const [column, row] = spotOf(one);
      const dot = el("span", { className: "spot" });
      dot.style.left = `${x[column] * 100}%`;
      dot.style.top = `${y[row] * 100}%`;
      return dot;
    }));
    let near = select().value;
    const move = (at) => {
      const box = stage.getBoundingClientRect();
      const [px, py] = [(at.clientX - box.left) / box.width, (at.clientY - box.top) / box.height];
      stamp.style.left = `${px * 100}%`;
      stamp.style.top = `${py * 100}%`;
      const far = (one) => {
        const [column, row] = spotOf(one);
        return Math.hypot(x[column] - px, y[row] - py);
      };
      near = allowed.reduce((best, one) => (far(one) < far(best) ? one : best));
      [...spots.children].forEach((dot, i) => dot.classList.toggle("near", allowed[i] === near));
    };
    const end = () => {
      stage.classList.remove("moving-stamp");
      stamp.removeEventListener("pointermove", move);
      choose(near);
      place();
    };
    stamp.addEventListener("pointermove", move);
    stamp.addEventListener("pointerup", end, { once: true });
    stamp.addEventListener("pointercancel", end, { once: true });
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
      const left = ["pages", "page", "outputName", "ttl", "skipFirst", "inputPassword", "certificatePassword", "fieldName"];
      const params = Object.fromEntries(context.pairs().filter(([field, is]) => typeof is === "string" && !left.includes(field)));
      const drawn = [...(pad?.pairs() || []), ...context.pairs()].find(([field]) => field === "image");
      if (drawn) params.image = "image";
      if (name === "page-numbers") params.start = String(Number(value("start") || 1) + Math.max(0, page.n - 1 - Number(value("skipFirst") || 0)));
      const first = { pages: String(page.n), mode: "extract", ...(item.password ? { inputPassword: item.password } : {}) };
      const made = await submit("pipeline", [["files", refOf(item)],
        ["steps", JSON.stringify([{ tool: "split", params: first }, { tool: name, params }])], ...(drawn ? [drawn] : []), ["clientRef", PREVIEW]]);
      forget();
      job = made.jobId;
      await finished(job);
      stamp.hidden = true;
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
  };
  fields.addEventListener("input", changed);
  files.addEventListener("list", find);
  files.addEventListener("change", find);
  await find();
  return {
    extra: () => pad?.pairs() || [],
    leave() {
      forget();
      files.removeEventListener("list", find);
      files.removeEventListener("change", find);
    },
  };
}
