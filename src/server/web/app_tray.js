// The list of files to work on, as every view shows it: their progress, order, and what is wrong.

import { button, el, icon, iconButton, pictureOf, put, say } from "./app_dom.js";
import { documentOf, files, hasPages, openWith, showPage } from "./app_files.js";
import { percent, sizeText, t } from "./app_i18n.js";
import { PICTURES } from "./app_tools.js";

/** Each file has a colour of its own, by its place in the list. @param {number} index */
export const hueOf = (index) => Math.round(190 + index * 137.5) % 360;

const THUMB = 112; // pixels of the side of a small picture

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

function thumb(item) {
  const place = el("span", { className: "thumb", "aria-hidden": "true" }, icon("file"), el("span", { className: "kind" }, item.kind || "?"));
  if (hasPages(item)) {
    const image = el("img", { alt: "", onload: () => put(place, image) });
    documentOf(item).then(() => showPage(image, item, 1, 160), () => null);
  } else if (item.file && PICTURES.includes(item.kind) && item.size < 3e7) {
    pictureOf(item.file, THUMB).then((made) => made && put(place, made.canvas));
  }
  return place;
}

const sending = (item) => (item.paused ? t("reconnecting") : item.address ? t("fetching") : `${sizeText(item.size)} · ${percent(item.size ? item.offset / item.size : 0)}`);

function stateOf(item, place, asks) {
  if (item.state === "sending" || item.state === "waiting")
    return put(place, el("progress", { max: 1, value: item.size ? item.offset / item.size : 0, "aria-label": t("sendingNamed", { name: item.name }) }),
      el("span", { className: "hint" }, sending(item)));
  if (item.state === "failed") return put(place, el("span", { className: "bad" }, item.error));
  if (item.state === "lost") return put(place, el("span", { className: "bad" }, t("chooseAgain", { part: percent(item.offset / item.size) })));
  const words = el("span", { className: "hint" }, sizeText(item.size));
  put(place, words, item.cut && el("span", { className: "bad" }, t("cutOff")));
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

const HOLD_MS = 300; // a finger that rests so long on a row takes it along
const SLACK = 6; // pixels that a press may wander

/**
 * Rows that are dragged up and down. What is dragged follows the pointer, the others make room; at the
 * end `moved` gets the two places.
 * @param {HTMLElement} place @param {(from: number, to: number) => void} moved
 */
function sortable(place, moved) {
  place.addEventListener("pointerdown", (event) => {
    const row = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.target).closest("li"));
    const other = /** @type {HTMLElement} */ (event.target).closest("button, input, a, form");
    if (event.button || !row || other || place.children.length < 2) return;
    const rows = /** @type {HTMLElement[]} */ ([...place.children]);
    const from = rows.indexOf(row);
    const boxes = rows.map((one) => one.getBoundingClientRect());
    const room = from + 1 < boxes.length ? boxes[from + 1].top - boxes[from].top : boxes[from].top - boxes[from - 1].top;
    const began = scrollY;
    const held = new AbortController();
    let on = false;
    let to = from;
    const lift = () => {
      on = true;
      row.setPointerCapture(event.pointerId);
      place.classList.add("sorting");
      row.classList.add("lifted");
    };
    const timer = event.pointerType === "touch" ? setTimeout(lift, HOLD_MS) : 0;
    const move = (at) => {
      const dy = at.clientY - event.clientY + scrollY - began;
      if (!on && Math.hypot(at.clientX - event.clientX, dy) > SLACK) {
        if (event.pointerType === "touch") return end();
        lift();
      }
      if (!on) return;
      const middle = boxes[from].top + boxes[from].height / 2 + dy;
      to = boxes.reduce((found, box, i) => (i < from && middle < box.top + box.height / 2 ? Math.min(found, i) : i > from && middle > box.top + box.height / 2 ? Math.max(found, i) : found), from);
      rows.forEach((one, i) => {
        const shift = i === from ? dy : i > from && i <= to ? -room : i < from && i >= to ? room : 0;
        one.style.transform = shift ? `translateY(${shift}px)` : "";
      });
    };
    const end = () => {
      clearTimeout(timer);
      held.abort();
      place.classList.remove("sorting");
      row.classList.remove("lifted");
      for (const one of rows) one.style.transform = "";
    };
    const drop = () => {
      end();
      if (on && to !== from) moved(from, to);
    };
    row.addEventListener("pointermove", move, held);
    row.addEventListener("pointerup", drop, held);
    row.addEventListener("pointercancel", end, held);
    row.addEventListener("touchmove", (touch) => on && touch.preventDefault(), { passive: false, signal: held.signal });
  });
  place.addEventListener("dragstart", (event) => event.preventDefault());
}

