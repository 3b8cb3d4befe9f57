// What a visible signature shows: its words alone, a drawing made here, or a picture.

import { button, el, pictureOf, put } from "./app_dom.js";
import { t } from "./app_i18n.js";

const INK = "#12305c";

/** A field to draw on, by mouse, pen or finger; scaled for sharp lines. */
function drawing(changed) {
  const canvas = el("canvas", { className: "pad", width: 900, height: 300, role: "img", tabIndex: 0, "aria-label": t("drawHere") });
  const frame = el("div", { className: "pad-frame" }, canvas, el("span", { className: "pad-words", "aria-hidden": "true" }, t("signHere")));
  const pen = canvas.getContext("2d");
  let drawn = false;
  let last = null;
  Object.assign(pen, { lineWidth: 6, lineCap: "round", lineJoin: "round", strokeStyle: INK });
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * canvas.width, ((event.clientY - box.top) / box.height) * canvas.height];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = at(event);
    drawn = true;
    frame.classList.add("drawn");
    pen.beginPath();
    pen.moveTo(...last);
    pen.lineTo(...last);
    pen.stroke();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    for (const one of event.getCoalescedEvents?.() || [event]) {
      const [x, y] = at(one);
      pen.lineWidth = 4 + 5 * (one.pressure || 0.5);
      pen.beginPath();
      pen.moveTo(...last);
      pen.lineTo(x, y);
      pen.stroke();
      last = [x, y];
    }
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => {
      last = null;
      changed();
    });
  return {
    canvas, frame, isDrawn: () => drawn,
    clear() {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      drawn = false;
      frame.classList.remove("drawn");
      changed();
    },
  };
}

/** The part of a drawing that has ink, as a picture with nothing behind it. */
function cropped(canvas) {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[(y * width + x) * 4 + 3]) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  if (right < left) return null;
  const made = el("canvas", { width: right - left + 1, height: bottom - top + 1 });
  made.getContext("2d").drawImage(canvas, -left, -top);
  return made;
}

/** A photograph has more pixels than a signature on paper shows. */
const SIDE = 1600;

const blobOf = (canvas, type) => new Promise((resolve) => canvas.toBlob(resolve, type, 0.92));

/** In place of the field "image" of a form. */
export function signaturePad(fields, changed) {
  const input = fields.querySelector('[name="image"]');
  const row = input.closest(".field");
  const error = row.querySelector(".error");
  const panel = el("div", { id: "signature-panel", role: "tabpanel", tabIndex: -1 });
  const pad = drawing(() => take());
  let way = "typed";
  let shown = null;
  /** What is sent in place of the file that was chosen. */
  let picture = null;
  let turns = 0;

  async function take() {
    const turn = ++turns;
    const file = way === "picture" && input.files[0];
    const found = file ? await pictureOf(file, SIDE) : null;
    const made = way === "drawn" && pad.isDrawn() ? cropped(pad.canvas) : (found?.canvas ?? null);
    const type = file && file.type === "image/jpeg" ? "image/jpeg" : "image/png";
    const encoded = made && (way === "drawn" || found?.smaller) ? await blobOf(made, type) : null;
    if (turn !== turns) return;
    if (made) error.textContent = "";
    shown = made;
    picture = encoded && new File([encoded], type === "image/jpeg" ? "signature.jpg" : "signature.png", { type });
    changed();
  }
  const choose = (next) => {
    way = next;
    error.textContent = "";
    for (const one of tabs.children) {
      one.setAttribute("aria-selected", String(one.dataset.way === way));
      one.tabIndex = one.dataset.way === way ? 0 : -1;
    }
    input.disabled = way !== "picture";
    put(panel, way === "typed" ? el("p", { className: "hint" }, t("typedHint"))
      : way === "drawn" ? [pad.frame, button("undo", t("clear"), pad.clear, { className: "quiet" })] : input);
    take();
  };
  /** What is to be done next is brought into sight, as the form may have more than the window shows. */
  const reach = (focus) => {
    const next = way === "drawn" ? pad.canvas : way === "picture" ? input : null;
    next?.scrollIntoView({ block: "center" });
    if (focus) next?.focus({ preventScroll: true });
  };
  const tabs = el("div", { role: "tablist", "aria-label": t("signatureLook") },
    ...[["typed", "signatureTyped"], ["drawn", "signatureDrawn"], ["picture", "signaturePicture"]].map(([value, words]) =>
      el("button", { type: "button", role: "tab", "data-way": value, "aria-controls": "signature-panel", onclick: () => (choose(value), reach(true)) }, t(words))));
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = /** @type {HTMLElement[]} */ ([...tabs.children]);
    const next = all[(all.findIndex((one) => one.dataset.way === way) + step + all.length) % all.length];
    choose(next.dataset.way);
    reach(false);
    next.focus({ preventScroll: true });
  });
  input.addEventListener("change", take);
  input.setAttribute("aria-label", t("signaturePicture"));
  put(row, el("span", { className: "hint" }, t("signatureLook")), tabs, panel, error);
  const simple = [...fields.children].find((one) => one.tagName === "DETAILS");
  if (simple) simple.before(row);
  choose("typed");
  const visible = fields.querySelector('[name="visible"]');
  const fit = () => {
    row.hidden = visible && !visible.checked;
    input.disabled = row.hidden || way !== "picture";
  };
  visible?.addEventListener("input", fit);
  fit();
  return {
    /** The picture that was drawn or made smaller; one that is sent as it was chosen is the form's own field. */
    pairs: () => (picture && !row.hidden ? [["image", picture]] : []),
    /** Whether a drawing or a picture was wanted, and there is none; it is told at its place. */
    refused() {
      const none = !row.hidden && ((way === "drawn" && !pad.isDrawn()) || (way === "picture" && !input.files.length));
      if (!none) return false;
      error.textContent = t(way === "drawn" ? "wrongUndrawn" : "wrongNoPicture");
      reach(true);
      return true;
    },
    /** What is shown of it. */
    picture: () => (row.hidden ? null : shown),
  };
}
