// One or several of a list, as boxes to tick. The control of the form is a field that is not shown, with the
// words that the API takes, divided by commas; the boxes say the same.

import { el } from "./app_dom.js";
import { choiceWords } from "./app_i18n.js";

/**
 * @param {string} tool @param {string} name of the field @param {string[]} options @param {string | undefined} preset @param {string} label
 * @returns {{control: HTMLInputElement, node: HTMLElement, draw: () => void}}
 */
export function severalOf(tool, name, options, preset, label) {
  const control = /** @type {HTMLInputElement} */ (el("input", { type: "hidden", value: preset || "" }));
  const boxes = options.map((value) => /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", value })));
  const node = el("div", { className: "several", role: "group", "aria-label": label },
    ...boxes.map((box) => el("label", null, box, el("span", null, choiceWords(tool, name, box.value)))));
  const draw = () => {
    const chosen = (control.value || preset || "").split(",").map((one) => one.trim());
    for (const box of boxes) box.checked = chosen.includes(box.value);
  };
  node.addEventListener("input", (event) => event.stopPropagation());
  node.addEventListener("change", (event) => {
    event.stopPropagation();
    // One at least stays chosen, where something is chosen by default.
    if (preset && !boxes.some((box) => box.checked)) /** @type {HTMLInputElement} */ (event.target).checked = true;
    control.value = boxes.filter((box) => box.checked).map((box) => box.value).join(",");
    control.dispatchEvent(new Event("input", { bubbles: true }));
  });
  control.addEventListener("input", draw);
  draw();
  return { control, node, draw };
}
