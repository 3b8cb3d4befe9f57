// The pages of a document to be made, in their order, and everything that can be done to them. Each
// change makes a new list, so that undo only goes back to the list before. Nothing here touches the
// page or the network.

/**
 * @typedef {Object} Leaf
 * @property {number} id  unlike any other
 * @property {string} file  whose page it is; for a blank page the file that lends its size
 * @property {number} n  from 1
 * @property {number} turn  0, 90, 180 or 270 degrees clockwise, added to the page's own
 * @property {boolean} [cut]  a new document begins with it
 * @property {boolean} [blank]
 */

const UNDO_DEPTH = 300;
let serial = 0;
const leaf = (file, n, more) => ({ id: ++serial, file, n, turn: 0, ...more });

export class Board {
  /** @type {Leaf[]} */
  leaves = [];
  /** @type {Set<number>} ids */
  selected = new Set();
  /** @type {{leaves: Leaf[], selected: Set<number>}[]} */
  past = [];
  /** @type {{leaves: Leaf[], selected: Set<number>}[]} */
  future = [];

  /** The one way to change anything. */
  change(leaves, selected = this.selected) {
    this.past.push({ leaves: this.leaves, selected: this.selected });
    if (this.past.length > UNDO_DEPTH) this.past.shift();
    this.future = [];
    this.leaves = leaves;
    const there = new Set(leaves.map((one) => one.id));
    this.selected = new Set([...selected].filter((id) => there.has(id)));
  }

