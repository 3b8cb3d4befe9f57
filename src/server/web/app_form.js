// A form made from a tool's declared parameters. What a field does not say is left out: the server's
// default counts then.

import { cardsFor } from "./app_cards.js";
import { listFor, partsOf } from "./app_choice.js";
import { severalOf } from "./app_several.js";
import { button, el, icon, kept } from "./app_dom.js";
import { choiceWords, paramWords, percent, sizeText, t } from "./app_i18n.js";

/** Sizes are asked for in megabytes. */
export const IN_MEGABYTES = new Set(["targetSize", "maxSize"]);
/** Files that fields take, where they are no pictures. */
const ACCEPTED = { certificate: ".p12,.pfx", data: ".json,.xfdf,.fdf,.csv,.xml,.txt", with: ".pdf", "watermark.image": ".pdf,.jpg,.jpeg,.png,.tif,.tiff,.webp,.gif,.bmp,.heic,.avif" };
/** Values that are lists, for which there are rows of controls; each comes with its module when it is wanted. */
const EDITORS = {
  "pages.operations": async () => {
    const { operationsEditor, wrongOperations } = await import("./app_operations.js");
    return [operationsEditor, wrongOperations];
  },
  "outline.outline": async () => {
    const { outlineEditor, wrongOutline } = await import("./app_outline.js");
    return [outlineEditor, wrongOutline];
  },
};
const SLIDERS = { opacity: [0.05, 1, 0.05] };

/** What a kind of input cannot say of its limits, by controls: gives what is wrong, or "". */
const checks = new WeakMap();

/** What draws the pictures of a list anew, once its value was set. @type {WeakMap<Element, () => void>} */
const drawn = new WeakMap();

/** How many pages the document of a form has, if that is known. @type {WeakMap<Element, () => number | undefined>} */
const pageCounts = new WeakMap();
export const countPages = (form, count) => pageCounts.set(form, count);

/** What is wrong with a list of pages of which the document has none. */
function wrongPages(control) {
  const count = pageCounts.get(control.closest("#fields"))?.();
  const wanted = control.value.match(/\d+/g)?.map(Number) || [];
  return count && wanted.length && wanted.every((n) => n > count) && !/[a-z]/i.test(control.value) ? t("wrongPages", { count }) : "";
}

function numberInput(schema) {
  return el("input", {
    type: "number", step: schema.multipleOf || (schema.type === "integer" ? "1" : "any"), inputMode: schema.type === "integer" ? "numeric" : "decimal",
    min: schema.minimum, max: schema.maximum,
  });
}

/** What is wrong with a number, in the reader's language; "" if it is within the limits. */
function wrongNumber(value, { minimum, maximum }) {
  if (value < minimum) return t("wrongLow", { min: minimum });
  return value > maximum ? t("wrongHigh", { max: maximum }) : "";
}

/** A number or one of some words, "auto". */
function mixedInput(limits, words) {
  const control = el("input", { type: "text", autocomplete: "off", spellcheck: false, inputMode: "text" });
  checks.set(control, () => {
    const value = control.value.trim();
    if (value === "" || words.includes(value.toLowerCase())) return "";
    return Number.isFinite(Number(value)) ? wrongNumber(Number(value), limits) : t("wrongNumberOr", { words: words.join(", ") });
  });
  return control;
}

/** A field for a file of at most `most` bytes. */
function fileInput(accept, most) {
  const control = el("input", { type: "file", accept });
  checks.set(control, () => (most && control.files[0]?.size > most ? t("wrongLarge", { size: sizeText(most) }) : ""));
  return control;
}

/** The numbers that a parameter can be: {minimum, maximum, type, multipleOf}; null if it is not a number. */
function limitsOf({ name, schema, options }) {
  const found = [schema, ...(schema.anyOf || [])].find((one) => one.type === "number" || one.type === "integer");
  return !found || options || name in SLIDERS || IN_MEGABYTES.has(name) ? null : found;
}

