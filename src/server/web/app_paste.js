// A page or a text that is typed or pasted, in place of a file.

import { el, put } from "./app_dom.js";
import { files } from "./app_files.js";
import { t } from "./app_i18n.js";

/** What the text is called as a file, by tools that take texts. */
const NAMES = { "html-to-pdf": "page.html", "html-to-png": "page.html", "markdown-to-pdf": "text.md" };

/** In place of a button: asks for a text, which is sent as a file. @param {HTMLElement} place @param {string} tool @param {() => void} back draws the button again */
export function askText(place, tool, back) {
  const input = el("textarea", { id: "pasted", required: true, rows: 8, spellcheck: false, dir: "auto", "aria-label": t("textOf") });
  put(place, el("form", {
    className: "pasted",
    onsubmit: (event) => {
      event.preventDefault();
      files.add([new File([input.value], NAMES[tool], { type: "text/plain" })]);
      back();
    },
    onkeydown: (event) => event.key === "Escape" && back(),
  }, input, el("button", { type: "submit", className: "quiet" }, t("addText"))));
  input.focus();
}