  step(from, to) {
    const state = from.pop();
    if (!state) return false;
    to.push({ leaves: this.leaves, selected: this.selected });
    ({ leaves: this.leaves, selected: this.selected } = state);
    return true;
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  /** Where the selected ones stand, in order. */
  places() {
    const found = [];
    this.leaves.forEach((one, index) => this.selected.has(one.id) && found.push(index));
    return found;
  }

  /**
   * All pages of a file. If pages are selected, they are inserted after the last of them, and are
   * selected then, so that the next file comes after them. Else they come after the pages of the files
   * before it, whichever file arrives first, in this list and in all that can be gone back to: the
   * loading of a file is not a change that can be undone.
   * @param {string} file @param {number} count @param {(file: string) => number} rank  places of files in their list
   * @param {boolean} [inOrder]  whatever is selected
   */
  addFile(file, count, rank, inOrder) {
    const places = inOrder ? [] : this.places();
    const made = Array.from({ length: count }, (_, i) => leaf(file, i + 1));
    if (!places.length) {
      const mine = rank(file);
      for (const state of [this, ...this.past, ...this.future]) {
        const at = state.leaves.findLastIndex((one) => rank(one.file) < mine) + 1;
        state.leaves = [...state.leaves.slice(0, at), ...made, ...state.leaves.slice(at)];
      }
      return;
    }
    const index = places[places.length - 1] + 1;
    this.change([...this.leaves.slice(0, index), ...made, ...this.leaves.slice(index)], new Set(made.map((one) => one.id)));
  }

  /** Pages of files that are gone leave, and cannot come back; of no page nothing is left to undo. */
  keepFiles(ids) {
    const keep = (states) => states.filter((one) => {
      const before = one.leaves.length;
      one.leaves = one.leaves.filter((page) => ids.has(page.file));
      return one.leaves.length > 0 || before === 0;
    });
    keep([this]);
    this.past = keep(this.past);
    this.future = keep(this.future);
    this.selected = new Set(this.leaves.filter((one) => this.selected.has(one.id)).map((one) => one.id));
  }

  /** Taken from an earlier visit or from another tool, as it was arranged there. */
  taken = false;

  /** Whether somebody arranged this: more than files one after another. */
  get touched() {
    return this.taken || this.past.length > 0;
  }

  /**
   * Files have another order in their list. Where the pages of each file stand together, the files
   * follow; else only the file that was moved does, as a whole.
   * @param {(file: string) => number} rank @param {string} [moved]
   */
  orderFiles(rank, moved) {
    const starts = this.leaves.filter((one, i) => one.file !== this.leaves[i - 1]?.file);
    const together = new Set(starts.map((one) => one.file)).size === starts.length;
    let made;
    if (together || !moved) {
      made = this.leaves.map((one, i) => ({ one, i })).sort((a, b) => rank(a.one.file) - rank(b.one.file) || a.i - b.i).map(({ one }) => one);
    } else {
      const rest = this.leaves.filter((one) => one.file !== moved);
      const at = rest.findLastIndex((one) => rank(one.file) < rank(moved)) + 1;
      made = [...rest.slice(0, at), ...this.leaves.filter((one) => one.file === moved), ...rest.slice(at)];
    }
    if (made.some((one, i) => one !== this.leaves[i])) {
      if (this.touched) this.change(made);
      else this.leaves = made;
    }
  }

  /** @param {number} degrees @param {Set<number>} [ids] */
  rotate(degrees, ids = this.selected) {
    this.change(this.leaves.map((one) =>
      ids.has(one.id) ? { ...one, turn: (one.turn + degrees + 360) % 360 } : one));
  }

  /** @param {Set<number>} [ids] */
  remove(ids = this.selected) {
    this.change(this.leaves.filter((one) => !ids.has(one.id)));
  }

  /** Copies follow the last of the selected pages, and are selected. */
  duplicate() {
    const places = this.places();
    const copies = places.map((index) => ({ ...this.leaves[index], id: ++serial, cut: false }));
    const after = places[places.length - 1] + 1;
    this.change([...this.leaves.slice(0, after), ...copies, ...this.leaves.slice(after)], new Set(copies.map((one) => one.id)));
  }

  /** A blank page after the last selected one, or at the end. */
  insertBlank() {
    const places = this.places();
    const after = places.length ? places[places.length - 1] + 1 : this.leaves.length;
    const like = this.leaves[Math.max(0, after - 1)];
    const made = leaf(like.file, like.n, { blank: true, turn: like.turn });
    this.change([...this.leaves.slice(0, after), made, ...this.leaves.slice(after)], new Set([made.id]));
  }

  /** The selected pages move so that they stand before the page that is now at `index`. */
  moveTo(index) {
    const moving = this.leaves.filter((one) => this.selected.has(one.id));
    const before = this.leaves.slice(0, index).filter((one) => !this.selected.has(one.id));
    const after = this.leaves.slice(index).filter((one) => !this.selected.has(one.id));
    const made = [...before, ...moving, ...after];
    if (made.some((one, i) => one !== this.leaves[i])) this.change(made);
  }

  /** By one place, towards the beginning (-1) or the end (1). */
  nudge(step) {
    const places = this.places();
    if (!places.length) return;
    if (step < 0 && places[0] > 0) this.moveTo(places[0] - 1);
    if (step > 0 && places[places.length - 1] + 1 < this.leaves.length) this.moveTo(places[places.length - 1] + 2);
  }

  /** A document begins, or no longer begins, with each of these pages. @param {number[]} [at] */
  cut(at = this.places()) {
    const places = at.filter((index) => index > 0);
    if (!places.length) return;
    const on = !places.every((index) => this.leaves[index].cut);
    const ids = new Set(places.map((index) => this.leaves[index].id));
    this.change(this.leaves.map((one) => (ids.has(one.id) ? { ...one, cut: on } : one)));
  }

  /** A document begins every so many pages; 0: nowhere. */
  cutEvery(count) {
    this.change(this.leaves.map((one, index) => ({ ...one, cut: count > 0 && index > 0 && index % count === 0 })));
  }

  /** Exactly these pages in this order. @param {number[]} order  places from 0; one may come twice */
  arrange(order) {
    const used = new Set();
    this.change(order.map((index) => {
      const one = this.leaves[index];
      if (!used.has(index)) {
        used.add(index);
        return one;
      }
      return { ...one, id: ++serial, cut: false };
    }));
  }

  /** The first page of each document, as places from 0. */
  starts() {
    const found = [0];
    this.leaves.forEach((one, index) => index > 0 && one.cut && found.push(index));
    return found;
  }
}

/** Digits of other scripts, and their commas, as those of ASCII. */
function plain(text) {
  return text.replace(/[٠-٩]/g, (c) => String(c.charCodeAt(0) - 0x660))
    .replace(/[０-９]/g, (c) => String(c.charCodeAt(0) - 0xff10)).replace(/[、，،؛;]/g, ",").replace(/[–—－〜～]/g, "-");
}

/**
 * The order that was typed, "2,31,4-9", as places from 0; null if it cannot be.
 * @param {string} text @param {number} count
 */
export function readOrder(text, count) {
  const order = [];
  const one = (word) => (word === "last" ? count : Number(word));
  for (const item of plain(text).toLowerCase().split(/[,\s]+/).filter(Boolean)) {
    if (item === "all" || item === "odd" || item === "even" || item === "reverse") {
      const every = Array.from({ length: count }, (_, i) => i);
      order.push(...(item === "all" ? every : item === "reverse" ? every.reverse() : every.filter((i) => (i % 2 === 0) === (item === "odd"))));
      continue;
    }
    const found = /^(\d+|last)(-(\d+|last)?)?$/.exec(item);
    if (!found) return null;
    const from = one(found[1]);
    const to = found[2] ? (found[3] ? one(found[3]) : count) : from;
    if (from < 1 || to < 1 || from > count || to > count) return null;
    for (let i = from; from <= to ? i <= to : i >= to; i += from <= to ? 1 : -1) order.push(i - 1);
  }
  return order.length ? order : null;
}

/** Pages from one to another as a list writes them. */
const range = (from, to) => (from === to ? String(from) : `${from}-${to}`);

/** Places from 0, in rising order, as a list of pages. */
export function listOf(places) {
  const parts = [];
  for (let i = 0; i < places.length; i++) {
    const from = places[i];
    while (places[i + 1] === places[i] + 1) i++;
    parts.push(range(from + 1, places[i] + 1));
  }
  return parts.join(",");
}

/**
 * The list as merge's `arrange` takes it, and the files it counts, in order.
 * @param {Leaf[]} leaves
 * @returns {{files: string[], arrange: string}}
 */
export function arrangement(leaves) {
  const files = [];
  const parts = [];
  for (let i = 0; i < leaves.length; i++) {
    const first = leaves[i];
    if (!files.includes(first.file)) files.push(first.file);
    const at = files.indexOf(first.file) + 1;
    if (first.blank) {
      parts.push(`${at}:blank`);
      continue;
    }
    while (i + 1 < leaves.length && !leaves[i + 1].blank && leaves[i + 1].file === first.file &&
      leaves[i + 1].n === leaves[i].n + 1 && leaves[i + 1].turn === first.turn) i++;
    parts.push(`${at}:${range(first.n, leaves[i].n)}${first.turn ? `@${first.turn}` : ""}`);
  }
  return { files, arrange: parts.join(",") };
}

/** The documents between the cuts, as split's `pages`. */
export function partsOf(board) {
  const starts = board.starts();
  return starts.map((from, i) => range(from + 1, starts[i + 1] ?? board.leaves.length)).join(",");
}

/** Whether the list is all of these files, one after another, but for turns. */
export function isWhole(leaves, counts) {
  let i = 0;
  const seen = new Set();
  while (i < leaves.length) {
    const file = leaves[i].file;
    if (seen.has(file)) return false;
    seen.add(file);
    for (let n = 1; n <= counts(file); n++, i++)
      if (i >= leaves.length || leaves[i].file !== file || leaves[i].n !== n || leaves[i].blank) return false;
  }
  return true;
}

/**
 * What makes the document: a tool, or several as steps. The simplest that does it, as that keeps
 * the most of what is in the files.
 * @param {Board} board @param {(file: string) => number} counts  pages of a file
 * @param {Record<string, string>} [parts]  how split finds the parts, instead of by the cuts
 * @returns {{files: string[], steps: {tool: string, params: Record<string, string>}[]}}
 */
export function planOf(board, counts, parts) {
  const { leaves } = board;
  const { files, arrange } = arrangement(leaves);
  const steps = [];
  const whole = isWhole(leaves, counts);
  const turned = leaves.some((one) => one.turn);
  if (!whole || (turned && files.length > 1)) {
    steps.push({ tool: "merge", params: { arrange } });
  } else {
    if (files.length > 1) steps.push({ tool: "merge", params: {} });
    for (const degrees of [90, 180, 270]) {
      const places = leaves.flatMap((one, index) => (one.turn === degrees ? [index] : []));
      if (places.length) steps.push({ tool: "rotate", params: { degrees: String(degrees), ...(places.length < leaves.length ? { pages: listOf(places) } : {}) } });
    }
  }
  if (parts) steps.push({ tool: "split", params: parts });
  else if (board.starts().length > 1) steps.push({ tool: "split", params: { pages: partsOf(board), mode: "ranges" } });
  if (!steps.length) steps.push({ tool: "merge", params: { arrange } });
  return { files, steps };
}

/** The list in few words, to be kept: [file, from, to, turn, flags]. */
export function packed(leaves) {
  const runs = [];
  for (const one of leaves) {
    const last = runs[runs.length - 1];
    const flags = (one.cut ? 1 : 0) + (one.blank ? 2 : 0);
    if (last && !flags && !(last[4] & 2) && last[0] === one.file && last[2] + 1 === one.n && last[3] === one.turn) last[2] = one.n;
    else runs.push([one.file, one.n, one.n, one.turn, flags]);
  }
  return runs;
}

/** The opposite of packed. */
export function unpacked(runs) {
  return runs.flatMap(([file, from, to, turn, flags]) => Array.from({ length: to - from + 1 }, (_, i) =>
    leaf(file, from + i, { turn, ...(flags & 1 && i === 0 ? { cut: true } : {}), ...(flags & 2 ? { blank: true } : {}) })));
}
