// The viewer of a document: its pages one below the other, drawn by the server as large as they are seen, with
// their text over them, so that it can be selected, searched and read aloud; links, outline, print, and any page
// before and after what a tool did. Only the pages in sight are in the document, however many there are.

import { OWN } from "./app_api.js";
import { button, el, iconButton, put, say } from "./app_dom.js";
import { documentOf, pictureOf, placeOf, wordsOf } from "./app_files.js";
import { number, t } from "./app_i18n.js";
import { textLayer, widthOf } from "./app_text_layer.js";
import { asks } from "./app_viewer.js";

const GAP = 12; // pixels between pages
const CSS = 96 / 72; // pixels of a point
const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;
const LEAST_ZOOM = 0.1;
const WIDTHS = [400, 800, 1400, 2000]; // pictures that are asked for
const SETTLED = 90; // milliseconds after which pages in sight are asked for
const AGAIN = 700; // after which a page that the server was too busy for is asked for again
const PRINT_WIDTH = 1400;
const MOST_PRINTED = 300;
const MOST_HITS = 5000;
const SWIPE = 50; // pixels across, and less than half of it up or down
const SAFE = /^(https?|mailto|tel):/i;

/** What a search compares: without case, accents and forms of letters. */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The words of a page, asked for once. @param {any} item @param {Map<number, Promise<any>>} kept @param {number} n */
function wordsOnce(item, kept, n) {
  if (!kept.has(n)) kept.set(n, wordsOf(item, n));
  return kept.get(n);
}

/**
 * Shows a document in a place.
 * @param {any} item @param {{page: number, source?: any, place: HTMLElement, foot: HTMLElement, bar: HTMLElement}} how
 * place: the pane that scrolls; foot: the row of buttons; bar: what is above the pages; source: what it was made of
 */
