// Where a signature and initials are made: drawn, typed in a hand, or taken from a photo; and kept in this
// browser if that is wanted.

import { button, el, kept, pictureOf, put, say } from "./app_dom.js";
import { t } from "./app_i18n.js";
import { drawStroke, HANDS, inkAgain, inkFrom, INKS, photoPicture, pointOf, strokesPicture, typedPicture } from "./app_sign_ink.js";

const KEPT = "ink";
/** A photograph has more pixels than a signature on paper shows. */
const SIDE = 1600;
/** Characters of a kept picture: a browser keeps a few millions for all of the page. */
const MOST_KEPT = 1500000;
const WAYS = [["drawn", "signatureDrawn"], ["typed", "signatureTyped"], ["picture", "signaturePicture"]];

/** @typedef {"image" | "initials"} Kind */

/** Tabs, of which arrow keys choose. @param {string[][]} all  values and keys of their words */
function tabsOf(label, all, choose, panel) {
  const node = el("div", { role: "tablist", className: "seg", "aria-label": label },
    ...all.map(([value, words]) => el("button", { type: "button", role: "tab", "data-way": value, "aria-controls": panel, onclick: () => choose(value, true) }, t(words))));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const list = /** @type {HTMLElement[]} */ ([...node.children]);
    const next = list[(list.indexOf(/** @type {HTMLElement} */ (event.target)) + step + list.length) % list.length];
    choose(next.dataset.way, false);
    next.focus();
  });
  const show = (value) => {
    for (const one of /** @type {HTMLElement[]} */ ([...node.children])) {
      one.setAttribute("aria-selected", String(one.dataset.way === value));
      one.tabIndex = one.dataset.way === value ? 0 : -1;
    }
  };
  return { node, show };
}

/** A field to draw on, by mouse, pen or finger. @param {() => void} changed  a stroke has ended */
function drawingPad(changed) {
  const canvas = el("canvas", { className: "pad", role: "img", "aria-label": t("drawHere") });
  const words = el("span", { className: "pad-words", "aria-hidden": "true" }, t("signHere"));
  const node = el("div", { className: "pad-frame" }, canvas, words);
  const pen = canvas.getContext("2d");
  /** @type {import("./app_sign_ink.js").Point[][]} */
  let strokes = [];
  let color = INKS.black;
  let scale = 1;
  let going = null;
  function draw() {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width) return;
    scale = Math.max(1, devicePixelRatio || 1);
    Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    for (const stroke of strokes) drawStroke(pen, stroke, scale, color);
    node.classList.toggle("drawn", strokes.length > 0);
  }
  new ResizeObserver(draw).observe(canvas);
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let before = 0;
  const add = (event) => {
    const point = pointOf(going, at(event), event, before);
    before = event.timeStamp;
    if (point) going.push(point);
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || going) return;
    canvas.setPointerCapture(event.pointerId);
    going = [];
    strokes.push(going);
    add(event);
    node.classList.add("drawn");
    drawStroke(pen, going, scale, color);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!going) return;
    const from = going.length;
    const all = event.getCoalescedEvents?.() || [];
    for (const one of all.length ? all : [event]) add(one);
    drawStroke(pen, going, scale, color, from);
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => {
      if (!going) return;
      going = null;
      draw();
      changed();
    });
  return {
    node, canvas, draw,
    take(list, wanted) {
      strokes = list;
      color = wanted;
      draw();
    },
  };
}