function controlOf(tool, field) {
  const { schema, name } = field;
  const list = listFor(tool, field);
  if (list) {
    const parts = partsOf(list);
    if (parts) checks.set(list, () => (parts.isOwn() ? parts.inputs.map(wrongOf).find(Boolean) || "" : ""));
    return list;
  }
  const limits = limitsOf(field);
  let control;
  if (field.options) {
    control = el("select");
    if (schema.default === undefined && !field.required) control.append(new Option(t("asItIs"), ""));
    control.append(...field.options.map((value) =>
      new Option(choiceWords(tool, name, value), value, false, String(value) === String(schema.default))));
    return control;
  }
  const binary = schema.anyOf?.find((one) => one.format === "binary");
  if (binary) return fileInput(schema.accept || ACCEPTED[`${tool}.${name}`] || ACCEPTED[name] || "image/png,image/jpeg", binary.maxLength);
  if (name === "text") control = el("textarea", { rows: 2 });
  else if (IN_MEGABYTES.has(name)) control = numberInput({ type: "number", minimum: Math.max(0.001, schema.minimum / 1e6), maximum: schema.maximum / 1e6 });
  else if (name in SLIDERS) {
    const [min, max, step] = SLIDERS[name];
    control = el("input", { type: "range", min, max, step });
  } else if (schema.type === "boolean") control = el("input", { type: "checkbox", checked: schema.default === true });
  else if (limits) control = limits === schema ? numberInput(schema) : mixedInput(limits, schema.anyOf.flatMap((one) => one.enum || []));
  else if (name === "url") control = el("input", { type: "url", autocomplete: "off", spellcheck: false, pattern: "https?://.+", placeholder: "https://" });
  else if (schema.format === "password") control = el("input", { type: "password", autocomplete: "off" });
  else if (name === "color") control = el("input", { type: "color", value: schema.default });
  else control = el("input", { type: "text", autocomplete: "off", spellcheck: false, dir: "auto" });
  if (control.type === "range") control.value = schema.default;
  else if (control.type !== "color" && control.type !== "checkbox") {
    if (schema.default !== undefined) control.placeholder = schema.default === "all" ? t("allPages") : String(schema.default);
    else if (schema.examples) control.placeholder = String(schema.examples[0]);
  }
  if (schema.maxLength) control.maxLength = schema.maxLength;
  if (schema.pattern && control.type === "text") control.pattern = schema.pattern;
  return control;
}

/** A password that can be looked at, and how strong a new one is. */
function secretRow(control, field) {
  const shown = el("button", {
    type: "button", className: "icon-button", "aria-label": t("showPassword"), "aria-pressed": "false",
    onclick: () => {
      control.type = control.type === "password" ? "text" : "password";
      shown.setAttribute("aria-pressed", String(control.type === "text"));
    },
  }, icon("eye"));
  const row = el("div", { className: "with-button" }, control, shown);
  if (field.name !== "password" || field.tool !== "add-password") return [row];
  const meter = el("meter", { min: 0, max: 4, low: 2, high: 3, optimum: 4, value: 0, "aria-label": t("strength"), hidden: true });
  const words = el("span", { className: "hint", role: "status" });
  control.addEventListener("input", () => {
    const level = strength(control.value);
    meter.value = level || 0.4; // A bar that is empty is not seen.
    meter.hidden = !control.value;
    words.textContent = control.value ? t(`strength${level}`) : "";
  });
  return [row, el("div", { className: "strength" }, meter, words)];
}

/** 0 (guessed at once) to 4, by length, kinds of characters, and repetition. */
export function strength(password) {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((one) => one.test(password)).length;
  const different = new Set(password).size;
  const run = /(.)\1{2,}|0123|1234|2345|3456|4567|5678|6789|abcd|qwer|asdf|passw/i.test(password);
  const alphabet = [0, 26, 40, 60, 80][kinds];
  const bits = Math.min(different * 1.5, password.length) * Math.log2(alphabet || 1) * (run ? 0.6 : 1);
  return bits < 25 ? 0 : bits < 40 ? 1 : bits < 55 ? 2 : bits < 75 ? 3 : 4;
}

