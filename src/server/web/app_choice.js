// Lists of what is usual for values that the API takes as texts, with a place for any other: page sizes,
// formats of page numbers, how long a result is kept. A list's value is what the API takes.

import { el } from "./app_dom.js";
import { choiceWords, number, t } from "./app_i18n.js";

/** What a size in millimetres may be, as the server says. */
const MILLIMETRES = { min: 2, max: 5080 };
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Seconds that a result may be kept. */
const KEPT = [HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY];

/**
 * @typedef {Object} Own  a place for another value
 * @property {string} words  of its entry
 * @property {any[]} nodes  what it shows
 * @property {HTMLInputElement[]} inputs
 * @property {() => string} read  the value
 * @property {(value: string) => void} write
 */
/** @typedef {{box: HTMLElement, inputs: HTMLInputElement[], set: (value: string) => void, isOwn: () => boolean}} Parts */

/** @type {WeakMap<HTMLElement, Parts>} */
const lists = new WeakMap();

/** The place for another value of a list, and what sets it; undefined of any other control. */
export const partsOf = (control) => lists.get(control);

/** @param {string[][]} options  values and words @param {string} preset @param {Own} own */
function listOf(options, preset, own) {
  const select = el("select", null, ...options.map(([value, words]) => new Option(words, value, false, value === preset)));
  const other = new Option(own.words, "");
  const box = el("div", { className: "own", hidden: true }, ...own.nodes);
  const draw = () => (box.hidden = !other.selected);
  for (const one of own.inputs) one.required = true;
  select.append(other);
  select.addEventListener("input", draw);
  box.addEventListener("input", () => (other.value = own.read()));
  lists.set(select, {
    box, inputs: own.inputs, isOwn: () => other.selected,
    set(value) {
      if (value !== "" && !options.some(([one]) => one === value)) {
        own.write(value);
        other.value = own.read();
      }
      select.value = options.some(([one]) => one === value) ? value : other.value;
      draw();
    },
  });
  return select;
}

const numberField = (words, is) => {
  const input = el("input", { type: "number", inputMode: "decimal", ...is });
  return { input, label: el("label", null, el("span", { className: "hint" }, words), input) };
};

function pageSizes(tool, preset) {
  const sizes = [["fit", "fit"], ["a4", "a4"], ["297x420mm", "a3"], ["148x210mm", "a5"], ["letter", "letter"], ["legal", "legal"]];
  const [width, height] = ["width", "height"].map((name) => numberField(t(name), { ...MILLIMETRES, step: "any" }));
  return listOf(sizes.map(([value, name]) => [value, choiceWords(tool, "pageSize", name)]), preset, {
    words: t("ownSize"), nodes: [width.label, height.label], inputs: [width.input, height.input],
    read: () => (width.input.value && height.input.value ? `${width.input.value}x${height.input.value}mm` : ""),
    write(value) {
      const found = /^\s*([\d.]+)\s*x\s*([\d.]+)\s*mm\s*$/i.exec(value);
      [width.input.value, height.input.value] = found ? found.slice(1) : ["", ""];
    },
  });
}

/** Numbers as they look on the first of twelve pages. */
const sampleOf = (format) => format.replace("{n}", "1").replace("{total}", "12").replace("{roman}", "i").replace("{ROMAN}", "I");

function formats(preset) {
  const usual = ["{n}", "{n} / {total}", t("pageN"), t("pageOf", { page: "{n}", count: "{total}" }), "– {n} –", "{roman}", "{ROMAN}"];
  const input = el("input", { type: "text", maxLength: 200, dir: "auto", autocomplete: "off", value: preset });
  return listOf(usual.map((one) => [one, sampleOf(one)]), preset, {
    words: t("ownText"), nodes: [el("label", null, el("span", { className: "hint" }, t("formatHint")), input)], inputs: [input],
    read: () => input.value, write: (value) => (input.value = value),
  });
}

function onePage(preset) {
  const { input, label } = numberField(t("pageNumber"), { min: 1, step: 1, inputMode: "numeric" });
  return listOf([["last", t("lastPage")], ["1", t("firstPage")]], preset, {
    words: t("ownPage"), nodes: [label], inputs: [input], read: () => input.value, write: (value) => (input.value = value),
  });
}

/** Seconds in the largest unit that leaves no rest. */
function spanOf(seconds) {
  const [unit, name] = seconds % DAY ? (seconds % HOUR ? [60, "minute"] : [HOUR, "hour"]) : [DAY, "day"];
  return number(seconds / unit, { style: "unit", unit: name, unitDisplay: "long" });
}

/** @param {{usual?: number, longest?: number}} kept  seconds */
function spans({ usual, longest = Infinity }) {
  return el("select", null, new Option(usual ? t("asUsualFor", { time: spanOf(usual) }) : t("asUsual"), ""),
    ...KEPT.filter((one) => one <= longest && one !== usual).map((one) => new Option(spanOf(one), one % DAY ? `${one / HOUR}h` : `${one / DAY}d`)));
}

/** The list for a field, or null if it has none. @param {string} tool @param {import("./app_tools.js").Field} field */
export function listFor(tool, { name, schema, kept }) {
  if (name === "pageSize") return pageSizes(tool, schema.default);
  if (name === "format") return formats(schema.default);
  if (name === "page" && schema.default === "last") return onePage(schema.default);
  return name === "ttl" ? spans(kept || {}) : null;
}
