// Pages as pictures in a grid that only holds what is in sight: a list box of which many can be
// chosen, by mouse, touch and keyboard, and moved.

import { el, put } from "./app_dom.js";
import { files, showPage } from "./app_files.js";
import { hueOf } from "./app_tray.js";
import { t } from "./app_i18n.js";

const GAP = 8;
const LABEL = 30;
const MARGIN_ROWS = 2;
const FAST = 1.5; // pixels in a millisecond: what is scrolled past so is not looked at, nor asked for
const NARROW = 120; // pixels: a label of such a cell has no room for two numbers
const REST_MS = 100; // without scrolling
const AT_ONCE = 4; // pictures that are asked for at the same time
const TRIES = 10;
const HOLD_MS = 350;
const SLACK = 6; // pixels that a press may wander
const EDGE = 90; // near the window's edge a drag scrolls

export class Grid {
  /**
   * @param {HTMLElement} root
   * @param {import("./app_board.js").Board} board
   * @param {{changed: () => void, open: (index: number) => void, key: (event: KeyboardEvent) => boolean, moved: () => void, does: (what: string, index: number) => void}} to
   * does: to one page, what was pressed on it
   * @param {{picks?: boolean, scissors?: () => HTMLElement}} [how]  picks: a press chooses pages, which cannot be moved
   */
  constructor(root, board, to, how = {}) {
    this.root = root;
    this.board = board;
    this.to = to;
    this.how = how;
    this.size = 160;
    this.current = 0;
    this.anchor = 0;
    this.cells = new Map();
    /** Cells that left, to be used again. */
    this.spare = [];
    this.first = this.last = 0;
    /** Where the board begins, in pixels from the document's top. */
    this.origin = 0;
    this.loading = 0;
    this.fast = false;
    this.at = { y: scrollY, time: 0 };
    this.rest = 0;
    this.line = el("div", { className: "drop-line", hidden: true });
    this.drag = null;
    this.scroll = this.scroll.bind(this);
    root.append(this.line);
    addEventListener("scroll", this.scroll, { passive: true });
    this.watch = new ResizeObserver(() => this.layout());
    this.watch.observe(root);
    this.listen();
  }

  leave() {
    removeEventListener("scroll", this.scroll);
    clearTimeout(this.rest);
    this.watch.disconnect();
    for (const cell of this.cells.values()) this.unload(cell);
    this.endDrag();
  }

  get rtl() {
    return document.documentElement.dir === "rtl";
  }

  layout() {
    const width = this.root.clientWidth;
    this.columns = Math.max(1, Math.floor((width + GAP) / (this.size + GAP)));
    this.cell = Math.floor((width - GAP * (this.columns - 1)) / this.columns);
    this.cell = Math.min(this.cell, this.size * 1.5);
    this.rowHeight = this.cell + LABEL + GAP;
    this.spare = this.spare.filter((one) => one.size === this.cell);
    this.root.style.height = `${Math.max(1, Math.ceil(this.board.leaves.length / this.columns)) * this.rowHeight}px`;
    this.draw();
  }

  /** The list changed. */
  refresh() {
    this.current = Math.max(0, Math.min(this.current, this.board.leaves.length - 1));
    this.layout();
  }

  /** Where a page stands, from the beginning of its line. */
  spot(index) {
    return [(index % this.columns) * (this.cell + GAP), Math.floor(index / this.columns) * this.rowHeight];
  }

  /** [first, last) of what is in sight, with some rows more. */
  range() {
    const top = scrollY - this.origin;
    const { length } = this.board.leaves;
    return [Math.min(length, Math.max(0, Math.floor(top / this.rowHeight) - MARGIN_ROWS) * this.columns),
      Math.max(0, Math.min(length, (Math.ceil((top + innerHeight) / this.rowHeight) + MARGIN_ROWS) * this.columns))];
  }

  /** Brings everything up to date. */
  draw() {
    if (!this.columns) return;
    const { leaves } = this.board;
    this.origin = this.root.getBoundingClientRect().top + scrollY;
    [this.first, this.last] = this.range();
    const seen = new Set(leaves.slice(this.first, this.last).map((one) => one.id));
    const now = leaves[this.current];
    if (now) seen.add(now.id); // What a screen reader is at stays.
    for (const [id, cell] of this.cells) if (!seen.has(id)) this.drop(id, cell);
    for (let i = this.first; i < this.last; i++) this.cellOf(leaves[i], i);
    if (now) this.cellOf(now, this.current);
    const name = now ? `leaf-${now.id}` : null;
    if (this.root.getAttribute("aria-activedescendant") !== name) {
      if (name) this.root.setAttribute("aria-activedescendant", name);
      else this.root.removeAttribute("aria-activedescendant");
    }
    this.pump();
  }