function rowOf(tool, field, prefix) {
  const [label, help] = paramWords(tool, field.name, field.schema.description);
  const id = `${prefix}${field.name}`;
  // A document that opens without a password is unlocked by an empty one.
  const needed = field.required && tool !== "remove-password";
  const hint = help ? el("p", { className: "hint", id: `${id}-hint` }, help) : null;
  const error = el("p", { className: "error", id: `${id}-error`, role: "alert" });
  const several = field.schema["x-options"] && severalOf(tool, field.name, field.schema["x-options"], field.schema.default, label);
  const editor = EDITORS[`${tool}.${field.name}`];
  const control = several ? several.control : editor ? el("input", { type: "hidden" }) : controlOf(tool, field);
  const named = el("label", { for: id }, label, needed && el("span", { className: "needed" }, ` ${t("needed")}`));
  control.id = id;
  control.name = field.name;
  control.required = needed;
  control.setAttribute("aria-describedby", `${hint ? `${hint.id} ` : ""}${error.id}`);
  const parts = partsOf(control);
  for (const one of [control, parts?.box])
    one?.addEventListener("input", () => {
      control.removeAttribute("aria-invalid");
      error.textContent = "";
    });
  // What cannot be is told when the field is left, that a page is not there while it is typed; that
  // something is missing, only when it is sent.
  const tell = () => {
    const wrong = wrongOf(control);
    if (!wrong || control.validity.valueMissing) return;
    control.setAttribute("aria-invalid", "true");
    error.textContent = wrong;
  };
  control.addEventListener("change", tell);
  if (/^pages?$/.test(field.name)) {
    const wrongOwn = checks.get(control);
    checks.set(control, () => wrongOwn?.() || wrongPages(control));
    for (const one of [control, parts?.box]) one?.addEventListener("input", tell);
  }
  if (control.type === "checkbox")
    return el("div", { className: "field check" }, control, el("div", null, named, hint, error));
  if (control.type === "range") {
    const value = el("output", { for: id }, percent(Number(control.value)));
    control.addEventListener("input", () => (value.textContent = percent(Number(control.value))));
    named.append(" ", value);
  }
  if (editor) {
    const place = el("div", { className: "editor", role: "group", "aria-label": label, "aria-busy": "true" });
    editor().then(([make, wrong]) => {
      checks.set(control, () => (control.disabled ? "" : wrong(control.value)));
      drawn.set(control, make(control, place));
      place.removeAttribute("aria-busy");
    }, (problem) => (error.textContent = problem.message));
    return el("div", { className: "field" }, el("span", { className: "label", "aria-hidden": "true" }, label), place, control, error);
  }
  if (several) {
    drawn.set(control, several.draw);
    return el("div", { className: "field" }, el("span", { className: "label", "aria-hidden": "true" }, label), several.node, control, hint, error);
  }
  const pictures = cardsFor(tool, field.name, control, label);
  if (pictures) {
    drawn.set(control, pictures.draw);
    return el("div", { className: "field" }, el("span", { className: "label", "aria-hidden": "true" }, label), pictures.node, control, parts && parts.box, hint, error);
  }
  const shown = control.type === "password" ? secretRow(control, { ...field, tool }) : [control, parts && parts.box];
  return el("div", { className: "field" }, named, ...shown, hint, error);
}

/**
 * Fills a form with the fields of a tool: the simple ones first, the rest folded.
 * @param {HTMLElement} form @param {import("./app_tools.js").Tool} tool @param {string} [prefix] of ids
 */
export function drawForm(form, tool, prefix = "field-") {
  const simple = tool.fields.filter((field) => field.simple);
  const rest = tool.fields.filter((field) => !field.simple);
  form.replaceChildren(...simple.map((field) => rowOf(tool.name, field, prefix)));
  form.oninput = null;
  if (!rest.length) return;
  // What was changed there, and is perhaps forgotten, is told while it is folded.
  const changed = el("span", { className: "badge", hidden: true });
  const reset = button("undo", "", () => {
    resetValues(form, rest);
    form.dispatchEvent(new Event("input", { bubbles: true }));
    summary.focus();
  }, { className: "quiet reset-rest", hidden: true });
  const summary = el("summary", null, t("moreOptions"), " ", changed);
  form.append(el("details", { className: "more" }, summary, ...rest.map((field) => rowOf(tool.name, field, prefix))), reset);
  form.oninput = () => {
    const n = pairsOf(form, { name: tool.name, fields: rest.filter(({ name }) => form.querySelector(`details [name="${name}"]`)) }).length;
    changed.hidden = reset.hidden = n === 0;
    changed.textContent = t("changedOptions", { n });
    reset.lastElementChild.textContent = t("resetChanged", { n });
  };
}