export async function openReader(item, { page: first, source, place: pane, foot, bar }) {
  const doc = await documentOf(item);
  const count = doc.count;
  /** @type {Map<number, Promise<any>>} */
  const words = new Map();
  /** @type {Map<number, {node: HTMLElement, image: HTMLImageElement, width: number, marks: HTMLElement, slider?: any}>} the pages that are in the document */
  const shown = new Map();
  const sheet = el("div", { className: "reader-sheet" });
  const tops = new Float64Array(count + 1);
  let [widest, highest] = [1, 1];
  for (let n = 1; n <= count; n++) {
    const [width, height] = doc.size(n);
    [widest, highest] = [Math.max(widest, width), Math.max(highest, height)];
  }
  let current = Math.max(1, Math.min(count, first));
  let scale = 1;
  let fit = "page";
  let gone = false;
  /** @type {{page: number, boxes: number[][]}[]} */
  let hits = [];
  let hit = -1;
  let comparing = false;

  const pixels = (points) => points * CSS * scale;
  const roomy = () => ({ width: Math.max(50, pane.clientWidth - 2 * GAP), height: Math.max(50, pane.clientHeight - 2 * GAP) });

  function lay() {
    let at = GAP;
    for (let n = 1; n <= count; n++) {
      tops[n - 1] = at;
      at += pixels(doc.size(n)[1]) + GAP;
    }
    tops[count] = at;
    sheet.style.height = `${at}px`;
    sheet.style.width = `${Math.max(pane.clientWidth, pixels(widest) + 2 * GAP)}px`;
    for (const [n, one] of shown) putPlace(n, one.node);
  }

  function putPlace(n, node) {
    const [width, height] = doc.size(n);
    Object.assign(node.style, { top: `${tops[n - 1]}px`, width: `${pixels(width)}px`, height: `${pixels(height)}px`, left: `${Math.max(GAP, (sheet.clientWidth - pixels(width)) / 2)}px` });
  }

  /** The page that takes the middle of the pane. */
  function pageAt(y) {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  function sharpen() {
    for (const [n, one] of shown) {
      const wanted = doc.size(n)[0] * CSS * scale * Math.min(2, devicePixelRatio || 1);
      const width = WIDTHS.find((is) => is >= wanted * 0.95) || WIDTHS[WIDTHS.length - 1];
      if (width > one.width) load(n, one, width, 5);
    }
  }

  /** While a page is compared, what it was made of is under it, and the slider shows it as it is. */
  async function load(n, one, width, tries) {
    one.width = width;
    const next = new Image();
    try {
      next.src = await pictureOf(item, n, width);
      await next.decode();
      if (one.width !== width || shown.get(n) !== one) return;
      one.slider?.show(next.src);
      if (one.slider) one.image.src = await pictureOf(source, n, width);
      else one.image.src = next.src;
    } catch {
      if (gone || shown.get(n) !== one || one.width !== width || !tries) return;
      one.width = 0;
      setTimeout(() => shown.get(n) === one && one.width === 0 && load(n, one, width, tries - 1), AGAIN);
    }
  }

  function make(n) {
    const image = el("img", { alt: "", draggable: false });
    const marks = el("div", { className: "reader-marks", "aria-hidden": "true" });
    const name = t("pageOf", { page: n, count });
    const node = el("section", { className: "reader-page", "aria-label": name, "data-page": n }, image, marks);
    const one = { node, image, width: 0, marks };
    shown.set(n, one);
    putPlace(n, node);
    const after = [...shown.keys()].filter((other) => other > n).sort((a, b) => a - b)[0];
    sheet.insertBefore(node, after ? shown.get(after).node : null);
    wordsOnce(item, words, n).then((found) => {
      if (shown.get(n) !== one) return;
      if (!found.lines.length) image.alt = name;
      node.append(textLayer(found, { inner: goTo, outer: follow, count }));
      if (comparing) compare(one);
    });
    drawMarks(n);
    return one;
  }

  async function compare(one) {
    const { slider } = await import("./app_compare.js");
    if (!comparing || one.slider) return;
    one.slider = slider();
    one.node.append(one.slider.node);
    one.width = 0;
    sharpen();
  }

  let settling = 0;
  function draw() {
    const [from, to] = [pane.scrollTop - pane.clientHeight, pane.scrollTop + 2 * pane.clientHeight];
    const [a, b] = [pageAt(from), pageAt(to)];
    for (const [n, one] of shown)
      if ((n < a || n > b) && !one.node.contains(getSelection()?.anchorNode || null)) {
        one.node.remove();
        shown.delete(n);
      }
    for (let n = a; n <= b; n++) if (!shown.has(n)) make(n);
    const now = pageAt(pane.scrollTop + pane.clientHeight / 2);
    if (now !== current || !placeWords.textContent) tell(now);
    clearTimeout(settling);
    settling = setTimeout(() => !gone && sharpen(), SETTLED);
  }

  const placeWords = el("output", { className: "hint" });
  function tell(n) {
    current = n;
    placeWords.textContent = t("pageOf", { page: n, count });
    for (const [other, one] of shown) one.node.classList.toggle("paper", other === n);
    for (const [one, end] of [[before, n === 1], [after, n === count]]) {
      if (end && document.activeElement === one) pane.focus();
      one.disabled = end;
    }
    markOutline();
  }

  function goTo(n, y = 0) {
    const to = Math.max(1, Math.min(count, n));
    const room = pane.clientHeight - pixels(doc.size(to)[1]);
    pane.scrollTop = tops[to - 1] + (y ? pixels(y) : 0) - (room > 0 && !y ? room / 2 : GAP);
    draw();
    tell(to);
  }

  /** Zooms, and leaves what is at a point of the pane where it is. */
  function zoomTo(to, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
    const before = scale;
    scale = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, to));
    const n = pageAt(pane.scrollTop + y);
    const inside = (pane.scrollTop + y - tops[n - 1]) / before;
    const [left, wide] = [Math.max(GAP, (sheet.clientWidth - widest * CSS * before) / 2), pane.scrollLeft + x];
    lay();
    pane.scrollTop = tops[n - 1] + inside * scale - y;
    pane.scrollLeft = Math.max(GAP, (sheet.clientWidth - pixels(widest)) / 2) + ((wide - left) / before) * scale - x;
    level.textContent = number(scale, { style: "percent", maximumFractionDigits: 0 });
    [less.disabled, more.disabled] = [scale <= LEAST_ZOOM, scale >= MOST_ZOOM];
    draw();
  }

  function fitTo(how) {
    fit = how;
    const { width, height } = roomy();
    const n = current;
    scale = how === "width" ? width / (widest * CSS) : Math.min(width / (widest * CSS), height / (highest * CSS));
    zoomTo(scale);
    goTo(n);
    for (const [one, name] of [[fitPage, "page"], [fitWidth, "width"]]) one.setAttribute("aria-pressed", String(name === how));
  }

  const zoomBy = (factor, x, y) => {
    fit = "";
    for (const one of [fitPage, fitWidth]) one.setAttribute("aria-pressed", "false");
    zoomTo(scale * factor, x, y);
  };

  /** Asks before it leaves the page. */
  async function follow(uri) {
    if (!SAFE.test(uri)) return;
    const back = button("", t("cancel"), () => null, { className: "quiet" });
    const on = button("link", t("openLink"), () => null, { className: "primary" });
    if (await asks(t("openLinkSure"), el("p", null, el("bdi", { className: "reader-address", dir: "ltr" }, uri)), back, on)) window.open(uri, "_blank", "noopener,noreferrer");
  }

  // Search.
  let turn = 0;
  const field = el("input", { type: "search", "aria-label": t("searchIn"), placeholder: t("searchIn"), autocomplete: "off", spellcheck: false });
  const found = el("span", { className: "hint reader-found", role: "status" });
  const hitBefore = iconButton("up", t("hitBefore"), () => goToHit(hit - 1), { disabled: true });
  const hitAfter = iconButton("down", t("hitAfter"), () => goToHit(hit + 1), { disabled: true });

  function drawMarks(n) {
    const one = shown.get(n);
    if (!one) return;
    const [width, height] = doc.size(n);
    put(one.marks, ...hits.flatMap(({ page, boxes }, i) => (page !== n ? [] : boxes.map(([x0, y0, x1, y1]) => {
      const mark = el("i", { className: i === hit ? "hit now" : "hit" });
      Object.assign(mark.style, { left: `${(100 * x0) / width}%`, top: `${(100 * y0) / height}%`, width: `${(100 * (x1 - x0)) / width}%`, height: `${(100 * (y1 - y0)) / height}%` });
      return mark;
    }))));
  }

  /** Where a text is on a page; parts of words by their share of them. */
  function find(of, wanted) {
    const list = [];
    let text = "";
    const at = [];
    for (const line of of.lines)
      line.words.forEach((word, i) => {
        if (text && !(word.joined && i > 0)) text += " ";
        const own = plain(word.text);
        at.push({ from: text.length, to: text.length + own.length, box: word.box, own });
        text += own;
      });
    for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
      const to = from + wanted.length;
      list.push(at.filter((one) => one.to > from && one.from < to).map(({ from: start, to: end, box: [x0, y0, x1, y1], own }) => {
        const before = own.slice(0, Math.max(0, from - start));
        const after = own.slice(own.length - Math.max(0, end - to));
        // Words that go up or down are marked whole.
        if (!(before || (end > to && after)) || (x1 - x0 < y1 - y0 && own.length > 2)) return [x0, y0, x1, y1];
        const share = (x1 - x0) / Math.max(0.01, widthOf(own));
        return [x0 + share * widthOf(before), y0, end > to ? x1 - share * widthOf(after) : x1, y1];
      }));
    }
    return list;
  }

  async function search() {
    const mine = ++turn;
    const wanted = plain(field.value.trim()).replace(/\s+/g, " ");
    hits = [];
    hit = -1;
    for (const n of shown.keys()) drawMarks(n);
    [hitBefore.disabled, hitAfter.disabled] = [true, true];
    found.textContent = "";
    if (!wanted) return;
    const begun = current;
    let next = 1;
    const read = new Array(count);
    let done = 0;
    const work = async () => {
      while (next <= count && mine === turn && !gone) {
        const n = next++;
        read[n - 1] = find(await wordsOnce(item, words, n), wanted);
        while (done < count && read[done]) {
          for (const boxes of read[done]) if (hits.length < MOST_HITS) hits.push({ page: done + 1, boxes });
          if (mine === turn && read[done].length) drawMarks(done + 1);
          done++;
        }
        if (mine !== turn) return;
        if (hit < 0 && hits.some((one) => one.page >= begun)) goToHit(hits.findIndex((one) => one.page >= begun));
        else tellHits(done < count);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    if (mine !== turn || gone) return;
    if (hit < 0 && hits.length) goToHit(0);
    tellHits(false);
  }

  function tellHits(going) {
    found.textContent = hits.length ? t("hitOf", { hit: Math.max(1, hit + 1), hits: `${number(hits.length)}${going || hits.length === MOST_HITS ? "+" : ""}` }) : t(going ? "searching" : "noHits");
    [hitBefore.disabled, hitAfter.disabled] = [hits.length < 2, hits.length < 2];
  }

  function goToHit(to) {
    if (!hits.length) return;
    const last = hits[hit]?.page;
    hit = (to + hits.length) % hits.length;
    const { page, boxes: [[x0, y0, x1, y1]] } = hits[hit];
    const top = tops[page - 1] + pixels(y0);
    if (top < pane.scrollTop + GAP || top + pixels(y1 - y0) > pane.scrollTop + pane.clientHeight - GAP) pane.scrollTop = top - pane.clientHeight / 3;
    const left = (sheet.clientWidth - pixels(doc.size(page)[0])) / 2 + pixels((x0 + x1) / 2);
    if (left < pane.scrollLeft || left > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = left - pane.clientWidth / 2;
    draw();
    drawMarks(page);
    if (last) drawMarks(last);
    tellHits(false);
  }
  let typing = 0;
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(search, 250);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value) {
      event.preventDefault();
      event.stopPropagation();
      field.value = "";
      search();
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(typing);
    if (hits.length) goToHit(hit + (event.shiftKey ? -1 : 1));
    else search();
  });

  // Outline.
  const side = el("nav", { className: "reader-outline", "aria-label": t("outline"), hidden: true });
  const outlined = iconButton("list", t("outline"), () => {
    side.hidden = !side.hidden;
    outlined.setAttribute("aria-expanded", String(!side.hidden));
    if (fit) fitTo(fit);
    if (!side.hidden) side.querySelector("button")?.focus();
  }, { hidden: true, "aria-expanded": "false" });
  /** @type {{page?: number, node: HTMLElement}[]} */
  let entries = [];
  function markOutline() {
    let now = null;
    for (const one of entries) if (one.page && one.page <= current) now = one;
    for (const one of entries) one.node.toggleAttribute("aria-current", one === now);
    if (now) now.node.setAttribute("aria-current", "true");
  }
  fetch(`${placeOf(item)}/outline`, { headers: { ...OWN, ...(item.password ? { "X-Input-Password": item.password } : {}) } }).then((answer) => (answer.ok ? answer.json() : { outline: [] })).then(({ outline }) => {
    if (gone || !outline.length) return;
    entries = outline.map((one) => {
      const node = el("button", { type: "button", dir: "auto", disabled: !one.page && !(one.uri && SAFE.test(one.uri)), onclick: () => (one.page ? goTo(one.page, one.y) : follow(one.uri)) }, one.title || "–");
      node.style.paddingInlineStart = `${0.6 + 0.9 * Math.min(8, one.level - 1)}rem`;
      return { page: one.page, node };
    });
    put(side, el("ul", null, ...entries.map((one) => el("li", null, one.node))));
    outlined.hidden = false;
    markOutline();
  }, () => null);

  // Print.
  async function print() {
    printed.disabled = true;
    const many = Math.min(count, MOST_PRINTED);
    const pages = [];
    const box = el("div", { className: "print-sheets" });
    let next = 1;
    const work = async () => {
      while (next <= many && !gone) {
        const n = next++;
        const image = el("img", { alt: t("pageOf", { page: n, count }) });
        pages[n] = image;
        for (let tries = 0; tries < 6 && !gone; tries++) {
          image.src = await pictureOf(item, n, PRINT_WIDTH);
          if (await image.decode().then(() => true, () => false)) break;
          image.removeAttribute("src");
          await new Promise((resolve) => setTimeout(resolve, AGAIN));
        }
        say(t("printing", { page: n, count: many }));
        found.textContent = t("printing", { page: Math.min(n, many), count: many });
      }
    };
    await Promise.all([work(), work()]);
    printed.disabled = false;
    if (gone) return;
    found.textContent = many < count ? t("printedFirst", { n: many }) : "";
    put(box, ...pages.filter(Boolean));
    document.body.append(box);
    const over = () => box.remove();
    addEventListener("afterprint", over, { once: true });
    window.print();
  }
  const printed = iconButton("print", t("print"), print);

  // Before and after.
  const compared = source && iconButton("compare", t("beforeAfter"), () => {
    comparing = !comparing;
    compared.setAttribute("aria-pressed", String(comparing));
    for (const one of shown.values()) {
      if (comparing) {
        compare(one);
        continue;
      }
      one.slider?.node.remove();
      one.slider = undefined;
      one.width = 0;
    }
    sharpen();
  }, { "aria-pressed": "false" });

  const before = iconButton("before", t("pageBefore"), () => goTo(current - 1));
  const after = iconButton("after", t("pageAfter"), () => goTo(current + 1));
  const level = el("span", { className: "hint reader-level", "aria-hidden": "true" });
  const less = iconButton("unzoom", t("zoomOut"), () => zoomBy(1 / ZOOM_STEP));
  const more = iconButton("zoom", t("zoomIn"), () => zoomBy(ZOOM_STEP));
  const fitPage = iconButton("fitPage", t("fitPage"), () => fitTo("page"), { "aria-pressed": "true" });
  const fitWidth = iconButton("fitWidth", t("fitWidth"), () => fitTo("width"), { "aria-pressed": "false" });
  put(foot, before, placeWords, after, less, level, more, fitPage, fitWidth, compared, printed);
  put(bar, outlined, el("div", { className: "reader-search", role: "search" }, field, found, hitBefore, hitAfter));
  bar.hidden = foot.hidden = false;
  pane.parentElement.insertBefore(side, pane);
  put(pane, sheet);
  pane.setAttribute("aria-label", item.name);

  pane.addEventListener("scroll", draw, { passive: true });
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = pane.getBoundingClientRect();
    zoomBy(Math.exp(-event.deltaY / (event.deltaMode ? 6 : 240)), event.clientX - at.left, event.clientY - at.top);
  }, { passive: false });

  // Two fingers zoom, one that wipes across turns the page unless it is wider than the pane.
  let pinch = null;
  let wipe = null;
  const apart = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  pane.addEventListener("touchstart", (event) => {
    pinch = event.touches.length === 2 ? { far: apart(event.touches), scale } : null;
    wipe = event.touches.length === 1 && pixels(widest) <= pane.clientWidth ? event.touches[0] : null;
  }, { passive: true });
  pane.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const at = pane.getBoundingClientRect();
    const [a, b] = event.touches;
    zoomBy((pinch.scale * apart(event.touches)) / pinch.far / scale, (a.clientX + b.clientX) / 2 - at.left, (a.clientY + b.clientY) / 2 - at.top);
  }, { passive: false });
  pane.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    const [dx, dy] = wipe ? [to.clientX - wipe.clientX, to.clientY - wipe.clientY] : [0, 0];
    pinch = wipe = null;
    if (Math.abs(dx) > SWIPE && Math.abs(dy) < Math.abs(dx) / 2) goTo(current + (dx < 0 !== (document.documentElement.dir === "rtl") ? 1 : -1));
  }, { passive: true });

  const onKey = (event) => {
    if (foot.hidden || event.target === field) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f") field.focus(), field.select();
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p") print();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.key === "+" || event.key === "=") zoomBy(ZOOM_STEP);
    else if (event.key === "-") zoomBy(1 / ZOOM_STEP);
    else if (event.key === "0") fitTo("page");
    else if (event.key === "/" ) field.focus();
    else if (event.key === "Home") goTo(1);
    else if (event.key === "End") goTo(count);
    else if (event.key === "PageDown" && fit === "page") goTo(current + 1);
    else if (event.key === "PageUp" && fit === "page") goTo(current - 1);
    else if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && event.target.type !== "range" && pane.scrollWidth <= pane.clientWidth + 1)
      goTo(current + (event.key === "ArrowRight" !== (document.documentElement.dir === "rtl") ? 1 : -1));
    else return;
    event.preventDefault();
  };
  pane.closest("dialog").addEventListener("keydown", onKey);

  const watch = new ResizeObserver(() => {
    if (gone) return;
    if (fit) fitTo(fit);
    else {
      lay();
      draw();
    }
  });
  fitTo("page");
  watch.observe(pane);
  goTo(current);
  tell(current);
  pane.focus({ preventScroll: true });
  return {
    close() {
      gone = true;
      turn++;
      watch.disconnect();
      document.querySelector(".print-sheets")?.remove();
    },
  };
}
