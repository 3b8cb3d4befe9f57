// The files to work on: chosen, dropped, pasted, or the result of an earlier job. Their order counts.

/** @typedef {{name: string, size: number, file?: File, job?: string}} Item */

export function sizeText(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let unit = 0;
  for (; unit + 1 < units.length && bytes >= 1000; unit++) bytes /= 1000;
  return `${unit ? bytes.toPrecision(3) : bytes} ${units[unit]}`;
}

export function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "quiet";
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

export class Files {
  /** @param {() => void} changed */
  constructor(list, changed) {
    this.list = list;
    this.changed = changed;
    /** @type {Item[]} */
    this.items = [];
  }

  add(items) {
    this.items.push(...items);
    this.draw();
  }

  clear() {
    this.items = [];
    this.draw();
  }

  move(at, to) {
    this.items.splice(to, 0, ...this.items.splice(at, 1));
    this.draw();
    this.list.children[to].querySelector("button").focus();
  }

  remove(at) {
    this.items.splice(at, 1);
    this.draw();
    (this.list.children[Math.min(at, this.items.length - 1)]?.querySelector("button") ||
      document.getElementById("choose")).focus();
  }

  draw() {
    this.list.replaceChildren(...this.items.map((item, at) => this.row(item, at)));
    this.changed();
  }

  row(item, at) {
    const row = document.createElement("li");
    const what = document.createElement("span");
    const size = document.createElement("span");
    what.className = "what";
    what.textContent = item.name;
    size.className = "size";
    size.textContent = sizeText(item.size);
    row.append(what, size);
    if (at > 0) row.append(button("↑", `Move ${item.name} up`, () => this.move(at, at - 1)));
    if (at + 1 < this.items.length) row.append(button("↓", `Move ${item.name} down`, () => this.move(at, at + 1)));
    row.append(button("✕", `Remove ${item.name}`, () => this.remove(at)));
    return row;
  }
}

/** Has a page take files in every way there is. */
export function takeFiles(drop, input, files) {
  const add = (list) => files.add([...list].map((file) => ({ name: file.name, size: file.size, file })));
  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    add(event.dataTransfer.files);
  });
  document.addEventListener("paste", (event) => {
    if (event.clipboardData.files.length) add(event.clipboardData.files);
  });
}
