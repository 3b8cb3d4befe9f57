// What is put on pages: placed, moved, made larger, copied and removed, by pointer or by keys. Places are in
// points from the top left corner of the page, as the tool takes them.

import { el, icon, put, say } from "./app_dom.js";
import { howTo, percent, t } from "./app_i18n.js";

/** @typedef {"image" | "initials" | "text" | "tick" | "cross" | "seal"} Type */
/**
 * @typedef {object} Mark
 * @property {number} id
 * @property {Type} type
 * @property {number} page
 * @property {number} x
 * @property {number} y
 * @property {number} scale  how much larger than usual it is
 * @property {string} [text]
 * @property {number[]} [box]  width and height of a seal, which has no ratio
 * @property {boolean} [fresh]  it was not put anywhere yet: it goes to the page that is looked at
 */

const STEP = 0.02; // of the page
const MOST = 300;
const UNDONE = 50;
const LINE = 1.362; // of a text's height to its font's size, as the tool draws it
const FONT = '"Noto Sans", "DejaVu Sans", sans-serif';
const SIZE = 11; // of a text, in points
const GRIP = 26; // pixels that can be hit
const TALLER = 1.3; // than here a text may be with the tool's font
const LEAST = { image: 24, initials: 14, text: 8, tick: 6, cross: 6, seal: 60 };
const SIGNS = { tick: "M8 54 38 84 92 14", cross: "M14 14 86 86M14 86 86 14" };
const SVG = "http://www.w3.org/2000/svg";

const within = (value, least, most) => Math.max(least, Math.min(most, value));

/** A line drawing, of 100 by 100 or as icons are. */
export function lines(path, box, className) {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", `0 0 ${box} ${box}`);
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

const ruler = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  ruler.font = `100px ${FONT}`;
  return Math.max(0.3, ruler.measureText(text || " ").width / 100);
}

/**
 * @param {{stage: HTMLElement, size: (page: number) => number[], count: () => number, ink: (type: string) => any, color: () => string,
 *   sight: () => {x: number, y: number, width: number, height: number}, sealWords: () => HTMLElement, changed: () => void,
 *   pressed: (mark: Mark) => void}} context  pressed: a mark that waits for its picture was
 */
