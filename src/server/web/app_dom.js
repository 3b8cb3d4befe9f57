// Elements made without markup: what comes from people or files is always text.

/**
 * Makes an element. Properties that begin with "on" are listeners, "class", "for", "role", "aria-..."
 * and "data-..." are attributes, whatever else is a property; null and false leave one out.
 * @param {string} tag
 * @param {Record<string, any> | null} [is]
 * @param {...any} inner  elements, texts, or what is left out: null, undefined, false
 * @returns {any}
 */
export function el(tag, is, ...inner) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(is || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && !name.includes("-") && name !== "list") made[name] = value;
    else made.setAttribute(name === "className" ? "class" : name, value === true ? "" : String(value));
  }
  made.append(...inner.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** The lines of the icons, on a field of 24 by 24. */
const ICONS = {
  merge: "M8 3H5a1 1 0 0 0-1 1v6m0 4v6a1 1 0 0 0 1 1h3M16 3h3a1 1 0 0 1 1 1v6m0 4v6a1 1 0 0 1-1 1h-3M4 12h5m6 0h5M9 12l-2-2m2 2-2 2M15 12l2-2m-2 2 2 2M12 8v8",
  "extract-pages": "M14 3H6v18h6M14 3v4h4v4M14 3l4 4M21 17h-7m0 0 3-3m-3 3 3 3",
  delete: "M14 3H6v18h6M14 3v4h4v5M14 3l4 4M15 15l6 6m0-6-6 6",
  scissors: "M6 4a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM6 15a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM8 8l12 8M8 16l12-8",
  split: "M12 3v3m0 3v3m0 3v3m0 3v0M9 6H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h4M15 6h4a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-4M7 12h0M17 12h0",
  rotate: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  compress: "M5 9h4V5M19 9h-4V5M5 15h4v4M19 15h-4v4M9 9 4 4M15 9l5-5M9 15l-5 5M15 15l5 5",
  "to-word": "M14 3H6v18h12V7zM14 3v4h4M8.5 12l1.2 5L12 13l2.3 4 1.2-5",
  "to-excel": "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  "to-text": "M6 3h12v18H6zM9 7h6M9 10h6M9 13h6M9 16h4",
  "to-markdown": "M3 6h18v12H3zM6 15V9l3 3 3-3v6M17 9v6m0 0-2-2m2 2 2-2",
  "to-html": "M8 7l-5 5 5 5M16 7l5 5-5 5M14 5l-4 14",
  ocr: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 9h8M8 12h8M8 15h5",
  "redact-find": "M4 6h16M4 11h7M4 16h5M19 19l-3-3M12 14a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  "form-fields": "M4 5h6v4H4zM4 15h6v4H4zM14 7h6M14 17h6",
  "fill-form": "M4 5h16v5H4zM4 14h9M4 18h6M14 19l5-5 2 2-5 5h-2z",
  flatten: "M4 14h16M4 18h16M12 3v8m0 0-3-3m3 3 3-3",
  extract: "M8 4c-2 0-3 1-3 3v2c0 2-1 3-2 3 1 0 2 1 2 3v2c0 2 1 3 3 3M16 4c2 0 3 1 3 3v2c0 2 1 3 2 3-1 0-2 1-2 3v2c0 2-1 3-3 3M10 12h0M14 12h0",
  redact: "M4 6h6M14 6h6M4 10h16v4H4zM4 18h9",
  sanitize: "M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6zM9 12l2 2 4-4",
  outline: "M6 3h12v18l-6-5-6 5z",
  attachments: "M8 12l6-6a3 3 0 0 1 4 4l-8 8a4.500 4.500 0 0 1-6-6l8-8",
  info: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 11v5M12 8h0",
  metadata: "M4 12V4h8l8 8-8 8zM8 8h0",
  "to-jpg": "M4 4h16v16H4zM4 16l5-5 4 4 3-3 4 4M15 9h0",
  "to-png": "M4 4h16v16H4zM4 16l5-5 4 4 3-3 4 4M15 9h0",
  "to-webp": "M4 4h16v16H4zM4 16l5-5 4 4 3-3 4 4M15 9h0",
  "to-svg": "M5 3h4v4H5zM15 17h4v4h-4zM9 5h8M7 7v10a4 4 0 0 0 4 2h4M17 5v0",
  "to-tiff": "M7 3h14v14M3 7h14v14H3zM3 17l4-4 4 4 2-2 4 4",
  "markdown-to-pdf": "M3 5h18v14H3zM6 15V9l3 3 3-3v6M17 9v6M15 13l2 2 2-2",
  "html-to-pdf": "M3 4h18v16H3zM3 8h18M8 12l-2 2 2 2M16 12l2 2-2 2M13 11l-2 6",
  "html-to-png": "M3 4h18v16H3zM3 8h18M3 17l5-4 4 3 3-2 6 4",
  "url-to-pdf": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.500-1.500",
  "url-to-png": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.500-1.500",
  "word-to-pdf": "M14 3H6v18h12V7zM14 3v4h4M9 11h6M9 14h6M9 17h4",
  "excel-to-pdf": "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  "ppt-to-pdf": "M4 4h16v11H4zM12 15v4M8 20h8M8 11V9m4 2V7m4 4v-1",
  "jpg-to-pdf": "M3 7h13v13H3zM8 7V4h13v13h-5M3 16l4-4 3 3 2-2 4 4",
  watermark: "M12 3s6 6.500 6 11a6 6 0 0 1-12 0c0-4.500 6-11 6-11zM9.500 14.500a2.500 2.500 0 0 0 2.500 2.500",
  "page-numbers": "M6 3h12v18H6zM10 17h1m2 0h1M9 7h6M9 10h6",
  sign: "M3 17c3-1 5-12 8-12 2.500 0-3 11-1 11s3-5 5-5 0 4 2 4 2-1 4-1M3 21h18",
  "add-password": "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3M12 15v2",
  "remove-password": "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 6.700-1.500M12 15v2",
  repair: "M14.500 5.500a4 4 0 0 0-5 5L4 16v4h4l5.500-5.500a4 4 0 0 0 5-5L16 12l-2-.500-1.500-2z",
  pipeline: "M4 6h5v4H4zM15 14h5v4h-5zM9 8h4a2 2 0 0 1 2 2v4",
  pages: "M4 4h7v9H4zM13 4h7v9h-7zM4 16h7v4H4zM13 16h7v4h-7z",
  tools: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  results: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5",
  clock: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4l3 2",
  operator: "M4 7h8M18 7h2M15 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM4 17h2M12 17h8M9 14.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
  jobs: "M12 4v10m0 0-4-4m4 4 4-4M4 17v3h16v-3",
  account: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21a8 8 0 0 1 16 0",
  flow: "M4 6h5v4H4zM15 14h5v4h-5zM9 8h4a2 2 0 0 1 2 2v4",
  file: "M14 3H6v18h12V7zM14 3v4h4",
  drop: "M12 16V5m0 0L7.500 9.500M12 5l4.500 4.500M4 17v3h16v-3",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  close: "M6 6l12 12M18 6 6 18",
  up: "M12 19V6m0 0-5 5m5-5 5 5",
  down: "M12 5v13m0 0-5-5m5 5 5-5",
  before: "M19 12H6m0 0 5-5m-5 5 5 5",
  after: "M5 12h13m0 0-5-5m5 5-5 5",
  list: "M8 6h12M8 12h12M8 18h12M4 6h0M4 12h0M4 18h0",
  print: "M7 8V3h10v5M7 17H4V8h16v9h-3M7 13h10v8H7z",
  compare: "M12 3v18M10 6H4v12h6M14 6h6v12h-6",
  fitPage: "M6 3h12v18H6zM12 6v12M10 8l2-2 2 2M10 16l2 2 2-2",
  fitWidth: "M4 5h16v14H4zM7 12h10M9 10l-2 2 2 2M15 10l2 2-2 2",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  left: "M9 10h9v11H9zM5.500 13V8.500A4.500 4.500 0 0 1 10 4h3M5.500 13l-2.500-2.500M5.500 13 8 10.500",
  right: "M6 10h9v11H6zM18.500 13V8.500A4.500 4.500 0 0 0 14 4h-3M18.500 13l2.500-2.500M18.500 13 16 10.500",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
  blank: "M6 3h12v18H6zM12 9v6M9 12h6",
  cut: "M12 3v4m0 3v4m0 3v4M5 7v10M19 7v10",
  zoom: "M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500 20 20M8 10.500h5M10.500 8v5",
  unzoom: "M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500 20 20M8 10.500h5",
  check: "M5 12.500l4.500 4.500L19 7.500",
  warning: "M12 4 2.500 20h19zM12 10v5M12 17.500v0",
  more: "M5 12h0M12 12h0M19 12h0",
  language: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  add: "M12 5v14M5 12h14",
  star: "M12 3.500l2.600 5.600 6 .700-4.500 4.100 1.200 6L12 17l-5.300 2.900 1.200-6-4.500-4.100 6-.700z",
  theme: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M12 7h7M12 12h9M12 17h7",
  link: "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  sort: "M4 7h10M4 12h7M4 17h4M17 6v12m0 0-3-3m3 3 3-3",
  pen: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z",
};

/** @param {string} name @returns {SVGSVGElement} */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name] || ICONS.file);
  svg.append(path);
  return svg;
}

