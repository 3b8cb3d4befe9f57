// Pages as pictures in a grid that only holds what is in sight: a list box of which many can be
// chosen, by mouse, touch and keyboard, and moved.

import { el, icon, put } from "./app_dom.js";
import { files, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";

const GAP = 8;
const LABEL = 30;
const MARGIN_ROWS = 2;
const SETTLE_MS = 60; // a page that is only scrolled past is not asked for
const HOLD_MS = 350;
const SLACK = 6; // pixels that a press may wander
const EDGE = 90; // near the window's edge a drag scrolls

export class Grid {
  /**
   * @param {HTMLElement} root
   * @param {import("./app_board.js").Board} board
   * @param {{changed: () => void, open: (index: number) => void, key: (event: KeyboardEvent) => boolean, moved: () => void}} to
   */
  constructor(root, board, to) {
    this.root = root;
    this.board = board;
    this.to = to;
    this.size = 160;
    this.current = 0;
    this.anchor = 0;
    this.cells = new Map();
    this.line = el("div", { className: "drop-line", hidden: true });
    this.drag = null;
    this.draw = this.draw.bind(this);
    root.append(this.line);
    addEventListener("scroll", this.draw, { passive: true });
    this.watch = new ResizeObserver(() => this.layout());
    this.watch.observe(root);
    this.listen();
  }

  leave() {
    removeEventListener("scroll", this.draw);
    this.watch.disconnect();
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

  draw() {
    if (!this.columns) return;
    const { leaves } = this.board;
    const top = -this.root.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / this.rowHeight) - MARGIN_ROWS) * this.columns;
    const last = Math.min(leaves.length, (Math.ceil((top + innerHeight) / this.rowHeight) + MARGIN_ROWS) * this.columns);
    const seen = new Set();
    for (let i = first; i < last; i++) {
      seen.add(leaves[i].id);
      this.cellOf(leaves[i], i);
    }
    if (leaves[this.current] && !seen.has(leaves[this.current].id)) {
      // What a screen reader is at stays.
      seen.add(leaves[this.current].id);
      this.cellOf(leaves[this.current], this.current);
    }
    for (const [id, cell] of this.cells)
      if (!seen.has(id)) {
        clearTimeout(cell.timer);
        cell.node.remove();
        this.cells.delete(id);
      }
    const now = leaves[this.current];
    if (now) this.root.setAttribute("aria-activedescendant", `leaf-${now.id}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  cellOf(leaf, index) {
    let cell = this.cells.get(leaf.id);
    if (!cell || cell.leaf !== leaf || cell.size !== this.cell) {
      cell?.node.remove();
      clearTimeout(cell?.timer);
      cell = this.make(leaf);
      this.cells.set(leaf.id, cell);
    }
    const [x, y] = this.spot(index);
    const { node } = cell;
    node.style.insetInlineStart = `${x}px`;
    node.style.top = `${y}px`;
    const chosen = this.board.selected.has(leaf.id);
    node.setAttribute("aria-selected", String(chosen));
    node.setAttribute("aria-posinset", String(index + 1));
    node.setAttribute("aria-setsize", String(this.board.leaves.length));
    node.classList.toggle("current", index === this.current);
    node.classList.toggle("moving", Boolean(this.drag?.on && chosen));
    const file = files.find(leaf.file);
    const several = files.items.length > 1;
    const name = leaf.blank ? t("blankPage") : several ? `${leaf.n} · ${file?.name || ""}` : t("pageN", { n: leaf.n });
    if (cell.name !== `${index}${name}`) {
      cell.name = `${index}${name}`;
      const told = index + 1 !== leaf.n || several || leaf.blank;
      put(cell.label, el("b", null, String(index + 1)), told && " · ", told && el("bdi", null, name));
      const turn = leaf.turn ? `, ${t("turned", { degrees: leaf.turn })}` : "";
      node.setAttribute("aria-label", `${index + 1}: ${name}${turn}${leaf.cut ? `, ${t("newPart")}` : ""}`);
    }
    const part = leaf.cut && index > 0;
    if (Boolean(cell.part) !== Boolean(part)) {
      cell.part?.forEach((one) => one.remove());
      cell.part = part ? [el("span", { className: "part" }), el("span", { className: "part-name" }, t("newPart"))] : null;
      if (part) node.append(...cell.part);
    }
  }

  make(leaf) {
    const file = files.find(leaf.file);
    const [width, height] = file?.doc?.size(leaf.n) || [595, 842];
    const inner = this.cell - 18;
    const scale = inner / Math.max(width, height);
    const sheet = el("span", { className: "sheet" });
    const shape = (one) => {
      one.style.width = `${Math.max(8, width * scale)}px`;
      one.style.height = `${Math.max(8, height * scale)}px`;
      one.classList.add(`turn-${leaf.turn}`);
    };
    const empty = el("span", { className: "empty" }, leaf.blank ? t("blankPage") : "");
    shape(empty);
    sheet.append(empty);
    const label = el("span", { className: "label" });
    const node = el("div", { className: "leaf", role: "option", id: `leaf-${leaf.id}` }, sheet, label, el("span", { className: "tick" }, icon("check")));
    node.dataset.id = String(leaf.id);
    node.style.width = `${this.cell}px`;
    node.style.height = `${this.cell + LABEL}px`;
    const cell = { node, leaf, label, size: this.cell, name: "", part: null, timer: 0 };
    if (!leaf.blank && file) {
      // Two widths, so that pictures are found again when the grid changes.
      const want = this.cell * devicePixelRatio > 200 ? 320 : 160;
      const load = (tries) => {
        const image = el("img", { alt: "", draggable: false });
        shape(image);
        image.onload = () => put(sheet, image);
        image.onerror = () => {
          // A strip that gave way to newer ones is asked for again while it is in sight.
          if (tries < 10) cell.timer = setTimeout(() => load(tries + 1), 700 * (tries + 1));
        };
        showPage(image, file, leaf.n, want);
      };
      cell.timer = setTimeout(() => load(0), SETTLE_MS);
    }
    this.root.append(node);
    return cell;
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
      const index = this.indexOf(event.target);
      if (index >= 0) this.to.open(index);
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
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, index, on: false, touch: event.pointerType === "touch", event };
    if (this.drag.touch) this.drag.timer = setTimeout(() => this.lift(), HOLD_MS);
  }

  /** Pages are picked up. */
  lift() {
    const { drag, board } = this;
    if (!drag || drag.on) return;
    drag.on = true;
    if (!board.selected.has(board.leaves[drag.index].id)) this.select(drag.index, "one");
    this.root.setPointerCapture(drag.id);
    drag.ghost = el("div", { className: "ghost" }, t("pagesCount", { n: board.selected.size }));
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
    }
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.carry(drag.x, drag.y);
  }

  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    const { on, to, index, touch } = drag;
    this.endDrag();
    if (on) {
      this.board.moveTo(to);
      this.current = Math.max(0, this.board.places()[0] ?? 0);
      this.to.moved();
      return;
    }
    this.root.focus({ preventScroll: true });
    if (event.shiftKey) this.select(index, event.ctrlKey || event.metaKey ? "range+" : "range");
    else this.select(index, touch || event.ctrlKey || event.metaKey ? "toggle" : "one");
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
      else if (event.ctrlKey || event.metaKey) this.current = to;
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
