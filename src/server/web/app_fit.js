// How large a stamp is and in which lines: the rules of the tools themselves (src/stamp/draw/fit.c,
// src/tools/worker/watermark.c, src/tools/worker/page_numbers.c), with the measures of the browser's own font.
// Lengths are in points, angles in radians counterclockwise.

import { el } from "./app_dom.js";

const NOMINAL = 100; // the font size in which texts are measured
const PAD = 0.02; // around the ink, in font sizes
const MOST_LINES = 24;
const STEPS = 4; // lines are broken at widths of whole quarters of the font size
const MARGIN = 24;

const pen = el("canvas", null).getContext("2d");

/** @typedef {{lines: string[], font: string, left: number, top: number, width: number, height: number, down: number}} Block
 *   its ink from the middle of its first baseline, and from one baseline to the next, in font sizes */
/** @typedef {{block: Block, size: number, width: number, height: number, angle: number}} Stamp */

const fontOf = (name, bold) => `${bold ? "bold " : ""}${NOMINAL}px ${name ? `"${name.replace(/["\\]/g, "")}", ` : ""}"Noto Sans", system-ui, sans-serif`;

/** @param {string[]} lines @returns {Block} */
function measured(lines, font) {
  pen.font = font;
  pen.textAlign = "center";
  let [left, right, top, bottom] = [0, 0, Infinity, -Infinity];
  let down = 0;
  lines.forEach((line, i) => {
    const is = pen.measureText(line);
    down = is.fontBoundingBoxAscent + is.fontBoundingBoxDescent;
    left = Math.min(left, -is.actualBoundingBoxLeft);
    right = Math.max(right, is.actualBoundingBoxRight);
    if (!line.trim()) return;
    top = Math.min(top, i * down - is.actualBoundingBoxAscent);
    bottom = Math.max(bottom, i * down + is.actualBoundingBoxDescent);
  });
  const em = (length) => length / NOMINAL;
  return { lines, font, left: em(left) - PAD, top: em(top) - PAD, width: em(right - left) + 2 * PAD, height: em(bottom - top) + 2 * PAD, down: em(down) };
}

/** The text with lines broken at a width in font sizes. */
function broken(text, font, width) {
  pen.font = font;
  const most = (Math.ceil(width * STEPS) / STEPS) * NOMINAL;
  const fits = (line) => pen.measureText(line).width <= most;
  return text.split("\n").flatMap((whole) => {
    const lines = [""];
    for (let word of whole.split(/\s+/)) {
      const last = lines[lines.length - 1];
      if (fits(last ? `${last} ${word}` : word)) {
        lines[lines.length - 1] = last ? `${last} ${word}` : word;
        continue;
      }
      if (last) lines.push("");
      while (word && !fits(word)) {
        let n = word.length - 1;
        while (n > 1 && !fits(word.slice(0, n))) n--;
        lines[lines.length - 1] = word.slice(0, Math.max(1, n));
        word = word.slice(Math.max(1, n));
        lines.push("");
      }
      lines[lines.length - 1] = word;
    }
    return lines;
  });
}

/** @param {number[]} page */
const marginOf = (page) => Math.min(MARGIN, 0.04 * Math.min(...page));

/**
 * A watermark at a place of a page.
 * @param {{text: string, font: string, fontSize: number, rotation: number}} is  fontSize 0: as large as fits
 * @param {number[]} page its width and height @param {number[]} spot column and row, 0 to 2 @param {boolean} tiled
 * @returns {Stamp}
 */
export function watermarkStamp(is, page, spot, tiled) {
  const angle = (is.rotation * Math.PI) / 180;
  const [c, s] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const side = Math.min(...page);
  let [width, height] = page.map((length) => length - 2 * marginOf(page));
  let [most, readable] = [side / 3, side / 20];
  if (!is.fontSize && tiled) {
    [width, height, most, readable] = [width * 0.3, height * 0.3, side / 14, side / 60];
  } else if (!is.fontSize && (spot[0] !== 1 || spot[1] !== 1)) {
    if (spot[0] !== 1) width *= 0.5;
    if (spot[1] !== 1) height *= 0.4;
    [most, readable] = [side / 12, side / 50];
  }
  const sizeIn = (block) => Math.min(width / (block.width * c + block.height * s), height / (block.width * s + block.height * c));
  const font = fontOf(is.font, !is.font);
  const whole = measured(is.text.split("\n"), font);
  let best = whole;
  const take = (length) => {
    const next = measured(broken(is.text, font, Math.max(1, length)), font);
    if (sizeIn(next) > sizeIn(best)) best = next;
  };
  if (is.fontSize) {
    const longest = Math.min(c > 1e-6 ? width / c : Infinity, s > 1e-6 ? height / s : Infinity);
    for (let i = 0; i < 8 && sizeIn(best) < is.fontSize; i++) take((longest * (1 - i / 14)) / is.fontSize);
  } else if (sizeIn(whole) < readable) {
    for (let lines = 2; lines <= MOST_LINES && sizeIn(best) < most; lines++) take(whole.width / lines);
  }
  const size = Math.min(sizeIn(best), is.fontSize || most);
  return { block: best, size, width: best.width * size, height: best.height * size, angle };
}