/** A button with an icon before its words. @param {Record<string, any>} [is] */
export function button(name, words, act, is) {
  return el("button", { type: "button", onclick: act, ...is }, name && icon(name), el("span", null, words));
}

/** A button that shows only its icon; its words are its name, and shown when pointed at. */
export function iconButton(name, words, act, is) {
  return el("button", { type: "button", className: "icon-button", "aria-label": words, title: words, onclick: act, ...is },
    icon(name));
}

/** Tells those who do not see the page what happened. The same words twice are told twice. */
export function say(text) {
  const place = document.getElementById("say");
  place.textContent = "";
  setTimeout(() => (place.textContent = text), 30);
}

/** Has something drawn once for all that asks for it before the next frame. @param {() => void} draw */
export function eachFrame(draw) {
  let frame = 0;
  return {
    ask: () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
    },
    stop: () => cancelAnimationFrame(frame),
  };
}

/** @param {string} id @returns {any} */
export const at = (id) => document.getElementById(id);

/** What is kept in this browser; a browser that refuses keeps nothing. */
export const kept = {
  read(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`platen.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  /** All but the language, which says nothing of whom it was. */
  forget() {
    try {
      for (const name of Object.keys(localStorage)) if (name.startsWith("platen.") && name !== "platen.language") localStorage.removeItem(name);
    } catch {
      // There is nothing then.
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(`platen.${name}`, JSON.stringify(value));
    } catch {
      // A private window, or full.
    }
  },
};

/**
 * A picture file as a canvas, upright, and no larger than it is needed; null for what this browser does not know as a
 * picture, which the server may know.
 * @param {Blob} file @param {number} side  the most pixels of a side @returns {Promise<{canvas: HTMLCanvasElement, smaller: boolean} | null>}
 */
export async function pictureOf(file, side) {
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = el("canvas", { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)) });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return { canvas, smaller: scale < 1 };
  } catch {
    return null;
  }
}

/** Has an element hold these and nothing else; null, undefined and false are left out. */
export function put(parent, ...inner) {
  parent.replaceChildren(...inner.flat().filter((one) => one !== null && one !== undefined && one !== false));
  return parent;
}