export function markLayer({ stage, size, count, ink, color, sight, sealWords, changed, pressed }) {
  /** @type {Mark[]} */
  let marks = [];
  let page = 1;
  /** @type {Mark | null} */
  let chosen = null;
  /** What the pointer carries until it is put down. @type {Mark | null} */
  let carried = null;
  let serial = 0;
  /** @type {string[]} */
  let past = [];
  /** @type {Map<number, HTMLElement>} */
  const nodes = new Map();

  /** Width and height in points. @param {Mark} mark */
  function extent(mark) {
    const [across] = size(mark.page);
    const unit = Math.min(across / 595, 2);
    const s = mark.scale * unit;
    if (mark.type === "seal") return mark.box;
    if (mark.type === "text") return [textWidth(mark.text) * SIZE * s, LINE * SIZE * s];
    if (mark.type === "tick" || mark.type === "cross") return [15 * s, 15 * s];
    const ratio = ink(mark.type)?.ratio || (mark.type === "image" ? 3.2 : 1.5);
    const [most, high] = mark.type === "image" ? [170, 62] : [70, 38];
    const width = Math.min(most, high * ratio);
    return [width * s, (width * s) / ratio];
  }

  /** It stays on its page as a whole. @param {Mark} mark */
  function hold(mark) {
    const [across, down] = size(mark.page);
    if (mark.type === "seal") mark.box = [within(mark.box[0], 60, across), within(mark.box[1], 24, down)];
    else {
      const [width, height] = extent(mark);
      mark.scale *= Math.min(1, across / width, down / height);
    }
    const [width, height] = extent(mark);
    mark.x = within(mark.x, 0, across - width);
    mark.y = within(mark.y, 0, down - height * (mark.type === "text" ? TALLER : 1));
  }

  const remember = () => {
    past.push(JSON.stringify(marks));
    past = past.slice(-UNDONE);
  };
  const isWaiting = (mark) => (mark.type === "image" || mark.type === "initials") && !ink(mark.type);
  const whatOf = (mark) => (mark.type === "text" ? mark.text : t(`mark_${mark.type}`));

  /** @param {Mark} mark */
  function place(mark) {
    const node = nodes.get(mark.id);
    if (!node) return;
    const [across, down] = size(mark.page);
    const [width, height] = extent(mark);
    Object.assign(node.style, { left: `${(mark.x / across) * 100}%`, top: `${(mark.y / down) * 100}%`, width: `${(width / across) * 100}%`, height: `${(height / down) * 100}%`, color: color() });
    // What is small can be hit all the same.
    node.classList.toggle("small", Math.min(width, height) * (stage.clientWidth / across) < GRIP);
    if (mark.type === "text") node.style.fontSize = `${((height / LINE) / across) * 100}cqw`;
    if (mark.type === "seal") node.style.fontSize = `${(within(Math.min(width / 212, height / 60), 0.3, 3) * 8 / across) * 100}cqw`;
    node.setAttribute("aria-label", howTo("markAt", { what: whatOf(mark), x: percent(mark.x / across), y: percent(mark.y / down) }));
    if (mark === chosen) placeBar();
  }

  /** What it looks like. @param {Mark} mark */
  function look(mark) {
    const node = nodes.get(mark.id);
    const corner = el("span", { className: "corner", "aria-hidden": "true" });
    const is = ink(mark.type);
    node.classList.toggle("waits", isWaiting(mark));
    put(node, mark.type === "text" ? el("bdi", null, mark.text) : mark.type === "seal" ? sealWords() : mark.type in SIGNS ? lines(SIGNS[mark.type], 100, "sign")
      : is ? el("img", { src: is.url, alt: "", draggable: false }) : el("span", { className: "mark-words" }, icon("sign"), el("span", null, t(mark.type === "image" ? "signHere" : "signInitials"))), corner);
    place(mark);
  }

  /** What can be done with the one that is chosen. */
  const act = (name, words, path, run) => el("button", { type: "button", className: "icon-button", "aria-label": words, title: words, "data-act": name, onclick: run },
    typeof path === "string" && path.startsWith("M") ? lines(path, 24, "icon") : icon(path));
  const everyPage = act("every", t("markEvery"), "pages", () => every(chosen));
  const writing = el("input", { id: "mark-text", type: "text", maxLength: 200, dir: "auto", autocomplete: "off", "aria-label": t("markTextField") });
  const bar = el("div", { className: "mark-bar", role: "toolbar", "aria-label": t("markBar"), hidden: true }, writing,
    act("smaller", t("markSmaller"), "M5 12h14", () => resize(chosen, 1 / 1.15)), act("larger", t("markLarger"), "add", () => resize(chosen, 1.15)),
    act("copy", t("markCopy"), "copy", () => duplicate(chosen)), everyPage, act("remove", t("markRemove"), "trash", () => remove(chosen)));
  bar.addEventListener("pointerdown", (event) => event.stopPropagation());
  writing.addEventListener("input", () => {
    if (chosen?.type !== "text") return;
    chosen.text = writing.value;
    hold(chosen);
    look(chosen);
    changed();
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape" || (event.key === "Enter" && event.target === writing)) {
      event.preventDefault();
      nodes.get(chosen.id)?.focus({ preventScroll: true });
    }
    if (!step || event.target === writing) return;
    const all = /** @type {HTMLElement[]} */ ([...bar.querySelectorAll("button:not([hidden])")]);
    all[(all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step + all.length) % all.length].focus();
    event.preventDefault();
  });
  stage.append(bar);

  function placeBar() {
    const node = chosen && nodes.get(chosen.id);
    bar.hidden = !node || chosen === carried;
    if (bar.hidden) return;
    writing.hidden = chosen.type !== "text";
    for (const one of /** @type {HTMLElement[]} */ ([...bar.querySelectorAll("button")])) one.hidden = (one.dataset.act === "every" && (count() < 2 || chosen.type === "seal")) || (one.dataset.act === "copy" && chosen.type === "seal");
    const room = stage.clientWidth;
    const height = bar.offsetHeight;
    const above = node.offsetTop - height - 8;
    bar.style.left = `${within(node.offsetLeft + node.offsetWidth / 2 - bar.offsetWidth / 2, 2, Math.max(2, room - bar.offsetWidth - 2))}px`;
    bar.style.top = `${above >= 2 ? above : Math.min(stage.clientHeight - height - 2, node.offsetTop + node.offsetHeight + 8)}px`;
  }
  new ResizeObserver(() => marks.forEach(place)).observe(stage);

  /** @param {Mark | null} mark */
  function choose(mark) {
    if (chosen) nodes.get(chosen.id)?.classList.remove("chosen");
    chosen = mark;
    const node = mark && nodes.get(mark.id);
    if (node) {
      node.classList.add("chosen");
      if (node.nextSibling !== bar) node.after(bar);
    }
    if (mark?.type === "text" && writing.value !== mark.text) writing.value = mark.text;
    placeBar();
  }

  /** What can be done with a mark when it is pressed: a picture is made, a text is written. @param {Mark} mark */
  function use(mark) {
    if (isWaiting(mark)) pressed(mark);
    else if (mark.type === "text" && mark === chosen && !bar.hidden) {
      writing.focus({ preventScroll: true });
      if (mark.text === t("markTextSample")) writing.select();
    }
  }

  /** Has the stage show the marks of its page. */
  function draw() {
    const wanted = new Set(marks.filter((one) => one.page === page).map((one) => one.id));
    for (const [id, node] of nodes) {
      if (wanted.has(id)) continue;
      node.remove();
      nodes.delete(id);
    }
    for (const mark of marks) {
      if (mark.page !== page) continue;
      if (!nodes.has(mark.id)) {
        const node = el("button", { type: "button", className: `mark-on mark-${mark.type}`, "data-mark": String(mark.id), "aria-describedby": "stamp-help" });
        nodes.set(mark.id, node);
        bar.before(node);
        listen(mark.id, node);
      }
      look(mark);
    }
    if (chosen && !wanted.has(chosen.id)) choose(null);
    else placeBar();
  }

  const find = (id) => marks.find((one) => one.id === id) || null;

  /** It was put where it is. @param {Mark} mark */
  function settle(mark) {
    delete mark.fresh;
    if (carried === mark) carried = null;
    hold(mark);
    place(mark);
    changed();
    say(nodes.get(mark.id)?.getAttribute("aria-label") || "");
  }

  /** @param {number} id @param {HTMLElement} node */
  function listen(id, node) {
    let still = false; // pressed by a pointer, and not moved since
    node.addEventListener("focus", () => node.matches(":focus-visible") && find(id) && chosen?.id !== id && choose(find(id)));
    // A mark is used by its click, which comes last of a press. What opens when the finger is lifted could
    // lie below the finger, and would get the click.
    node.addEventListener("click", (event) => {
      const mark = find(id);
      const byKey = event.detail === 0;
      if (!mark || (!byKey && !still)) return;
      still = false;
      if (byKey) choose(mark);
      use(mark);
    });
    node.addEventListener("keydown", (event) => {
      const mark = find(id);
      if (!mark) return;
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (step) {
        event.preventDefault();
        remember();
        const [across, down] = size(mark.page);
        if (event.shiftKey) return resize(mark, step[0] + step[1] > 0 ? 1.08 : 1 / 1.08, true);
        mark.x += step[0] * across * STEP;
        mark.y += step[1] * down * STEP;
        return settle(mark);
      }
      if (event.key === "Delete" || event.key === "Backspace") remove(mark);
      else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d") duplicate(mark);
      else if (event.key === "Escape") choose(null);
      else return;
      event.preventDefault();
    });
    node.addEventListener("pointerdown", (event) => {
      const mark = find(id);
      if (!mark || event.button !== 0) return;
      still = false;
      if (carried) return; // The stage puts it down.
      still = true;
      event.stopPropagation();
      node.setPointerCapture(event.pointerId);
      choose(mark);
      const [across, down] = size(mark.page);
      const room = stage.getBoundingClientRect();
      const from = { ...mark, box: mark.box && [...mark.box] };
      const [width, height] = extent(mark);
      const grows = event.target === node.querySelector(".corner");
      const held = new AbortController();
      let moved = false;
      const move = (at) => {
        const dx = ((at.clientX - event.clientX) / room.width) * across;
        const dy = ((at.clientY - event.clientY) / room.height) * down;
        if (!moved && Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY) < 3) return;
        if (!moved) remember();
        moved = true;
        still = false;
        node.classList.add("moving");
        if (!grows) Object.assign(mark, { x: from.x + dx, y: from.y + dy });
        else if (mark.type === "seal") mark.box = [Math.min(from.box[0] + dx, across - from.x), Math.min(from.box[1] + dy, down - from.y)];
        else {
          const most = Math.min((across - from.x) / width, (down - from.y) / height);
          mark.scale = from.scale * within(Math.max((width + dx) / width, (height + dy) / height), LEAST[mark.type] / width, most);
        }
        hold(mark);
        place(mark);
      };
      const end = () => {
        held.abort();
        node.classList.remove("moving");
        if (moved) settle(mark);
      };
      node.addEventListener("pointermove", move, held);
      node.addEventListener("pointerup", end, held);
      node.addEventListener("pointercancel", end, held);
    });
  }

  /** The point of the page below the pointer. @returns {[number, number]} */
  const pointOf = (event) => {
    const room = stage.getBoundingClientRect();
    const [across, down] = size(page);
    return [((event.clientX - room.left) / room.width) * across, ((event.clientY - room.top) / room.height) * down];
  };
  /** Its middle to a point. @param {Mark} mark */
  const centre = (mark, [x, y]) => {
    const [width, height] = extent(mark);
    Object.assign(mark, { page, x: x - width / 2, y: y - height / 2 });
    hold(mark);
  };
  let home = null; // where what is carried stood
  stage.addEventListener("pointermove", (event) => {
    if (!carried || event.pointerType !== "mouse" || event.buttons) return;
    home ||= [carried.x, carried.y];
    centre(carried, pointOf(event));
    stage.classList.add("carrying");
    place(carried);
    placeBar();
  });
  stage.addEventListener("pointerleave", (event) => {
    stage.classList.remove("carrying");
    if (!carried || !home || event.pointerType !== "mouse") return;
    [carried.x, carried.y] = home;
    home = null;
    place(carried);
  });
  let began = null;
  stage.addEventListener("pointerdown", (event) => {
    began = event.button === 0 ? { at: [event.clientX, event.clientY], point: pointOf(event) } : null;
  });
  // A finger that scrolls ends without a click.
  stage.addEventListener("click", (event) => {
    if (event.detail === 0 || !began || Math.hypot(event.clientX - began.at[0], event.clientY - began.at[1]) > 8 || bar.contains(/** @type {Node} */ (event.target))) return;
    const on = /** @type {HTMLElement} */ (event.target).closest(".mark-on");
    if (carried) {
      const mark = carried;
      remember();
      home = null;
      stage.classList.remove("carrying");
      centre(mark, began.point); // the page may stand elsewhere since
      settle(mark);
      choose(mark);
      nodes.get(mark.id)?.focus({ preventScroll: true });
      if (mark.text === t("markTextSample")) use(mark);
    } else if (!on) choose(null);
  });

  /** @param {Mark} mark */
  function resize(mark, factor, remembered = false) {
    if (!mark) return;
    if (!remembered) remember();
    const [width, height] = extent(mark);
    if (mark.type === "seal") mark.box = [width * factor, height * factor];
    else if (width * factor >= LEAST[mark.type]) mark.scale *= factor;
    hold(mark);
    settle(mark);
  }

  /** @param {Type} type @param {Partial<Mark>} [more] */
  function add(type, more) {
    if (marks.length >= MOST) {
      say(t("marksMost", { n: MOST }));
      return null;
    }
    remember();
    /** @type {Mark} */
    const mark = { id: ++serial, type, page, x: 0, y: 0, scale: 1, fresh: true, ...more };
    if (type === "seal") mark.box ||= [Math.min(212, size(page)[0] * 0.6), 60];
    const seen = sight();
    const [width, height] = extent(mark);
    // Within what is seen of the page, and not on another one.
    mark.x = seen.x + seen.width * 0.64 - width / 2;
    mark.y = seen.y + seen.height * 0.8 - height;
    while (marks.some((one) => one.page === page && Math.abs(one.x - mark.x) < 4 && Math.abs(one.y - mark.y) < 4)) {
      mark.x -= 12;
      mark.y -= 12;
    }
    hold(mark);
    marks.push(mark);
    draw();
    if (isWaiting(mark)) choose(mark);
    else carry(mark);
    changed();
    return mark;
  }

  /** The pointer has it from now on, until it is put down. @param {Mark} mark */
  function carry(mark) {
    carried = mark;
    home = null;
    choose(mark);
  }

  /** @param {Mark | null} mark */
  function duplicate(mark) {
    if (!mark) return;
    const made = add(mark.type, { text: mark.text, scale: mark.scale, page });
    if (!made) return;
    carried = null;
    Object.assign(made, { x: mark.x + 14, y: mark.y + extent(mark)[1] + 6 });
    settle(made);
    choose(made);
    nodes.get(made.id)?.focus({ preventScroll: true });
  }

  /** A copy at the same place of every page that has none. @param {Mark | null} mark */
  function every(mark) {
    if (!mark) return;
    remember();
    settle(mark);
    let n = 0;
    for (let other = 1; other <= count() && marks.length < MOST; other++) {
      if (other === mark.page || marks.some((one) => one.page === other && one.type === mark.type && one.text === mark.text)) continue;
      const copy = { ...mark, id: ++serial, page: other };
      hold(copy);
      marks.push(copy);
      n++;
    }
    changed();
    say(t("markEveryDone", { n }));
  }

  /** @param {Mark | null} mark */
  function remove(mark) {
    if (!mark) return;
    remember();
    if (carried === mark) carried = null;
    marks = marks.filter((one) => one !== mark);
    const had = stage.contains(document.activeElement);
    draw();
    changed();
    say(t("markRemoved"));
    if (had) /** @type {HTMLElement | null} */ (stage.querySelector(".mark-on") || document.querySelector(".mark-tools button"))?.focus({ preventScroll: true });
  }

  return {
    /** @param {number} n */
    show(n) {
      page = n;
      // What was not put anywhere yet goes along.
      for (const mark of marks) if (mark.fresh && mark.page !== n) {
        mark.page = n;
        hold(mark);
      }
      draw();
    },
    add, draw, remove, carry, choose,
    find: (type) => marks.filter((one) => one.type === type),
    node: (mark) => nodes.get(mark.id),
    undo() {
      const before = past.pop();
      if (!before) return false;
      carried = null;
      marks = JSON.parse(before);
      choose(null);
      for (const node of nodes.values()) node.remove();
      nodes.clear();
      draw();
      changed();
      return true;
    },
    all: () => marks,
    /** Other marks take the place of these. @param {Mark[]} list */
    swap(list) {
      marks = list;
      past = [];
      carried = null;
      chosen = null;
      for (const node of nodes.values()) node.remove();
      nodes.clear();
      bar.hidden = true;
      serial = Math.max(serial, 0, ...list.map((one) => one.id));
    },
    chosen: () => chosen,
    /** As the tool takes them; those that wait for their picture, and a seal, are none. */
    placements: (list = marks) => list.filter((one) => one.type !== "seal" && (one.type === "text" ? one.text.trim() : one.type in SIGNS || ink(one.type))).map((one) => ({
      type: one.type, page: one.page, x: round(one.x), y: round(one.y), width: round(extent(one)[0]),
      ...(one.type === "text" ? { text: one.text } : {}), ...(one.type === "text" || one.type in SIGNS ? { color: color() } : {}),
    })),
    box: (mark) => [mark.x, mark.y, ...extent(mark)].map(round).join(),
  };
}

const round = (n) => Math.round(n * 100) / 100;
