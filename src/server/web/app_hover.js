// What can be done to the page under the pointer, on the page itself, and the scissors between pages. For
// fingers the tools are in the bar; keys do the same without a pointer.

import { el, icon } from "./app_dom.js";
import { t } from "./app_i18n.js";

const tool = ([name, what, words]) => el("span", { className: "leaf-tool", "data-do": what, title: words }, icon(name));

/**
 * The tools follow the pointer from page to page.
 * @param {HTMLElement} root  the board
 * @param {string[][]} tools  of each its icon, its name in data-do, and its words
 */
export function pageTools(root, tools) {
  const node = el("span", { className: "leaf-tools", "aria-hidden": "true" }, ...tools.map(tool));
  root.addEventListener("pointerover", (event) => {
    const leaf = event.pointerType === "touch" ? null : /** @type {HTMLElement} */ (event.target).closest(".leaf");
    if (leaf && node.parentNode !== leaf) leaf.append(node);
  });
  root.addEventListener("pointerleave", () => node.remove());
}

/** The scissors before a page. */
export const scissors = () => el("span", { className: "scissors", "data-do": "cut", title: t("splitHere"), "aria-hidden": "true" }, icon("scissors"));