  /** Pages come into sight and leave it; those that stay are not touched, and nothing is measured. */
  scroll() {
    if (!this.columns) return;
    const time = performance.now();
    this.fast = Math.abs(scrollY - this.at.y) > FAST * (time - this.at.time);
    this.at = { y: scrollY, time };
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.fast = false;
      this.draw();
    }, REST_MS);
    const [first, last] = this.range();
    if (first === this.first && last === this.last) return;
    const { leaves } = this.board;
    for (const [id, cell] of this.cells)
      if ((cell.index < first || cell.index >= last) && cell.index !== this.current) this.drop(id, cell);
    for (let i = first; i < last; i++) if (i < this.first || i >= this.last) this.cellOf(leaves[i], i);
    [this.first, this.last] = [first, last];
    this.pump();
  }

  /** The pages of a file can be shown now. */
  renew(file) {
    for (const [id, cell] of this.cells) if (cell.leaf.file === file) this.drop(id, cell);
    this.draw();
  }

  /** A cell leaves the board. */
  drop(id, cell) {
    this.unload(cell);
    cell.node.remove();
    this.cells.delete(id);
    if (cell.size === this.cell) this.spare.push(cell);
  }

  /** What is on its way to a cell is not waited for. */
  unload(cell) {
    clearTimeout(cell.timer);
    if (cell.image) {
      cell.image.onload = cell.image.onerror = null;
      cell.image.removeAttribute("src");
      cell.image = null;
      this.loading--;
    }
    cell.wanted = false;
  }

  /** Asks for pictures, those in sight first, unless the window moves too fast for them to be seen. */
  pump() {
    if (this.fast || this.loading >= AT_ONCE) return;
    const top = scrollY - this.origin;
    const outside = (cell) => {
      const [, y] = this.spot(cell.index);
      return Number(y + this.rowHeight < top || y > top + innerHeight);
    };
    const wanted = [...this.cells.values()].filter((one) => one.wanted).sort((a, b) => outside(a) - outside(b) || a.index - b.index);
    for (const cell of wanted.slice(0, AT_ONCE - this.loading)) this.load(cell);
  }

  load(cell) {
    const { leaf } = cell;
    const file = files.find(leaf.file);
    cell.wanted = false;
    if (!file) return;
    const image = el("img", { alt: "", draggable: false, decoding: "async" });
    const arrived = () => {
      cell.image = null;
      this.loading--;
      this.pump();
    };
    image.style.cssText = cell.empty.style.cssText;
    image.className = `turn-${leaf.turn}`;
    image.onload = () => {
      arrived();
      // Decoded on another thread, it is there at once when it is put in.
      const show = () => cell.leaf === leaf && cell.node.isConnected && put(cell.sheet, image);
      image.decode().then(show, show);
    };
    image.onerror = () => {
      arrived();
      // A strip that gave way to newer ones is asked for again while it is in sight.
      if (++cell.tries <= TRIES) cell.timer = setTimeout(() => ((cell.wanted = true), this.pump()), 700 * cell.tries);
    };
    cell.image = image;
    this.loading++;
    // Two widths, so that pictures are found again when the grid changes.
    showPage(image, file, leaf.n, this.cell * devicePixelRatio > 200 ? 320 : 160);
  }

  cellOf(leaf, index) {
    let cell = this.cells.get(leaf.id);
    if (!cell || cell.leaf !== leaf || cell.size !== this.cell) {
      if (cell) this.drop(leaf.id, cell);
      cell = this.make(leaf);
      this.cells.set(leaf.id, cell);
    }
    cell.index = index;
    const [x, y] = this.spot(index);
    const chosen = this.board.selected.has(leaf.id);
    const current = index === this.current;
    const moving = Boolean(this.drag?.on && chosen);
    const several = files.items.length > 1;
    const name = leaf.blank ? t("blankPage") : several ? `${leaf.n} · ${files.find(leaf.file)?.name || ""}` : t("pageN", { n: leaf.n });
    const rank = several ? files.items.findIndex((one) => one.id === leaf.file) : 0;
    const state = [x, y, index, this.board.leaves.length, chosen, current, moving, name, rank].join();
    if (cell.state === state) return;
    cell.state = state;
    const { node } = cell;
    node.style.insetInlineStart = `${x}px`;
    node.style.top = `${y}px`;
    node.setAttribute("aria-selected", String(chosen));
    node.setAttribute("aria-posinset", String(index + 1));
    node.setAttribute("aria-setsize", String(this.board.leaves.length));
    if (several && !leaf.blank) node.style.setProperty("--hue", String(hueOf(rank)));
    node.className = `leaf${several && !leaf.blank ? " hued" : ""}${index ? "" : " first"}${current ? " current" : ""}${moving ? " moving" : ""}`;
    const told = index + 1 !== leaf.n || several || leaf.blank;
    const short = leaf.blank ? name : several ? files.find(leaf.file)?.name.replace(/\.pdf$/i, "") : name;
    put(cell.label, el("b", null, String(index + 1)), told && el("bdi", null, short), told && several && !leaf.blank && this.cell > NARROW && el("span", null, `· ${leaf.n}`));
    const turn = leaf.turn ? `, ${t("turned", { degrees: leaf.turn })}` : "";
    const part = Boolean(leaf.cut && index > 0);
    node.setAttribute("aria-label", `${index + 1}: ${name}${turn}${leaf.cut ? `, ${t("newPart")}` : ""}`);
    if (Boolean(cell.part) !== part) {
      cell.part?.forEach((one) => one.remove());
      cell.part = part ? [el("span", { className: "part" }), el("span", { className: "part-name" }, t("newPart"))] : null;
      if (part) node.prepend(...cell.part);
    }
  }

  /** A cell for a page: a new one, or one that another page has left. */
  make(leaf) {
    const cell = this.spare.pop() || this.blank();
    const file = files.find(leaf.file);
    const [width, height] = file?.doc?.size(leaf.n) || [595, 842];
    const scale = (this.cell - 18) / Math.max(width, height);
    const { empty } = cell;
    empty.textContent = leaf.blank ? t("blankPage") : "";
    empty.style.width = `${Math.max(8, width * scale)}px`;
    empty.style.height = `${Math.max(8, height * scale)}px`;
    empty.className = `empty turn-${leaf.turn}`;
    if (cell.sheet.firstChild !== empty) put(cell.sheet, empty);
    cell.node.id = `leaf-${leaf.id}`;
    cell.node.dataset.id = String(leaf.id);
    Object.assign(cell, { leaf, state: "", tries: 0, wanted: !leaf.blank && Boolean(file?.doc) });
    this.root.append(cell.node);
    return cell;
  }

  blank() {
    const empty = el("span", { className: "empty" });
    const sheet = el("span", { className: "sheet" }, empty);
    const label = el("span", { className: "label" });
    const node = el("div", { className: "leaf", role: "option" }, sheet, label, this.how.scissors?.());
    node.style.width = `${this.cell}px`;
    node.style.height = `${this.cell + LABEL}px`;
    return { node, sheet, empty, label, size: this.cell, leaf: null, index: 0, state: "", part: null, image: null, timer: 0, tries: 0, wanted: false };
  }

  /** Brings a page into sight. */
  reveal(index) {
    const [, y] = this.spot(index);
    const top = this.root.getBoundingClientRect().top + y;
    const room = [150, innerHeight - this.rowHeight - 120];
    if (top < room[0]) scrollBy(0, top - room[0]);
    else if (top > room[1]) scrollBy(0, top - Math.max(room[0], room[1]));
  }

  select(index, how) {
    const { board } = this;
    const leaf = board.leaves[index];
    if (!leaf) return;
    const chosen = how === "toggle" || how === "range+" ? new Set(board.selected) : new Set();
    if (how === "range" || how === "range+") {
      const [from, to] = [Math.min(this.anchor, index), Math.max(this.anchor, index)];
      for (let i = from; i <= to; i++) chosen.add(board.leaves[i].id);
    } else {
      if (how === "toggle" && chosen.has(leaf.id)) chosen.delete(leaf.id);
      else chosen.add(leaf.id);
      this.anchor = index;
    }
    board.selected = chosen;
    this.current = index;
    this.to.changed();
    this.draw();
  }

  indexOf(node) {
    const id = Number(node?.closest(".leaf")?.dataset.id);
    return this.board.leaves.findIndex((one) => one.id === id);
  }

  /** The place before which something dropped here would stand. */
  placeAt(x, y) {
    const box = this.root.getBoundingClientRect();
    const row = Math.max(0, Math.floor((y - box.top) / this.rowHeight));
    const along = this.rtl ? box.right - x : x - box.left;
    const column = Math.max(0, Math.min(this.columns, Math.round(along / (this.cell + GAP))));
    return Math.min(this.board.leaves.length, row * this.columns + column);
  }

  listen() {
    const { root } = this;
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("dblclick", (event) => {
      const index = /** @type {HTMLElement} */ (event.target).closest("[data-do]") ? -1 : this.indexOf(event.target);
      if (index >= 0 && !this.how.picks) this.to.open(index);
    });
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.endDrag());
    // While pages are carried by a finger, the window stays where it is.
    root.addEventListener("touchmove", (event) => this.drag?.on && event.preventDefault(), { passive: false });
    root.addEventListener("contextmenu", (event) => this.drag && event.preventDefault());
    root.addEventListener("focus", () => this.draw());
  }

  down(event) {
    if (event.button) return;
    const index = this.indexOf(event.target);
    if (index < 0) return;
    const what = /** @type {HTMLElement | null} */ (event.target.closest("[data-do]"))?.dataset.do;
    const touch = event.pointerType === "touch";
    if (what && !touch) {
      event.preventDefault();
      return this.to.does(what, index);
    }
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, index, what, on: false, touch, event };
    if (touch && !what) this.drag.timer = setTimeout(() => this.lift(), HOLD_MS);
  }

  /** Pages are picked up. */
  lift() {
    const { drag, board } = this;
    if (!drag || drag.on || this.how.picks) return;
    drag.on = true;
    if (!board.selected.has(board.leaves[drag.index].id)) this.select(drag.index, "one");
    this.root.setPointerCapture(drag.id);
    // The page under the pointer, and how many come with it.
    const picture = this.cells.get(board.leaves[drag.index].id)?.sheet.cloneNode(true);
    const n = board.selected.size;
    drag.ghost = el("div", { className: n > 1 ? "ghost many" : "ghost", "aria-hidden": "true" }, picture, n > 1 && el("span", { className: "ghost-count" }, t("pagesCount", { n })));
    document.body.append(drag.ghost);
    this.carry(drag.x, drag.y);
    const scroll = () => {
      if (this.drag !== drag) return;
      const speed = drag.y < EDGE + 80 ? drag.y - EDGE - 80 : drag.y > innerHeight - EDGE ? drag.y - innerHeight + EDGE : 0;
      if (speed) {
        scrollBy(0, speed / 4);
        this.carry(drag.x, drag.y);
      }
      requestAnimationFrame(scroll);
    };
    scroll();
    this.draw();
    navigator.vibrate?.(15);
  }

  carry(x, y) {
    const { drag } = this;
    drag.ghost.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
    drag.to = this.placeAt(x, y);
    const end = drag.to > 0 && drag.to % this.columns === 0 && this.placeAt(x, y) === drag.to && this.isAtEnd(x);
    const [left, top] = this.spot(end ? drag.to - 1 : drag.to);
    this.line.hidden = false;
    this.line.style.insetInlineStart = `${end ? left + this.cell + 2 : Math.max(0, left - GAP / 2 - 2)}px`;
    this.line.style.top = `${top + 6}px`;
    this.line.style.height = `${this.cell}px`;
  }

  isAtEnd(x) {
    const box = this.root.getBoundingClientRect();
    return (this.rtl ? box.right - x : x - box.left) > (this.columns - 0.5) * (this.cell + GAP);
  }

  move(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
    if (!drag.on) {
      if (!far) return;
      // A finger that moves before it has held is scrolling.
      if (drag.touch) return this.endDrag();
      this.lift();
      if (!drag.on) return;
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.carry(drag.x, drag.y);
  }

  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const { on, to, index, what, touch } = drag;
    this.endDrag();
    // A finger that scrolls may begin anywhere: what it presses is done when it is lifted.
    if (what) return this.to.does(what, index);
    if (on) {
      this.board.moveTo(to);
      this.current = Math.max(0, this.board.places()[0] ?? 0);
      this.to.moved();
      return;
    }
    this.root.focus({ preventScroll: true });
    if (event.shiftKey) this.select(index, event.ctrlKey || event.metaKey ? "range+" : "range");
    else this.select(index, touch || this.how.picks || event.ctrlKey || event.metaKey ? "toggle" : "one");
  }

  endDrag() {
    clearTimeout(this.drag?.timer);
    this.drag?.ghost?.remove();
    this.drag = null;
    this.line.hidden = true;
    this.draw();
  }

  press(event) {
    if (event.key === "Escape" && this.drag) {
      this.endDrag();
      return;
    }
    if (this.to.key(event)) {
      event.preventDefault();
      return;
    }
    const { leaves } = this.board;
    const side = this.rtl ? -1 : 1;
    const rows = Math.max(1, Math.floor((innerHeight - 250) / this.rowHeight)) * this.columns;
    const step = { ArrowLeft: -side, ArrowRight: side, ArrowUp: -this.columns, ArrowDown: this.columns, PageUp: -rows, PageDown: rows,
      Home: -leaves.length, End: leaves.length }[event.key];
    if (step !== undefined && leaves.length && !event.altKey) {
      event.preventDefault();
      const to = Math.max(0, Math.min(leaves.length - 1, this.current + step));
      if (event.shiftKey) this.select(to, "range");
      else if (event.ctrlKey || event.metaKey || this.how.picks) this.current = to;
      else this.select(to, "one");
      this.reveal(to);
      this.draw();
      return;
    }
    if (event.key === " ") {
      event.preventDefault();
      this.select(this.current, "toggle");
    } else if (event.key === "Enter" && leaves.length) {
      event.preventDefault();
      this.to.open(this.current);
    } else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.board.selected = new Set(leaves.map((one) => one.id));
      this.to.changed();
      this.draw();
    }
  }
}