/** Puts the defaults of fields back. @param {HTMLElement} form @param {any[]} list of a tool's fields */
export function resetValues(form, list) {
  for (const { name, schema } of list) {
    const control = /** @type {any} */ (form.querySelector(`[name="${name}"]`));
    if (!control) continue;
    if (partsOf(control)) partsOf(control).set(String(schema.default ?? ""));
    else if (control.type === "checkbox") control.checked = schema.default === true;
    else control.value = ["range", "color", "select-one"].includes(control.type) ? String(schema.default ?? "") : "";
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const controls = (form) => [...form.querySelectorAll("[name]:not([type=radio])")];
/** Names of what this browser does not keep. An address may let whoever has it see the page. */
export const SECRETS = /password|^url$|^headers$|^cookies$/i;
const isSecret = (control) => control.type === "file" || control.autocomplete === "off" && SECRETS.test(control.name);

/** What a form says, by names, without files, secrets and the name of one result: what may be kept. */
export function valuesOf(form) {
  const values = {};
  for (const control of controls(form)) {
    if (isSecret(control) || control.name === "outputName") continue;
    values[control.name] = control.type === "checkbox" ? control.checked : control.value;
  }
  return values;
}

/** Puts kept values back. */
export function putValues(form, values) {
  for (const control of controls(form)) {
    const value = values?.[control.name];
    if (value === undefined || isSecret(control) || control.name === "outputName") continue;
    if (partsOf(control)) partsOf(control).set(value);
    else if (control.type === "checkbox") control.checked = value === true;
    else if (control.tagName !== "SELECT" || [...control.options].some((one) => one.value === value)) control.value = value;
    drawn.get(control)?.();
    const output = control.closest(".field")?.querySelector("output");
    if (output) output.textContent = percent(Number(control.value));
  }
  form.oninput?.(new Event("input"));
}

/** The settings used last with a tool. */
export const lastValues = (tool) => kept.read(`last.${tool}`, {});
export const keepValues = (tool, values) => kept.write(`last.${tool}`, values);

/** Named settings of a tool: {name: values}. */
export const presetsOf = (tool) => kept.read(`presets.${tool}`, {});
export const keepPresets = (tool, presets) => kept.write(`presets.${tool}`, presets);

/** [name, value] of each field that says something else than its default. */
export function pairsOf(form, tool) {
  const pairs = [];
  for (const { name, schema } of tool.fields) {
    const control = form.querySelector(`[name="${name}"]`);
    if (!control || control.disabled) continue;
    if (control.type === "file") {
      if (control.files.length) pairs.push([name, control.files[0]]);
    } else if (control.type === "checkbox") {
      if (control.checked !== (schema.default === true)) pairs.push([name, String(control.checked)]);
    } else if (control.value !== "" && String(control.value).toLowerCase() !== String(schema.default).toLowerCase()) {
      pairs.push([name, IN_MEGABYTES.has(name) ? String(Math.round(control.value * 1e6)) : control.value]);
    } else if (name === "password" && tool.name === "remove-password") {
      pairs.push([name, ""]);
    }
  }
  return pairs;
}

/** Shows an error: at its field, if it names one, else in `otherwise`. detail: what says more of it. */
export function showError(form, message, fieldName, otherwise, { focus = true, detail = null } = {}) {
  const control = fieldName && form.querySelector(`[name="${CSS.escape(fieldName)}"]`);
  const place = control ? form.querySelector(`#${CSS.escape(control.id)}-error`) : otherwise;
  place.textContent = message;
  if (detail) place.append(detail);
  if (!control) return;
  control.setAttribute("aria-invalid", "true");
  const folded = control.closest("details");
  if (folded) folded.open = true;
  if (focus) control.focus();
}

export function clearErrors(form) {
  for (const place of form.querySelectorAll(".error")) place.textContent = "";
  for (const control of controls(form)) control.removeAttribute("aria-invalid");
}

/** What is wrong with a control, in the reader's language; "" if nothing is. */
function wrongOf(control) {
  const is = control.validity;
  if (is.valueMissing) return t("wrongMissing");
  if (is.rangeUnderflow || is.rangeOverflow) return wrongNumber(Number(control.value), { minimum: Number(control.min), maximum: Number(control.max) });
  if (is.badInput || is.stepMismatch) return t("wrongNumber");
  return checks.get(control)?.() || control.validationMessage;
}

/** Whether all fields can be; tells of the first that cannot. */
export function isValid(form, otherwise) {
  for (const control of controls(form)) {
    const wrong = wrongOf(control);
    if (!wrong) continue;
    showError(form, wrong, control.name, otherwise);
    return false;
  }
  return true;
}
