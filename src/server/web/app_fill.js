// Filling in a form: the fields stand on the picture of the page, where they are in the document.

import { ask, finished, here, submit } from "./app_api.js";
import { el, iconButton, put } from "./app_dom.js";
import { documentOf, files, refOf, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";
import { pageStrip } from "./app_strip.js";

const WIDTH = 1200;
const LINE = 0.68; // the size of letters, in heights of a field of one line
const LEAST = 1.22; // pixels for a point: what is smaller on a page cannot be hit
const MOST = 14; // points: the size of letters in fields of several lines, and in high ones

/** @typedef {{page?: number, box?: number[], hidden: boolean, state?: string}} Place */
/** @typedef {{name: string, kind: string, label?: string, value?: any, options?: {value: string, label: string}[], required: boolean, readOnly: boolean,
 *   maxLength?: number, multiline?: boolean, password?: boolean, multiple?: boolean, editable?: boolean, widgets: Place[]}} Field */

const KINDS = new Set(["text", "check", "radio", "combo", "list"]);

/** The fields of a file, by a job of which nothing stays. @param {import("./app_files.js").Item} item @returns {Promise<Field[]>} */
async function fieldsOf(item) {
  const { jobId } = await submit("form-fields", [["file", refOf(item)], ["inputPassword", item.password]]);
  const job = await finished(jobId);
  const { fields } = await fetch(here(job.downloadUrl)).then((answer) => answer.json());
  ask("DELETE", `/api/v1/jobs/${jobId}`).catch(() => null);
  return fields.filter((one) => KINDS.has(one.kind));
}

let serial = 0;

/** What a person fills in a field with. @param {Field} field @param {Place} place @param {any} value */
function controlOf(field, place, value) {
  const common = { "aria-label": field.label || field.name, title: field.label || field.name, required: field.required, disabled: field.readOnly };
  if (field.kind === "check") return el("input", { type: "checkbox", checked: Boolean(value) && value === place.state, value: place.state, ...common });
  if (field.kind === "radio") return el("input", { type: "radio", name: `radio-${field.name}`, checked: value === place.state, value: place.state, ...common,
    "aria-label": `${common["aria-label"]}: ${field.options?.find((one) => one.value === place.state)?.label || place.state}` });
  if (field.kind === "list" || (field.kind === "combo" && !field.editable)) {
    const chosen = [value].flat();
    return el("select", { multiple: field.multiple || field.kind === "list", ...common }, field.kind === "combo" && el("option", { value: "" }),
      (field.options || []).map((one) => el("option", { value: one.value, selected: chosen.includes(one.value) }, one.label)));
  }
  if (field.multiline) return el("textarea", { value: value || "", maxLength: field.maxLength, dir: "auto", ...common });
  const list = field.options?.length ? el("datalist", { id: `fill-${++serial}` }, field.options.map((one) => el("option", { value: one.label }))) : null;
  const input = el("input", { type: field.password ? "password" : "text", value: value || "", maxLength: field.maxLength, dir: "auto", autocomplete: "off", list: list?.id, ...common });
  return list ? el("span", null, input, list) : input;
}

/** The value that a control has now. @param {Field} field @param {HTMLElement} control */
function valueOf(field, control) {
  const one = /** @type {any} */ (control.matches("span") ? control.firstElementChild : control);
  if (field.kind === "check") return one.checked ? one.value : null;
  if (one.multiple) return [...one.selectedOptions].map((option) => option.value).slice(0, field.multiple ? undefined : 1);
  return one.value === "" ? null : one.value;
}

/** @param {any} context of the tool's view */
export async function filling(context) {
  const { fields: form, preview, problem } = context;
  const image = el("img", { alt: "", draggable: false });
  const layer = el("div", { className: "fill-layer" });
  const stage = el("div", { className: "stage fill-stage", dir: "ltr" }, image, layer);
  const room = el("div", { className: "fill-room" }, stage);
  const said = el("p", { className: "hint", id: "fill-said", role: "status" });
  const output = el("output", { className: "hint" });
  const strip = pageStrip((n) => turnTo(n));
  const turner = el("div", { className: "row turner" }, iconButton("before", t("pageBefore"), () => turnTo(page - 1), { "data-turn": "-1" }), output,
    iconButton("after", t("pageAfter"), () => turnTo(page + 1), { "data-turn": "1" }));
  const input = /** @type {HTMLInputElement} */ (form.querySelector('[name="data"]'));
  /** Fields of the files that were looked at, and what was typed into them. @type {Map<string, {fields: Field[], values: Map<string, any>}>} */
  const known = new Map();
  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  let page = 1;
  let count = 1;

  // Values may come from a file instead, as one that another program wrote.
  input.required = false;
  const row = input.closest(".field");
  const folded = el("details", { id: "fill-file" }, el("summary", null, t("fillFromFile")));
  row.before(folded);
  folded.append(row);

  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), turner, said, room, strip.node);

  function draw() {
    const { fields, values } = known.get(item.id);
    const [width, height] = item.doc.size(page);
    put(layer, ...fields.flatMap((field) => field.widgets.filter((place) => place.page === page && !place.hidden).map((place) => {
      const [left, top, right, bottom] = place.box;
      const control = controlOf(field, place, values.has(field.name) ? values.get(field.name) : field.value);
      const letters = field.multiline || field.kind === "list" ? MOST * 0.85 : Math.min(MOST, (bottom - top) * LINE);
      const where = { left: `${(left / width) * 100}%`, top: `${(top / height) * 100}%`, width: `${((right - left) / width) * 100}%`, height: `${((bottom - top) / height) * 100}%`, fontSize: `${(letters / width) * 100}cqw` };
      control.classList.add("fill-field");
      control.dataset.field = field.name;
      Object.assign(control.style, where);
      control.addEventListener("input", () => {
        values.set(field.name, valueOf(field, control));
        problem.textContent = "";
        for (const other of /** @type {NodeListOf<any>} */ (layer.querySelectorAll(".fill-field")))
          if (other !== control && other.dataset.field === field.name && other.type === control.getAttribute("type") && field.kind === "text") other.value = values.get(field.name) || "";
      });
      return control;
    })));
  }

  function turnTo(n) {
    page = Math.max(1, Math.min(count, n));
    const [width, height] = item.doc.size(page);
    stage.style.minWidth = `${Math.round(width * LEAST)}px`;
    stage.style.aspectRatio = `${width} / ${height}`;
    strip.show(item, count, page);
    turner.hidden = count < 2;
    for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (turner.querySelectorAll("button"))) one.disabled = one.dataset.turn === "1" ? page === count : page === 1;
    showPage(image, item, page, WIDTH);
    image.alt = output.textContent = t("pageOf", { page, count });
    draw();
  }

  /** @param {import("./app_files.js").Item | null} next */
  async function show(next) {
    item = null;
    preview.hidden = !next;
    if (!next) return;
    said.textContent = t("loading");
    room.hidden = true;
    try {
      const doc = await documentOf(next);
      if (!known.has(next.id)) known.set(next.id, { fields: await fieldsOf(next), values: new Map() });
      if (asked !== next) return;
      const { fields } = known.get(next.id);
      said.textContent = fields.length ? t("fillHelp", { n: fields.length }) : t("fillNone");
      item = next;
      count = doc.count;
      room.hidden = false;
      turnTo(fields.flatMap((one) => one.widgets).find((place) => place.page && !place.hidden)?.page || 1);
    } catch (error) {
      if (asked === next) said.textContent = error.message;
    }
  }

  let asked = null;
  function find() {
    const next = context.items()[0] || null;
    if (next === asked) return;
    asked = next;
    show(next);
  }
  files.addEventListener("list", find);
  files.addEventListener("change", find);
  find();
  return {
    /** The values of a file's fields. Files that were not looked at get those of the one that was. @param {import("./app_files.js").Item} one */
    extra(one) {
      const typed = known.get(one.id) || (item && known.get(item.id));
      return input.files.length || !typed ? [] : [["data", JSON.stringify(Object.fromEntries(typed.values))]];
    },
    refused() {
      if (input.files.length || (item && known.get(item.id).values.size)) return false;
      problem.textContent = t("fillNothing");
      /** @type {HTMLElement | null} */ (layer.querySelector(".fill-field:not(:disabled)"))?.focus();
      return true;
    },
    leave() {
      files.removeEventListener("list", find);
      files.removeEventListener("change", find);
    },
  };
}
