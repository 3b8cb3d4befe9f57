// What the operations of the tool "pages" make of a document, worked out without the server: for a preview. A page is
// its size in points and the pages of the document that are seen on it, each with its place and what is seen of it.

/** Millimetres of a point. */
export const POINT = 25.4 / 72;
/** Papers that the API knows by name, in points, standing. */
const NAMED = { a4: [595.276, 841.89], letter: [612, 792], legal: [612, 1008] };
/** A page that is smaller or larger cannot be. */
const LEAST = 3;
const MOST = 14400;
/** The most pages that are worked out. */
const LIMIT = 100000;

/** @typedef {{page: number, x: number, y: number, width: number, height: number, seen: number[]}} Part
 *   seen: left, top, right, bottom of what shows, on the new page */
/** @typedef {{width: number, height: number, parts: Part[]}} Page */

/** @param {string | undefined} text @returns {{width: number, height: number, named: boolean} | null} */
function paperOf(text) {
  if (!text) return null;
  if (text in NAMED) return { width: NAMED[text][0], height: NAMED[text][1], named: true };
  const found = /^\s*([\d.]+)\s*x\s*([\d.]+)\s*mm\s*$/i.exec(text);
  return found ? { width: Number(found[1]) / POINT, height: Number(found[2]) / POINT, named: false } : null;
}

function one(word, count) {
  if (word === "last") return count;
  const found = /^(r?)(\d+)$/.exec(word);
  if (!found) return NaN;
  const n = found[1] ? count + 1 - Number(found[2]) : Number(found[2]);
  return n >= 1 && n <= count ? n : NaN;
}

/** The pages of one item of a list; null if the document has none such. @returns {number[] | null} */
function itemOf(item, count) {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  if (item === "all") return all;
  if (item === "odd" || item === "even") return all.filter((n) => n % 2 === (item === "odd" ? 1 : 0));
  const span = /^([^-]*)-([^-]*)$/.exec(item);
  if (!span) return Number.isNaN(one(item, count)) ? null : [one(item, count)];
  const from = span[1] ? one(span[1], count) : 1;
  let to = span[2] ? one(span[2], count) : count;
  if (Number.isNaN(to) && /^\d+$/.test(span[2]) && Number(span[2]) > count) to = count;
  if (Number.isNaN(from) || Number.isNaN(to)) return null;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
}

/**
 * The pages of a list such as "1-3,r2,odd,!4", in its order; null if the document does not have them.
 * @param {string | number} list @param {number} count @returns {number[] | null}
 */
export function pagesOf(list, count) {
  const items = String(list).toLowerCase().replaceAll(/\s*-\s*/g, "-").split(/[\s,]+/).filter(Boolean);
  const without = new Set();
  const named = [];
  let bare = true;
  for (const item of items) {
    const found = itemOf(item.replace(/^!/, ""), count);
    if (!found) return null;
    if (item.startsWith("!")) found.forEach((n) => without.add(n));
    else {
      bare = false;
      named.push(...found);
    }
  }
  const left = (bare ? itemOf("all", count) : named).filter((n) => !without.has(n));
  return items.length && left.length ? left : null;
}

/** The part of a page from x, y on, as a page of that size. @param {Page} page @returns {Page} */
function windowOf(page, x, y, width, height) {
  return { width, height, parts: page.parts.map((part) => ({
    ...part, x: part.x - x, y: part.y - y,
    seen: [Math.max(0, part.seen[0] - x), Math.max(0, part.seen[1] - y), Math.min(width, part.seen[2] - x), Math.min(height, part.seen[3] - y)],
  })).filter(({ seen }) => seen[2] > seen[0] && seen[3] > seen[1]) };
}

/** What is on a page, larger or smaller and moved. @param {Page} page @returns {Part[]} */
const placed = (page, scale, x, y, stretch = scale) => page.parts.map((part) => ({
  page: part.page, x: part.x * scale + x, y: part.y * stretch + y, width: part.width * scale, height: part.height * stretch,
  seen: [part.seen[0] * scale + x, part.seen[1] * stretch + y, part.seen[2] * scale + x, part.seen[3] * stretch + y],
}));

function cropped(page, op) {
  if (op.auto) return page;
  let [x, y, width, height] = op.box || [];
  if (op.margins !== undefined) {
    const [top, right, bottom, left] = Array.isArray(op.margins) ? op.margins : Array(4).fill(op.margins);
    [x, y, width, height] = [left, top, page.width - left - right, page.height - top - bottom];
  }
  const right = Math.min(page.width, x + width);
  const bottom = Math.min(page.height, y + height);
  [x, y] = [Math.max(0, x), Math.max(0, y)];
  return right - x >= LEAST && bottom - y >= LEAST ? windowOf(page, x, y, right - x, bottom - y) : null;
}

function resized(page, op) {
  const paper = paperOf(op.size);
  if (!paper) return null;
  const turn = paper.named && page.width > page.height !== paper.width > paper.height;
  const [width, height] = turn ? [paper.height, paper.width] : [paper.width, paper.height];
  let [across, down] = [width / page.width, height / page.height];
  if (op.fit !== "stretch") across = down = Math.min(across, down);
  return { width, height, parts: placed(page, across, (width - page.width * across) / 2, (height - page.height * down) / 2, down) };
}

function scaled(page, { factor }) {
  const [width, height] = [page.width * factor, page.height * factor];
  return Math.min(width, height) >= LEAST && Math.max(width, height) <= MOST ? { width, height, parts: placed(page, factor, 0, 0) } : null;
}

/** The pages of each sheet of a booklet: the front of the first has the last page and the first one. @param {number} count */
function bookletOf(count) {
  const all = Math.ceil(count / 4) * 4;
  return Array.from({ length: all / 2 }, (_, i) => (i % 2 ? [i, all - 1 - i] : [all - 1 - i, i]));
}