/** Puts the files in the order of their names, where that can matter. */
export function sorter() {
  const made = button("sort", t("sortByName"), () => (files.sort(), say(t("sorted"))), { className: "quiet small sort-files" });
  const fit = () => (made.hidden = files.items.length < 3);
  files.addEventListener("list", fit);
  fit();
  return { made, stop: () => files.removeEventListener("list", fit) };
}

/**
 * Shows the files in `place` for as long as it is on the page. A row is made once, and changed where its
 * file has changed.
 * @param {HTMLElement} place
 * @param {{order?: boolean, asks?: boolean}} how  order: their order counts; asks: for passwords, unless it is false
 * @returns {() => void} stops it
 */
export function tray(place, how = {}) {
  /** @type {Map<import("./app_files.js").Item, any>} */
  const rows = new Map();
  const focus = (to, first) => /** @type {HTMLElement | null} */ (place.children[to]?.querySelector(`${first || "button"}:not(:disabled)`) || place.children[to]?.querySelector("button:not(:disabled)"))?.focus();
  const move = (item, by) => {
    const to = files.items.indexOf(item) + by;
    files.move(to - by, to);
    focus(to, by < 0 ? ".move-up" : ".move-down");
    say(t("movedTo", { name: item.name, n: to + 1 }));
  };
  const remove = (item) => {
    const index = files.items.indexOf(item);
    files.remove(item);
    say(t("removed", { name: item.name }));
    focus(Math.min(index, files.items.length - 1));
  };
  const make = (item) => {
    const up = iconButton("up", t("moveUp", { name: item.name }), () => move(item, -1), { className: "icon-button move-up" });
    const down = iconButton("down", t("moveDown", { name: item.name }), () => move(item, 1), { className: "icon-button move-down" });
    const state = el("span", { className: "state" });
    const picture = el("span", { className: "thumb-place" });
    const node = el("li", { className: how.order ? "sortable" : null }, picture, el("span", { className: "what" }, el("bdi", { className: "name" }, item.name), state),
      el("span", { className: "acts" }, how.order && [up, down], iconButton("close", t("removeNamed", { name: item.name }), () => remove(item))));
    return { node, state, picture, up, down, seen: "", pictured: "", index: -1 };
  };
  const update = (item, row, index) => {
    const several = files.items.length > 1;
    if (row.index !== index) row.node.style.setProperty("--hue", String(hueOf(index)));
    row.index = index;
    [row.up.hidden, row.down.hidden] = [!several, !several];
    [row.up.disabled, row.down.disabled] = [index === 0, index + 1 === files.items.length];
    const pictured = [item.kind, hasPages(item), Boolean(item.locked), Boolean(item.file)].join();
    if (row.pictured !== pictured) put(row.picture, thumb(item));
    const seen = [item.state, item.kind, item.error, item.broken, item.locked, item.tries, item.upload, item.cut].join();
    if (row.seen !== seen) stateOf(item, row.state, how.asks !== false);
    Object.assign(row, { pictured, seen });
  };
  const draw = () => {
    const here = new Set(files.items);
    for (const [item, row] of rows)
      if (!here.has(item)) {
        row.node.remove();
        rows.delete(item);
      }
    files.items.forEach((item, index) => {
      if (!rows.has(item)) rows.set(item, make(item));
      const row = rows.get(item);
      update(item, row, index);
      if (place.children[index] !== row.node) place.insertBefore(row.node, place.children[index] || null);
    });
  };
  const change = (event) => {
    const item = event.detail;
    const row = rows.get(item);
    if (!row) return;
    const bar = row.state.querySelector("progress");
    if (bar && item.state === "sending") {
      bar.value = item.size ? item.offset / item.size : 0;
      row.state.querySelector(".hint").textContent = sending(item);
    } else {
      update(item, row, files.items.indexOf(item));
    }
  };
  if (how.order) sortable(place, (from, to) => {
    const { name } = files.items[from];
    files.move(from, to);
    say(t("movedTo", { name, n: to + 1 }));
  });
  files.addEventListener("list", draw);
  files.addEventListener("change", change);
  draw();
  return () => {
    files.removeEventListener("list", draw);
    files.removeEventListener("change", change);
  };
}
