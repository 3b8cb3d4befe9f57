// The Markdown that descriptions are written in: headings, paragraphs, lists, tables, fenced code;
// code, bold and links in a line. Made as elements, never as HTML text: nothing of it can be run.

/** An element: attributes by name (a function is a listener), then what is in it. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child != null));
  return made;
}

/**
 * A folded part whose contents are made when it is first opened, or told to "fill": the reference has far more in
 * such parts than anybody opens.
 */
export function folded(attributes, summary, make) {
  const box = element("details", attributes, summary);
  const fill = () => {
    if (box.childElementCount === 1) box.append(...[make()].flat(Infinity).filter((child) => child != null));
  };
  box.addEventListener("toggle", fill);
  box.addEventListener("fill", fill);
  return box;
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^)\s]*)\)/g;

export function inline(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(end, found.index));
    if (found[1]) parts.push(element("code", {}, found[1]));
    else if (found[2]) parts.push(element("strong", {}, found[2]));
    else parts.push(element("a", { href: found[4] }, found[3]));
    end = found.index + found[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

/** "Errors and codes" -> "errors-and-codes" */
export function anchor(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

const cells = (line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  return element("div", { class: "wide", tabindex: "0" }, element("table", {},
    element("thead", {}, element("tr", {}, head.map((cell) => element("th", { scope: "col" }, inline(cell))))),
    element("tbody", {}, rows.map((row) =>
      element("tr", {}, row.map((cell) => element("td", {}, inline(cell))))))));
}

/** A copy button beside it. */
export function codeBlock(text) {
  const button = element("button", {
    type: "button", class: "copy",
    click: async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    },
  }, "Copy");
  return element("div", { class: "code" }, element("pre", { tabindex: "0" }, element("code", {}, text)), button);
}

/** The text as elements. Headings begin at the level given; each has an id. */
export function markdown(text, level = 2) {
  const lines = text.split("\n");
  const out = [];
  const takeWhile = (test) => {
    const taken = [];
    while (lines.length && test(lines[0])) taken.push(lines.shift());
    return taken;
  };
  const isPlain = (line) => line.trim() !== "" && !/^(#|```|\||- )/.test(line);
  while (lines.length) {
    const line = lines[0];
    const heading = /^(#+) (.*)/.exec(line);
    if (heading) {
      lines.shift();
      const depth = Math.min(6, level + Math.max(0, heading[1].length - 2));
      out.push(element(`h${depth}`, { id: anchor(heading[2]) }, inline(heading[2])));
    } else if (line.startsWith("```")) {
      lines.shift();
      out.push(codeBlock(takeWhile((next) => !next.startsWith("```")).join("\n")));
      lines.shift();
    } else if (line.startsWith("|")) {
      out.push(table(takeWhile((next) => next.startsWith("|"))));
    } else if (line.startsWith("- ")) {
      const items = [];
      for (const next of takeWhile((other) => /^(- |  )/.test(other))) {
        if (next.startsWith("- ")) items.push(next.slice(2));
        else items[items.length - 1] += ` ${next.trim()}`;
      }
      out.push(element("ul", {}, items.map((item) => element("li", {}, inline(item)))));
    } else if (isPlain(line)) {
      out.push(element("p", {}, inline(takeWhile(isPlain).join(" "))));
    } else {
      lines.shift();
    }
  }
  return out;
}
