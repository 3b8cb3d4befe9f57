// What ocr found, on the screen of its result: the picture of a page with the words over it, each in its box, to be
// selected and copied; and, at the press of a button, the words alone, where they are on the page.

import { button, el, iconButton, put } from "./app_dom.js";
import { documentOf, showPage, wordsOf } from "./app_files.js";
import { percent, t } from "./app_i18n.js";
import { textLayer } from "./app_text_layer.js";

const WIDTH = 1000;
const NOWHERE = { inner: () => null, outer: () => null, count: 1 };

/**
 * Shows the pages of a document with their words in a place.
 * @param {HTMLElement} place @param {import("./app_files.js").Item} item
 * @param {{first: number, last?: number, words?: number, confidence?: number}[]} rows  of the report: what became of pages
 */
export async function showFound(place, item, rows) {
  const { count, size } = await documentOf(item);
  const paper = el("div", { className: "found-page" });
  const said = el("output", { className: "hint" });
  const first = rows.find((one) => one.words)?.first || 1;
  let [page, alone] = [Math.min(first, count), false];
  const show = async (n) => {
    page = n;
    const image = el("img", { alt: t("pageOf", { page, count }), draggable: false });
    const [width, height] = size(page);
    paper.style.setProperty("--ratio", String(width / height));
    put(paper, image);
    showPage(image, item, page, WIDTH);
    [before.disabled, after.disabled] = [page === 1, page === count];
    const found = await wordsOf(item, page);
    if (n !== page) return;
    const words = found.lines.reduce((sum, line) => sum + line.words.length, 0);
    const { confidence } = rows.find((one) => one.first <= page && page <= (one.last || one.first)) || {};
    put(said, [count > 1 && t("pageOf", { page, count }), t("foundWords", { n: words }), words > 0 && confidence !== undefined && t("foundSure", { part: percent(confidence / 100) })].filter(Boolean).join(" · "));
    paper.append(textLayer({ ...found, links: [] }, NOWHERE));
  };
  const before = iconButton("before", t("pageBefore"), () => show(page - 1));
  const after = iconButton("after", t("pageAfter"), () => show(page + 1));
  const read = button("to-text", t("foundText"), () => {
    alone = !alone;
    paper.classList.toggle("as-text", alone);
    read.setAttribute("aria-pressed", String(alone));
  }, { className: "quiet", "aria-pressed": "false", id: "found-text" });
  put(place, el("div", { className: "found" }, paper, el("div", { className: "found-foot" }, count > 1 && before, said, count > 1 && after, read)));
  await show(page);
}
