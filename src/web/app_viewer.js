// One page at a time, large, in a dialog.

import { el, iconButton, put } from "./app_dom.js";
import { documentOf, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";

const WIDTH = 1400;

/** A dialog that closes by its button, by Escape, and by a press beside it. */
export function dialog(title, ...inner) {
  const made = el("dialog", { className: "dialog", "aria-label": title },
    el("div", { className: "dialog-head" }, el("h2", null, el("bdi", null, title)), iconButton("close", t("close"), () => made.close())), ...inner);
  made.addEventListener("click", (event) => event.target === made && made.close());
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** @param {import("./app_files.js").Item} item @param {number} page from 1 @param {number} [turn] degrees */
export async function lookAt(item, page, turn = 0) {
  const image = el("img", { className: `turn-${turn}` });
  const place = el("output", { className: "hint" });
  const problem = el("p", { className: "error", role: "alert" });
  const paper = el("div", { className: "paper", tabIndex: 0, role: "group" }, image);
  let count = page;
  const show = (n) => {
    page = Math.max(1, Math.min(count, n));
    place.textContent = t("pageOf", { page, count });
    image.alt = t("pageOf", { page, count });
    paper.setAttribute("aria-label", image.alt);
    showPage(image, item, page, WIDTH);
  };
  const made = dialog(item.name, paper, problem,
    el("div", { className: "dialog-foot" }, iconButton("before", t("pageBefore"), () => show(page - 1)), place,
      iconButton("after", t("pageAfter"), () => show(page + 1))));
  made.classList.add("viewer");
  made.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(page + step);
  });
  try {
    count = (await documentOf(item)).count;
    show(page);
  } catch (error) {
    put(problem, error.message);
  }
}
