// The box of a visible signature on its page: moved anywhere and made larger or smaller, by pointer or
// by arrow keys. The form's fields say where it is: "box" once it was moved, else "position".

import { el, put, say } from "./app_dom.js";
import { howTo, percent, t } from "./app_i18n.js";

// As the tool itself lays its box out (src/stamp/sign), in points.
const WIDTH = 212;
const EDGE = 28;
const PICTURE = 54;
const LEAST_PICTURE = 36;
const DETAIL = 8;
/** What a person can still hit and read; the tool takes smaller ones. */
const LEAST = 30;
const STEP = 0.02;

const within = (value, least, most) => Math.max(least, Math.min(most, value));

/** @typedef {{x: number, y: number, width: number, height: number}} Box in points, from the top left corner */

/**
 * @param {{fields: HTMLElement, stage: HTMLElement, stamp: HTMLElement, values: () => any, size: () => number[],
 *   picture: () => HTMLCanvasElement | null}} context
 */
export function signatureBox({ fields, stage, stamp, values, size, picture }) {
  const named = (name) => /** @type {HTMLInputElement} */ (fields.querySelector(`[name="${name}"]`));
  const control = named("box");
  const position = /** @type {any} */ (fields.querySelector('[name="position"]'));
  const fallback = [...position.options].find((one) => one.defaultSelected)?.value || position.options[0].value;
  const look = el("span", { className: "seal-look" });
  const words = el("span", { className: "seal-words" });
  const corner = el("span", { className: "corner", "aria-hidden": "true" });
  stamp.classList.add("seal");
  put(stamp, look, words, corner);

  /** @returns {Box | null} the one that the field says, if it is on this page */
  function chosen() {
    const [x, y, width, height, more] = control.value.split(",").map(Number);
    const [across, down] = size();
    const fits = x >= 0 && y >= 0 && width >= 10 && height >= 10 && more === undefined && x + width <= across + 0.5 && y + height <= down + 0.5;
    return fits ? { x, y, width, height } : null;
  }

  /** @returns {Box} where the tool puts it by itself */
  function preset() {
    const [across, down] = size();
    const width = Math.ceil(Math.min(WIDTH, across * 0.6));
    const scale = Math.min(1, width / WIDTH);
    const { reason, location } = values();
    const shown = picture();
    const inner = width - 17 * scale;
    const most = shown ? Math.min(PICTURE * scale, (inner * shown.height) / shown.width) + 2.5 * scale : 0;
    const height = Math.ceil(Math.min(down * 0.4, (56 + (reason ? 13.4 : 0) + (location ? 13.4 : 0)) * scale + most));
    const edge = Math.max(0, Math.min(EDGE, (across - width) / 2, (down - height) / 2));
    const place = position.value || fallback;
    return {
      x: /left/.test(place) ? edge : /right/.test(place) ? across - edge - width : (across - width) / 2,
      y: /^top/.test(place) ? edge : /^bottom/.test(place) ? down - edge - height : (down - height) / 2,
      width, height,
    };
  }

  const now = () => chosen() || preset();

  /** @param {Box} box */
  function show(box) {
    const [across, down] = size();
    Object.assign(stamp.style, {
      left: `${(box.x / across) * 100}%`, top: `${(box.y / down) * 100}%`,
      width: `${(box.width / across) * 100}%`, height: `${(box.height / down) * 100}%`,
    });
    stamp.setAttribute("aria-label", howTo("boxAt", { x: percent(box.x / across), y: percent(box.y / down) }));
    const shown = picture();
    const beside = shown && box.width >= 2.4 * box.height && shown.width / shown.height < (1.2 * box.width) / box.height;
    stamp.classList.toggle("beside", Boolean(beside));
    const points = (n) => `${(n / across) * 100}cqw`;
    for (let scale = within(box.width / WIDTH, 0.1, 3); scale > 0.05; scale *= 0.9) {
      stamp.style.fontSize = points(DETAIL * scale);
      look.style.minHeight = shown && !beside ? points(Math.min(LEAST_PICTURE * scale, (box.width * shown.height) / shown.width)) : "0";
      if (stamp.scrollHeight <= stamp.clientHeight + 1) break;
    }
  }

  /** @param {Box} box */
  function keep(box) {
    const [across, down] = size();
    const width = within(box.width, Math.min(LEAST, across), across);
    const height = within(box.height, Math.min(LEAST, down), down);
    const kept = { width, height, x: within(box.x, 0, across - width), y: within(box.y, 0, down - height) };
    control.value = [kept.x, kept.y, kept.width, kept.height].map((n) => Math.round(n * 10) / 10).join();
    position.value = fallback;
    if (named("fieldName")) named("fieldName").value = "";
    control.dispatchEvent(new Event("input", { bubbles: true }));
    say(stamp.getAttribute("aria-label"));
  }

  stamp.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [across, down] = size();
    const box = now();
    const [dx, dy] = [step[0] * across * STEP, step[1] * down * STEP];
    keep(event.shiftKey ? { ...box, width: box.width + dx, height: box.height + dy } : { ...box, x: box.x + dx, y: box.y + dy });
  });

  stamp.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stamp.setPointerCapture(event.pointerId);
    const [across, down] = size();
    const room = stage.getBoundingClientRect();
    const from = now();
    const grows = event.target === corner;
    let box = from;
    const move = (at) => {
      const dx = ((at.clientX - event.clientX) / room.width) * across;
      const dy = ((at.clientY - event.clientY) / room.height) * down;
      box = grows
        ? { ...from, width: within(from.width + dx, LEAST, across - from.x), height: within(from.height + dy, LEAST, down - from.y) }
        : { ...from, x: within(from.x + dx, 0, across - from.width), y: within(from.y + dy, 0, down - from.height) };
      show(box);
    };
    const held = new AbortController();
    const end = () => {
      held.abort();
      if (box !== from) keep(box);
    };
    stamp.addEventListener("pointermove", move, held);
    stamp.addEventListener("pointerup", end, held);
    stamp.addEventListener("pointercancel", end, held);
  });

  fields.addEventListener("input", (event) => {
    const by = /** @type {any} */ (event.target).name;
    const gone = (by === "position" && position.value !== fallback) || (by === "fieldName" && named("fieldName").value) ||
      (by === "visible" && !values().visible);
    if (gone) control.value = "";
  }, { capture: true });

  return {
    draw() {
      if (control.value && !chosen() && /^[\d., ]+$/.test(control.value) && control !== document.activeElement) control.value = "";
      const { signerName, reason, location, visible } = values();
      const line = (text, className) => text && el("bdi", { className }, text);
      put(words, line("Digitally signed by"), line(signerName || t("signerSample"), "seal-name"), line(`Date: ${new Date().toISOString().slice(0, 10)}`),
        line(reason && `Reason: ${reason}`), line(location && `Location: ${location}`));
      const shown = picture();
      put(look);
      look.hidden = !shown;
      if (shown) {
        const copy = el("canvas", { width: shown.width, height: shown.height });
        copy.getContext("2d").drawImage(shown, 0, 0);
        look.append(copy);
      }
      stamp.style.opacity = visible === false ? "0.2" : "1";
      show(now());
    },
  };
}
