// The list of files to work on, as every view shows it: their progress, order, and what is wrong.

import { el, icon, iconButton, put, say } from "./app_dom.js";
import { documentOf, files, hasPages, openWith, showPage } from "./app_files.js";
import { percent, sizeText, t } from "./app_i18n.js";
import { PICTURES } from "./app_tools.js";

/** Asks the system for files. @param {{accept?: string, capture?: boolean, done?: (made: any[]) => void}} [how] */
export function chooser(id, words, how = {}) {
  const input = el("input", {
    id, type: "file", multiple: !how.capture, className: "unseen", accept: how.accept,
    onchange: () => {
      document.dispatchEvent(new CustomEvent("take", { detail: [...input.files] }));
      input.value = "";
    },
  });
  if (how.capture) input.setAttribute("capture", "environment");
  return el("span", { className: "choose" }, input,
    el("label", { for: id, className: how.capture ? "button quiet" : "button" }, icon(how.capture ? "camera" : "add"), el("span", null, words)));
}

/** What a picture file shows, drawn small, without an address that could be markup. */
async function drawPicture(place, file) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, 112 / Math.max(bitmap.width, bitmap.height));
    const canvas = el("canvas", { width: Math.max(1, bitmap.width * scale), height: Math.max(1, bitmap.height * scale) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    put(place, canvas);
  } catch {
    // The server may know a picture that the browser does not.
  }
}

function thumb(item) {
  const place = el("span", { className: "thumb", "aria-hidden": "true" }, icon("file"), el("span", { className: "kind" }, item.kind || "?"));
  if (hasPages(item)) {
    const image = el("img", { alt: "", onload: () => put(place, image) });
    documentOf(item).then(() => showPage(image, item, 1, 160), () => null);
  } else if (item.file && PICTURES.includes(item.kind) && item.size < 3e7) {
    drawPicture(place, item.file);
  }
  return place;
}

function stateOf(item, place, asks) {
  if (item.state === "sending" || item.state === "waiting")
    return put(place, el("progress", { max: 1, value: item.size ? item.offset / item.size : 0, "aria-label": t("sendingNamed", { name: item.name }) }),
      el("span", { className: "hint" }, item.paused ? t("reconnecting") : `${sizeText(item.size)} · ${percent(item.size ? item.offset / item.size : 0)}`));
  if (item.state === "failed") return put(place, el("span", { className: "bad" }, item.error));
  if (item.state === "lost") return put(place, el("span", { className: "bad" }, t("chooseAgain", { part: percent(item.offset / item.size) })));
  const words = el("span", { className: "hint" }, sizeText(item.size));
  put(place, words);
  if (hasPages(item))
    documentOf(item).then((doc) => (words.textContent = `${t("pagesCount", { n: doc.count })} · ${sizeText(item.size)}`),
      (problem) => {
        if (item.locked) put(place, asks ? passwordForm(item) : el("span", { className: "hint" }, t("encrypted")));
        else put(place, words, el("span", { className: "bad" }, problem.message));
      });
  return place;
}

/**
 * Asks for the password of a file, whose pages can be shown once it is open.
 * @param {import("./app_files.js").Item} item @param {() => void} [done] once the password was right or wrong
 */
export function passwordForm(item, done = () => answered(item)) {
  const input = el("input", { type: "password", autocomplete: "off", "aria-label": t("passwordOf", { name: item.name }), placeholder: t("password") });
  const wrong = item.locked === "wrong_password";
  return el("form", {
    className: "unlock", "data-file": item.id,
    onsubmit: (event) => {
      event.preventDefault();
      event.stopPropagation();
      openWith(item, input.value).then(done, done);
    },
  }, el("span", { className: wrong ? "bad" : "hint", role: wrong && "alert" }, t(wrong ? "wrongPassword" : "encrypted")), input,
  el("button", { type: "submit", className: "quiet" }, t("unlock")));
}

const fieldOf = (item) => /** @type {HTMLInputElement | null} */ (document.querySelector(`[data-file="${item.id}"] input`));

/** A password was right or wrong: a field that is there again has the focus. */
async function answered(item) {
  files.listed();
  await documentOf(item).catch(() => null);
  if (document.activeElement === document.body)
    (fieldOf(item) || /** @type {HTMLElement} */ (document.querySelector("main h1")))?.focus({ preventScroll: true });
}

/**
 * Opens files with what was typed for them and not sent. Whether all are open then; else the first
 * that is not has the focus in its field.
 * @param {import("./app_files.js").Item[]} items
 */
export async function allOpen(items) {
  for (const item of items.filter(hasPages)) await documentOf(item).catch(() => null);
  const typed = items.filter((one) => one.locked && fieldOf(one)?.value);
  for (const item of typed) await openWith(item, fieldOf(item).value).catch(() => null);
  if (typed.length) files.listed();
  const closed = items.find((one) => one.locked);
  if (!closed) return true;
  await documentOf(closed).catch(() => null); // Its field is there again.
  fieldOf(closed)?.focus();
  return false;
}

/**
 * Shows the files in `place` for as long as it is on the page.
 * @param {HTMLElement} place
 * @param {{order?: boolean, asks?: boolean}} how  order: their order counts; asks: for passwords, unless it is false
 * @returns {() => void} stops it
 */
export function tray(place, how = {}) {
  const states = new Map();
  const draw = () => {
    states.clear();
    put(place, files.items.map((item, index) => {
      const state = el("span", { className: "state" });
      states.set(item, state);
      const focus = (to, first) => /** @type {HTMLElement | null} */ (place.children[to]?.querySelector(`${first || "button"}:not(:disabled)`) || place.children[to]?.querySelector("button:not(:disabled)"))?.focus();
      const move = (to) => {
        files.move(index, to);
        focus(to, to < index ? ".move-up" : ".move-down");
        say(t("movedTo", { name: item.name, n: to + 1 }));
      };
      const row = el("li", null, thumb(item), el("span", { className: "what" }, el("bdi", { className: "name" }, item.name), stateOf(item, state, how.asks !== false)),
        el("span", { className: "acts" },
          how.order && files.items.length > 1 && [
            iconButton("up", t("moveUp", { name: item.name }), () => move(index - 1), { className: "icon-button move-up", disabled: index === 0 }),
            iconButton("down", t("moveDown", { name: item.name }), () => move(index + 1), { className: "icon-button move-down", disabled: index + 1 === files.items.length })],
          iconButton("close", t("removeNamed", { name: item.name }), () => {
            files.remove(item);
            say(t("removed", { name: item.name }));
            focus(Math.min(index, files.items.length - 1));
          })));
      return row;
    }));
  };
  const change = (event) => {
    const item = event.detail;
    const state = states.get(item);
    if (!state) return;
    const bar = state.querySelector("progress");
    if (bar && item.state === "sending") {
      bar.value = item.size ? item.offset / item.size : 0;
      state.querySelector(".hint").textContent = item.paused ? t("reconnecting") : `${sizeText(item.size)} · ${percent(bar.value)}`;
    } else {
      draw();
    }
  };
  files.addEventListener("list", draw);
  files.addEventListener("change", change);
  draw();
  return () => {
    files.removeEventListener("list", draw);
    files.removeEventListener("change", change);
  };
}