/** @param {Page[]} pages @returns {Page[] | null} */
function sheets(pages, op) {
  const booklet = op.op === "booklet";
  const [columns, rows] = booklet ? [2, 1] : [op.columns, op.rows];
  const { margin = 0, gap = 0 } = op;
  const [first] = pages;
  const paper = paperOf(op.size);
  let [width, height] = paper ? [paper.width, paper.height] : [first.width, first.height];
  const cell = (w, h) => [(w - 2 * margin - (columns - 1) * gap) / columns, (h - 2 * margin - (rows - 1) * gap) / rows];
  const scaleOn = (w, h) => Math.min(cell(w, h)[0] / first.width, cell(w, h)[1] / first.height);
  if (!paper && booklet) width = Math.min(2 * first.width + gap + 2 * margin, MOST);
  else if ((!paper || paper.named) && scaleOn(height, width) > scaleOn(width, height)) [width, height] = [height, width];
  const [across, down] = cell(width, height);
  if (across < LEAST || down < LEAST) return null;
  const each = columns * rows;
  const cells = booklet ? bookletOf(pages.length) : Array.from({ length: Math.ceil(pages.length / each) }, (_, i) => Array.from({ length: each }, (__, k) => i * each + k));
  return cells.map((list) => ({ width, height, parts: list.flatMap((index, k) => {
    const page = pages[index];
    if (!page) return [];
    const column = op.order === "columns" ? Math.floor(k / rows) : k % columns;
    const row = op.order === "columns" ? k % rows : Math.floor(k / columns);
    const scale = Math.min(across / page.width, down / page.height);
    const left = margin + (op.direction === "rtl" ? columns - 1 - column : column) * (across + gap);
    const top = margin + row * (down + gap);
    return placed(page, scale, left + (across - page.width * scale) / 2, top + (down - page.height * scale) / 2);
  }) }));
}

/** @param {Page} page @returns {Page[] | null} */
function poster(page, op) {
  const { columns, rows, overlap = 0 } = op;
  const paper = paperOf(op.size);
  const turn = paper?.named && page.width / columns > page.height / rows !== paper.width > paper.height;
  const [width, height] = !paper ? [page.width, page.height] : turn ? [paper.height, paper.width] : [paper.width, paper.height];
  const [stepX, stepY] = [width - overlap, height - overlap];
  if (stepX < LEAST || stepY < LEAST) return null;
  const [total, high] = [stepX * (columns - 1) + width, stepY * (rows - 1) + height];
  const scale = Math.min(total / page.width, high / page.height);
  const whole = { width: total, height: high, parts: placed(page, scale, (total - scale * page.width) / 2, (high - scale * page.height) / 2) };
  return Array.from({ length: columns * rows }, (_, k) => windowOf(whole, (k % columns) * stepX, Math.floor(k / columns) * stepY, width, height));
}

/** @param {Page} page @returns {Page[]} */
function halves(page, { at = 0.5, every, direction }) {
  if (!every && page.width <= page.height) return [page];
  const cut = page.width * at;
  const made = [windowOf(page, 0, 0, cut, page.height), windowOf(page, cut, 0, page.width - cut, page.height)];
  return direction === "rtl" ? made.reverse() : made;
}

function withBlanks(pages, op) {
  const after = String(op.after).trim() === "0" ? [0] : pagesOf(op.after, pages.length);
  if (!after) return null;
  const paper = paperOf(op.size);
  const wanted = new Set(after);
  return [null, ...pages].flatMap((page, n) => {
    const like = page || pages[0];
    const { width, height } = paper || like;
    return [...(page ? [page] : []), ...(wanted.has(n) ? Array.from({ length: op.count || 1 }, () => ({ width, height, parts: [] })) : [])];
  });
}

/** What becomes of each of the pages that an operation names. */
const EACH = {
  crop: cropped, resize: resized, scale: scaled, poster, split: halves, compose: (page) => page,
  duplicate: (page, op) => Array(1 + (op.count || 1)).fill(page), delete: () => [],
};

/** What becomes of the pages; null if the operation cannot be done. @param {Page[]} pages @returns {Page[] | null} */
function done(pages, op) {
  if (op.op === "nup" || op.op === "booklet") return sheets(pages, op);
  if (op.op === "blank") return withBlanks(pages, op);
  if (op.op === "reverse") return [...pages].reverse();
  const named = op.pages === undefined || op.pages === "" ? pagesOf("all", pages.length) : pagesOf(op.pages, pages.length);
  if (!named) return null;
  const wanted = new Set(named);
  if (op.op === "reorder" && wanted.size < named.length) return null;
  if (op.op === "reorder") return [...wanted, ...pagesOf("all", pages.length).filter((n) => !wanted.has(n))].map((n) => pages[n - 1]);
  if (!EACH[op.op]) return null;
  const made = [];
  for (const [i, page] of pages.entries()) {
    const is = wanted.has(i + 1) ? EACH[op.op](page, op) : page;
    if (!is) return null;
    made.push(...[is].flat());
  }
  return made.length && made.length <= LIMIT ? made : null;
}

/**
 * @param {number[][]} sizes  of the document's pages, in points @param {any[]} operations
 * @returns {{pages: Page[], wrong: number}} wrong: the first operation that cannot be done, from 0, or -1
 */
export function planOf(sizes, operations) {
  let pages = sizes.map(([width, height], i) => ({ width, height, parts: [{ page: i + 1, x: 0, y: 0, width, height, seen: [0, 0, width, height] }] }));
  for (const [i, op] of operations.entries()) {
    const made = done(pages, op);
    if (!made) return { pages, wrong: i };
    pages = made;
  }
  return { pages, wrong: -1 };
}
