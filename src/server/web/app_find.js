// Finding a tool by a word of it: in the field of the start, and anywhere by Ctrl+K.

import { el, kept, put } from "./app_dom.js";
import { t, toolSummary, toolTitle } from "./app_i18n.js";
import { toolNames } from "./app_tools.js";

const MOST_RECENT = 4;

/** What a word is looked for in: letters without their marks, in small. */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The tools of which each word is in the title, in the summary or in the API's name; those whose title begins with it first. @param {string} wanted */
export function found(wanted) {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  const ranked = toolNames().flatMap((name) => {
    const title = plain(toolTitle(name));
    const all = `${title} ${plain(toolSummary(name))} ${name}`;
    if (!words.every((one) => all.includes(one))) return [];
    return [{ name, rank: title.startsWith(words[0] || "") ? 0 : title.includes(words[0]) ? 1 : 2 }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map((one) => one.name);
}

/** The tools that were used last, the newest first. @returns {string[]} */
export const recent = () => kept.read("recent", []).filter((name) => toolNames().includes(name));
export const used = (name) => kept.write("recent", [name, ...recent().filter((one) => one !== name)].slice(0, MOST_RECENT));

/** Tools that the reader marked. @returns {string[]} */
export const favourites = () => kept.read("favourites", []).filter((name) => toolNames().includes(name));
export function toggleFavourite(name) {
  const all = favourites();
  kept.write("favourites", all.includes(name) ? all.filter((one) => one !== name) : [...all, name]);
}

/**
 * A field and its list in a dialog: typed, chosen by arrow keys, taken by Enter.
 * @param {(name: string) => any} picture  of a tool @param {(name: string) => string} address
 */
export async function openFinder(picture, address) {
  const { dialog } = await import("./app_viewer.js");
  let chosen = 0;
  const list = el("ul", { id: "finder-list", className: "finder-list", role: "listbox", "aria-label": t("tools") });
  const input = el("input", {
    id: "finder", type: "search", role: "combobox", autocomplete: "off", placeholder: t("findTool"), "aria-label": t("findTool"), "aria-expanded": "true", "aria-controls": "finder-list",
  });
  const take = (name) => {
    made.close();
    // The step of the dialog in the history is gone first.
    setTimeout(() => (location.hash = address(name)), 60);
  };
  const draw = () => {
    const names = input.value.trim() ? found(input.value) : [...new Set([...recent(), ...favourites(), ...toolNames()])];
    chosen = Math.max(0, Math.min(chosen, names.length - 1));
    put(list, names.length ? names.map((name, i) => el("li", { role: "option", id: `found-${name}`, "aria-selected": String(i === chosen), "data-name": name, onclick: () => take(name) },
      picture(name), el("span", null, el("strong", null, toolTitle(name)), el("span", { className: "hint" }, toolSummary(name))))) : el("li", { role: "option", "aria-disabled": "true", "aria-selected": "false", className: "hint" }, t("noToolFound")));
    if (names.length) input.setAttribute("aria-activedescendant", `found-${names[chosen]}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("input", () => ((chosen = 0), draw()));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) chosen += step;
    else if (event.key === "Enter") {
      const name = /** @type {HTMLElement} */ (list.children[chosen])?.dataset.name;
      if (name) take(name);
    } else return;
    event.preventDefault();
    draw();
  });
  const made = dialog(t("findTool"), el("div", { className: "finder" }, input, list));
  made.classList.add("finder-dialog");
  draw();
  input.focus();
}