/** @param {{changed: (kind: Kind) => void, done: () => void}} context */
export function signaturePad({ changed, done }) {
  const fresh = () => ({ way: "drawn", strokes: [], text: "", hand: "allura", photo: null, strength: 0.35, ink: null, again: false });
  /** @type {Record<Kind, any>} */
  const made = { image: fresh(), initials: fresh() };
  /** @type {Kind} */
  let kind = "image";
  let color = "black";
  let turns = 0;
  const error = el("p", { className: "error", id: "sign-error", role: "alert" });
  const panel = el("div", { id: "sign-panel", role: "tabpanel", tabIndex: -1 });
  const pad = drawingPad(() => take());
  const keep = el("input", { id: "sign-keep", type: "checkbox", checked: Boolean(kept.read(KEPT, null)) });
  const keepRow = el("div", { className: "field check" }, keep, el("label", { for: "sign-keep" }, t("signKeep"), " ", el("span", { className: "hint" }, t("signKeepHint"))));

  async function store() {
    const all = {};
    for (const one of /** @type {Kind[]} */ (["image", "initials"])) {
      const data = keep.checked && made[one].ink ? await made[one].ink.data() : "";
      if (data && data.length <= MOST_KEPT) all[one] = data;
    }
    if (Object.keys(all).length) kept.write(KEPT, all);
    else kept.write(KEPT, null);
  }
  keep.addEventListener("change", store);

  async function take() {
    const is = made[kind];
    const mine = kind;
    const turn = ++turns;
    const canvas = is.way === "drawn" ? strokesPicture(is.strokes, INKS[color])
      : is.way === "typed" ? await typedPicture(is.text, is.hand, INKS[color])
        : is.photo && photoPicture(is.photo, is.strength);
    const ink = await inkFrom(canvas, mine === "image" ? "signature" : "initials");
    if (turn !== turns) return;
    is.ink = ink;
    if (ink) error.textContent = "";
    changed(mine);
    if (keep.checked) store();
  }

  function drawnPanel(is) {
    pad.take(is.strokes, INKS[color]);
    const back = (change) => () => {
      change();
      pad.take(is.strokes, INKS[color]);
      take();
    };
    return [pad.node, el("div", { className: "row" }, colours(), button("undo", t("undoStroke"), back(() => is.strokes.pop()), { className: "quiet" }),
      button("trash", t("clear"), back(() => (is.strokes.length = 0)), { className: "quiet", id: "sign-clear" }))];
  }
  function typedPanel(is) {
    const input = el("input", { id: "sign-text", type: "text", maxLength: 80, autocomplete: "name", spellcheck: false, dir: "auto", value: is.text });
    const hands = Object.keys(HANDS).map((hand, i) => {
      const shown = el("span", { className: `hand hand-${hand}`, dir: "auto" }, is.text || t("signerSample"));
      const radio = el("input", { type: "radio", name: "sign-hand", value: hand, checked: is.hand === hand, "aria-label": t("handN", { n: i + 1 }), onchange: () => ((is.hand = hand), take()) });
      return { shown, node: el("label", { className: "hand-choice" }, radio, shown) };
    });
    input.addEventListener("input", () => {
      is.text = input.value;
      for (const { shown } of hands) shown.textContent = is.text || t("signerSample");
      take();
    });
    return [el("div", { className: "field" }, el("label", { for: "sign-text" }, t(kind === "image" ? "signName" : "signInitials")), input),
      el("div", { className: "hands", role: "radiogroup", "aria-label": t("hands") }, hands.map((one) => one.node)), el("div", { className: "row" }, colours())];
  }
  function photoPanel(is) {
    const input = el("input", { id: "sign-photo", type: "file", accept: "image/*" });
    const strength = el("input", { id: "sign-strength", type: "range", min: 0, max: 1, step: 0.05, value: String(is.strength) });
    const more = el("div", { className: "field", hidden: !is.photo }, el("label", { for: "sign-strength" }, t("signPaper")), strength);
    input.addEventListener("change", async () => {
      const found = input.files[0] && (await pictureOf(input.files[0], SIDE));
      is.photo = found?.canvas || null;
      more.hidden = !is.photo;
      error.textContent = input.files[0] && !found ? t("signNoPicture") : "";
      await take();
      if (is.photo && !is.ink) error.textContent = t("signNoInk");
    });
    strength.addEventListener("input", () => {
      is.strength = Number(strength.value);
      take();
    });
    return [el("div", { className: "field" }, el("label", { for: "sign-photo" }, t("signPhoto")), input, el("p", { className: "hint" }, t("signPhotoHint"))), more];
  }
  function colours() {
    return el("div", { className: "inks", role: "radiogroup", "aria-label": t("inkColour") }, Object.keys(INKS).map((one) =>
      el("label", { className: `ink-choice ink-${one}` }, el("input", { type: "radio", name: "sign-colour", value: one, checked: one === color, "aria-label": t(`ink_${one}`), onchange: () => {
        color = one;
        if (made[kind].way === "drawn") pad.take(made[kind].strokes, INKS[color]);
        take();
      } }))));
  }

  const ways = tabsOf(t("signatureLook"), WAYS, (way, enter) => {
    made[kind].way = way;
    error.textContent = "";
    draw();
    take();
    const next = /** @type {HTMLElement | null} */ (panel.querySelector("#sign-text, #sign-photo"));
    if (enter) next?.focus({ preventScroll: true });
  }, "sign-panel");
  const kinds = tabsOf(t("signWhat"), [["image", "signSignature"], ["initials", "signInitials"]], (next) => choose(next), "sign-panel");

  /** One that was kept: as it is, until another is wanted. */
  function keptPanel(is) {
    return [el("div", { className: "kept-ink" }, el("img", { src: is.ink.url, alt: t(kind === "image" ? "signSignature" : "signInitials") })),
      el("div", { className: "row" },
        button("redo", t("signAnother"), () => {
          Object.assign(is, { again: false });
          draw();
        }, { className: "quiet", id: "sign-another" }),
        button("trash", t("signForget"), () => {
          made[kind] = fresh();
          keep.checked = Boolean(made.image.ink || made.initials.ink) && keep.checked;
          store();
          draw();
          changed(kind);
          say(t("signForgotten"));
        }, { className: "quiet", id: "sign-forget" }))];
  }
  function draw() {
    const is = made[kind];
    kinds.show(kind);
    ways.show(is.way);
    ways.node.hidden = is.again;
    keepRow.hidden = is.again;
    put(panel, ...(is.again ? keptPanel(is) : { drawn: drawnPanel, typed: typedPanel, picture: photoPanel }[is.way](is)));
  }
  function choose(next) {
    kind = next;
    error.textContent = "";
    draw();
  }
  const node = el("section", { className: "sign-maker", id: "sign-maker", "aria-labelledby": "sign-title" },
    el("h3", { id: "sign-title", className: "unseen" }, t("signMake")),
    el("div", { className: "sign-head" }, kinds.node, button("check", t("done"), () => done(), { className: "quiet sign-done", id: "sign-done" })),
    ways.node, panel, error, keepRow);
  draw();
  return {
    node, draw: () => pad.draw(),
    /** @param {Kind} next */
    choose,
    color: () => INKS[color],
    /** @param {Kind} of @returns {import("./app_sign_ink.js").Ink | null} */
    ink: (of) => made[of].ink,
    tell: (message) => (error.textContent = message),
    /** The first thing to do in it. */
    focus() {
      const first = /** @type {HTMLElement | null} */ (panel.querySelector("input, button") || ways.node.querySelector("[tabindex='0']"));
      (made[kind].way === "drawn" && !made[kind].again ? ways.node.querySelector("[tabindex='0']") : first)?.focus({ preventScroll: true });
    },
    /** What this browser has from another time. */
    async restore() {
      const all = kept.read(KEPT, {});
      for (const one of /** @type {Kind[]} */ (["image", "initials"])) {
        const ink = all[one] && (await inkAgain(all[one], one === "image" ? "signature" : "initials"));
        if (ink) Object.assign(made[one], { ink, again: true });
      }
      draw();
    },
  };
}
