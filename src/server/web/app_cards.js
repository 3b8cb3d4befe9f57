// Choices as pictures: a place on the page as a pad of nine, a quality as cards, paper as small sheets. The
// list of the form stays what is read and set; the pictures are radio buttons that say the same.

import { el, put } from "./app_dom.js";

const PAD = ["top-left", "top-center", "top-right", "middle-left", "center", "middle-right", "bottom-left", "bottom-center", "bottom-right"];
/** Sides of papers, in millimetres. */
const SHEETS = { a3: [297, 420], a4: [210, 297], a5: [148, 210], letter: [216, 279], legal: [216, 356], tabloid: [279, 432], "297x420mm": [297, 420], "148x210mm": [148, 210] };
const SHEET_SCALE = 0.085; // pixels of the picture for a millimetre, in rem / 1.6
/** How much of a picture each quality keeps, as bars. */
const BARS = { screen: 1, ebook: 2, printer: 3, prepress: 4, lossless: 5 };

let serial = 0;

/** @param {string} value @param {any} picture @param {string} words @param {string} group @param {string} [className] */
function card(value, picture, words, group, className = "") {
  return el("label", { className: `card-choice ${className}`, title: className ? words : undefined }, el("input", { type: "radio", name: group, value }), picture,
    el("span", { className: className ? "unseen" : "card-words" }, words));
}

function sheetOf(value) {
  const [width, height] = SHEETS[value] || [210, 297];
  const sheet = el("span", { className: `sheet-picture${SHEETS[value] ? "" : " open"}`, "aria-hidden": "true" });
  sheet.style.width = `${width * SHEET_SCALE}px`;
  sheet.style.height = `${height * SHEET_SCALE}px`;
  return sheet;
}

function turnedSheet(value) {
  const sheet = el("span", { className: `sheet-picture${value === "auto" ? " open" : ""}`, "aria-hidden": "true" });
  [sheet.style.width, sheet.style.height] = value === "landscape" ? ["25px", "18px"] : ["18px", "25px"];
  return sheet;
}

const barsOf = (value) => el("span", { className: "quality-bars", "aria-hidden": "true" }, ...Array.from({ length: 5 }, (_, i) => el("i", { className: i < BARS[value] ? "on" : null })));

/** The way each list is shown: what stands for an option, and the class of the whole. */
const LOOKS = {
  position: { className: "pad-choice" },
  quality: { className: "cards-rows", picture: barsOf },
  pageSize: { className: "cards-sheets", picture: sheetOf },
  paper: { className: "cards-sheets", picture: sheetOf },
  orientation: { className: "cards-sheets", picture: turnedSheet },
};

/** The options of a pad: those on the page as a field of nine, the others below it. */
function padOf(tool, options, group) {
  const there = new Map(options.map((one) => [one.value, one.text]));
  const pad = el("span", { className: "nine" }, ...PAD.map((value) => (there.has(value) ? card(value, el("span", { className: "dot", "aria-hidden": "true" }), there.get(value), group, "spot-choice") : el("span"))));
  const rest = options.filter((one) => !PAD.includes(one.value));
  return [pad, rest.length > 0 && el("span", { className: "pad-rest" }, ...rest.map((one) => card(one.value, null, one.text, group)))];
}

/**
 * The pictures of a list; null for one that is better as a list.
 * @param {string} tool @param {string} name of the field @param {HTMLSelectElement} select @param {string} label
 */
export function cardsFor(tool, name, select, label) {
  const look = select.tagName === "SELECT" && LOOKS[name];
  if (!look || (name === "quality" && tool !== "compress")) return null;
  const group = `cards-${++serial}`;
  const options = [...select.options];
  const shown = name === "quality" ? [...options].sort((a, b) => BARS[a.value] - BARS[b.value]) : options;
  const made = el("div", { className: `cards ${look.className}`, role: "radiogroup", "aria-label": label });
  put(made, ...(name === "position" ? padOf(tool, options, group)
    : shown.map((one) => card(one.value, look.picture(one.value), one.text, group))));
  const inputs = /** @type {HTMLInputElement[]} */ ([...made.querySelectorAll("input")]);
  // The entry for another value has that value, which changes: it is found by its place.
  const optionOf = (input) => options.find((one) => one.text === input.closest("label").textContent) || options.find((one) => one.value === input.value);
  const draw = () => inputs.forEach((one) => (one.checked = optionOf(one) === select.selectedOptions[0]));
  made.addEventListener("change", (event) => {
    event.stopPropagation();
    optionOf(/** @type {HTMLInputElement} */ (event.target)).selected = true;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  made.addEventListener("input", (event) => event.stopPropagation());
  select.addEventListener("input", draw);
  select.hidden = true;
  draw();
  return { node: made, draw };
}

/** What is said on the card of a quality: its size, once it is known. @param {HTMLElement} form @param {string} quality @param {any[]} words */
export function noteOnCard(form, quality, ...words) {
  const label = form.querySelector(`.cards-rows input[value="${quality}"]`)?.closest("label");
  if (!label) return;
  const note = label.querySelector(".card-note") || label.appendChild(el("span", { className: "card-note" }));
  put(/** @type {HTMLElement} */ (note), ...words);
}