/**
 * A picture at a place of a page, as large as the tool makes it.
 * @param {{size: number[], wanted: number, rotation: number}} is  its sides; the width that is wanted, 0: as large as suits
 * @param {number[]} page @param {number[]} spot @param {boolean} tiled
 */
export function pictureStamp(is, page, spot, tiled) {
  const angle = (is.rotation * Math.PI) / 180;
  const [c, s] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [across, down] = page.map((length) => length - 2 * marginOf(page));
  const [w, h] = is.size;
  const fits = Math.min(across / (w * c + h * s), down / (w * s + h * c));
  const part = tiled ? 0.2 : spot[0] !== 1 || spot[1] !== 1 ? 0.25 : 0.6;
  const scale = Math.min(fits, is.wanted ? is.wanted / w : fits * part);
  return { block: { lines: [] }, size: (Math.min(w, h) * scale) / 4, width: w * scale, height: h * scale, angle };
}

/** A page number. @param {{fontSize: number, font: string}} is @returns {Stamp} */
export function numberStamp(is, text, page, margin) {
  const block = measured(text.split("\n"), fontOf(is.font, false));
  const height = block.lines.length * block.down;
  const size = is.fontSize * Math.min(1, (page[0] - 2 * margin) / (block.width * is.fontSize), (page[1] - 2 * margin) / (height * is.fontSize));
  // The tool counts the lines with the font's own height, of which the ink is in the middle, near enough.
  return { block: { ...block, top: block.top - (height - block.height) / 2, height }, size, width: block.width * size, height: height * size, angle: 0 };
}

/** Where the middle of a stamp is on a page, from its top left corner. @param {Stamp} stamp @param {number[]} page @param {number[]} spot */
export function middleOf(stamp, page, [column, row], margin = marginOf(page)) {
  const [c, s] = [Math.abs(Math.cos(stamp.angle)), Math.abs(Math.sin(stamp.angle))];
  const [width, height] = [stamp.width * c + stamp.height * s, stamp.width * s + stamp.height * c];
  return [margin + width / 2 + (column / 2) * (page[0] - 2 * margin - width), margin + height / 2 + (row / 2) * (page[1] - 2 * margin - height)];
}

/** The middles of a text that is all over the page. @param {Stamp} stamp @param {number[]} page */
export function tilesOf(stamp, page) {
  const across = stamp.width + Math.max(2 * stamp.size, 0.25 * stamp.width);
  const down = stamp.height + 3 * stamp.size;
  const reach = Math.hypot(...page) / 2;
  const [c, s] = [Math.cos(stamp.angle), Math.sin(stamp.angle)];
  const made = [];
  const [columns, rows] = [Math.min(60, Math.ceil(reach / across) + 1), Math.min(60, Math.ceil(reach / down) + 1)];
  for (let row = -rows; row <= rows; row++)
    for (let column = -columns; column <= columns; column++) {
      const [u, v] = [(column + (row % 2 ? 0.5 : 0)) * across, row * down];
      made.push([page[0] / 2 + u * c - v * s, page[1] / 2 - u * s - v * c]);
    }
  return made;
}

/** Writes a stamp with its middle at a point. @param {HTMLCanvasElement} canvas of the whole page @param {Stamp} stamp @param {number[]} middle */
export function write(canvas, stamp, [x, y], scale, color, opacity) {
  const to = canvas.getContext("2d");
  const { block } = stamp;
  const em = (stamp.size / NOMINAL) * scale;
  to.save();
  Object.assign(to, { fillStyle: color, globalAlpha: opacity, font: block.font, textAlign: "center", textBaseline: "alphabetic" });
  to.translate(x * scale, y * scale);
  to.rotate(-stamp.angle);
  to.scale(em, em);
  block.lines.forEach((line, i) => to.fillText(line, -(block.left + block.width / 2) * NOMINAL, (i * block.down - block.top - block.height / 2) * NOMINAL));
  to.restore();
}
