// A file from its address: typed where files are chosen, or pasted. The server fetches it.

import { el, put } from "./app_dom.js";
import { files } from "./app_files.js";
import { t } from "./app_i18n.js";

/** In place of a button: asks for an address. @param {HTMLElement} place @param {() => void} back draws the button again */
export function askAddress(place, back) {
  const input = el("input", { type: "url", id: "address", required: true, pattern: "https?://.+", autocomplete: "off", spellcheck: false, maxLength: 2000, placeholder: "https://", "aria-label": t("addressOf") });
  put(place, el("form", {
    className: "address",
    onsubmit: (event) => {
      event.preventDefault();
      files.addAddress(input.value.trim());
      back();
    },
    onkeydown: (event) => event.key === "Escape" && back(),
  }, input, el("button", { type: "submit", className: "quiet" }, t("fetchIt"))));
  input.focus();
}
