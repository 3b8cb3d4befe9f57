// What the operations of the tool "pages" make of the document, drawn of the pictures of its pages while they are changed.

import { el, put } from "./app_dom.js";
import { documentOf, files, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";
import { operationsOf, operationTitle } from "./app_operations.js";
import { planOf } from "./app_plan.js";

const SHOWN = 24; // pages
const PICTURES = 240; // of pages, at most; more are drawn as empty paper
const WIDTH = 320;

/** @param {any} context of the tool's view */
export async function operated(context) {
  const { fields, preview } = context;
  const said = el("p", { className: "op-said", id: "op-said", role: "status" });
  const notes = el("p", { className: "hint", hidden: true });
  const list = el("ol", { className: "op-pages", tabIndex: 0, "aria-labelledby": "op-said" });
  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  let state = "";
  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), said, list, notes);

  const share = (length, whole) => `${(length / whole) * 100}%`;
  function partOf(part, page, pictured) {
    const [left, top, right, bottom] = part.seen;
    const image = pictured ? el("img", { alt: "", draggable: false, decoding: "async" }) : el("span");
    Object.assign(image.style, { left: share(part.x - left, right - left), top: share(part.y - top, bottom - top), width: share(part.width, right - left), height: share(part.height, bottom - top) });
    const made = el("div", { className: "op-part" }, image);
    Object.assign(made.style, { left: share(left, page.width), top: share(top, page.height), width: share(right - left, page.width), height: share(bottom - top, page.height) });
    if (pictured) showPage(image, item, part.page, WIDTH);
    return made;
  }

  /** The letterhead is asked for where it is needed. */
  function fit(operations) {
    const letterhead = fields.querySelector('[name="with"]');
    if (letterhead) letterhead.closest(".field").hidden = !operations.some((op) => op.op === "compose");
  }

  function draw() {
    const operations = operationsOf(fields.querySelector('[name="operations"]')?.value) || [];
    fit(operations);
    if (!item) return;
    const now = `${item.id} ${item.password ?? ""} ${JSON.stringify(operations)}`;
    if (now === state) return;
    state = now;
    const { count, size } = item.doc;
    const { pages, wrong } = planOf(Array.from({ length: count }, (_, i) => size(i + 1)), operations);
    const shown = pages.slice(0, SHOWN);
    const widest = Math.max(...shown.map((page) => page.width));
    let pictures = PICTURES;
    put(list, ...shown.map((page, i) => {
      const paper = el("div", { className: "op-paper", role: "img", "aria-label": t("pageOf", { page: i + 1, count: pages.length }) }, ...page.parts.map((part) => partOf(part, page, pictures-- > 0)));
      paper.style.aspectRatio = `${page.width} / ${page.height}`;
      paper.style.width = share(page.width, widest);
      return el("li", null, paper, el("span", { "aria-hidden": "true" }, String(i + 1)));
    }));
    preview.dataset.pages = String(pages.length);
    said.classList.toggle("bad", wrong >= 0);
    said.textContent = wrong >= 0 ? t("opsWrong", { n: wrong + 1, name: operationTitle(operations[wrong].op) })
      : operations.length ? t("opsMake", { was: t("pagesCount", { n: count }), is: t("pagesCount", { n: pages.length }) }) : t("pagesCount", { n: count });
    const told = [pages.length > SHOWN && t("opsFirst", { n: SHOWN }), operations.some((op) => op.auto) && t("opsAuto"), operations.some((op) => op.op === "compose") && t("opsWith")].filter(Boolean);
    notes.hidden = told.length === 0;
    notes.textContent = told.join(" ");
  }

  async function find() {
    const next = context.item() || null;
    preview.hidden = !next;
    if (!next) {
      item = null;
      state = "";
      return;
    }
    try {
      await documentOf(next);
      item = next;
      draw();
    } catch {
      preview.hidden = true;
    }
  }
  fields.addEventListener("input", draw);
  for (const event of ["list", "change", "known"]) files.addEventListener(event, find);
  draw();
  await find();
  return {
    leave() {
      fields.removeEventListener("input", draw);
      for (const event of ["list", "change", "known"]) files.removeEventListener(event, find);
    },
  };
}
