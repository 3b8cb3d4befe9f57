// Ink as a picture with nothing behind it: strokes of a pen, a name in one of three hands, or a photo
// without its paper. Sharp at print size: up to 2,000 pixels wide.

import { el } from "./app_dom.js";

/** The colours of pens. */
export const INKS = { black: "#14202e", blue: "#1d3f94" };
/** Hands as app_sign.css names their fonts, and how large their letters are. */
export const HANDS = { allura: 1, vibes: 0.92, caveat: 0.86 };
const SIDE = 2000;
const LINE = 2.4; // of a pen's stroke on the pad, in pixels

/** @typedef {{x: number, y: number, w: number}} Point  w: how wide the stroke is there, about 1 */

const within = (value, least, most) => Math.max(least, Math.min(most, value));

/**
 * A point of a stroke: a pen says how hard it is pressed; a quick stroke of a mouse or finger is thin.
 * @param {Point[]} stroke @param {number[]} at @param {PointerEvent} event @param {number} before  time of the last point
 * @returns {Point | null} none if it hardly moved
 */
export function pointOf(stroke, [x, y], event, before) {
  const last = stroke[stroke.length - 1];
  if (!last) return { x, y, w: event.pointerType === "pen" && event.pressure ? 0.4 + 1.2 * event.pressure : 1 };
  const far = Math.hypot(x - last.x, y - last.y);
  if (far < 0.7) return null;
  const wanted = event.pointerType === "pen" && event.pressure ? 0.4 + 1.2 * event.pressure
    : within(1.3 - 0.4 * (far / Math.max(1, event.timeStamp - before)), 0.5, 1.3);
  return { x, y, w: 0.7 * last.w + 0.3 * wanted };
}

/** Draws a stroke as curves between the middles of its points, each as wide as it was pressed. @param {Point[]} stroke */
export function drawStroke(pen, stroke, scale, color, from = 0) {
  Object.assign(pen, { lineCap: "round", lineJoin: "round", strokeStyle: color });
  const line = (ax, ay, bx, by, w) => {
    pen.lineWidth = LINE * w * scale;
    pen.beginPath();
    pen.moveTo(ax * scale, ay * scale);
    pen.lineTo(bx * scale, by * scale);
    pen.stroke();
  };
  if (stroke.length === 1) return line(stroke[0].x, stroke[0].y, stroke[0].x + 0.01, stroke[0].y, 1.3 * stroke[0].w);
  const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, w: (a.w + b.w) / 2 });
  for (let i = Math.max(1, from); i < stroke.length; i++) {
    const [a, b] = [stroke[i - 1], stroke[i]];
    const begin = i > 1 ? middle(stroke[i - 2], a) : a;
    const end = middle(a, b);
    let [x, y] = [begin.x, begin.y];
    for (let k = 1; k <= 8; k++) {
      const t = k / 8;
      const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
      const [nx, ny] = [p * begin.x + q * a.x + r * end.x, p * begin.y + q * a.y + r * end.y];
      line(x, y, nx, ny, begin.w + (end.w - begin.w) * t);
      [x, y] = [nx, ny];
    }
    if (i === stroke.length - 1) line(x, y, b.x, b.y, b.w);
  }
}

/** The part of a canvas that has ink; null if there is none. @param {HTMLCanvasElement} canvas */
function cropped(canvas) {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, i = 3; y < height; y++)
    for (let x = 0; x < width; x++, i += 4)
      if (data[i] > 8) {
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < top) top = y;
        bottom = y;
      }
  if (right < left) return null;
  const made = el("canvas", { width: right - left + 1, height: bottom - top + 1 });
  made.getContext("2d").drawImage(canvas, -left, -top);
  return made;
}

/** @param {Point[][]} strokes @param {string} color */
export function strokesPicture(strokes, color) {
  const all = strokes.flat();
  if (!all.length) return null;
  const [left, top] = [Math.min(...all.map((p) => p.x)) - 4, Math.min(...all.map((p) => p.y)) - 4];
  const [width, height] = [Math.max(...all.map((p) => p.x)) + 4 - left, Math.max(...all.map((p) => p.y)) + 4 - top];
  const scale = Math.min(8, SIDE / Math.max(width, height));
  const canvas = el("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const pen = canvas.getContext("2d");
  for (const stroke of strokes) drawStroke(pen, stroke.map((p) => ({ x: p.x - left, y: p.y - top, w: p.w })), scale, color);
  return cropped(canvas);
}

/** A name in a hand, once its font is there. @param {string} text @param {string} hand @param {string} color */
export async function typedPicture(text, hand, color) {
  const family = `"hand-${hand}", "Segoe Script", "Snell Roundhand", cursive`;
  if (!text.trim()) return null;
  await document.fonts.load(`40px "hand-${hand}"`, text).catch(() => null);
  const pen = el("canvas", { width: 1, height: 1 }).getContext("2d");
  pen.font = `100px ${family}`;
  const size = Math.min(280, (100 * (SIDE - 200)) / Math.max(1, pen.measureText(text).width));
  pen.font = `${size}px ${family}`;
  const is = pen.measureText(text);
  const pad = Math.ceil(size * 0.6);
  const canvas = el("canvas", { width: Math.ceil(is.width) + 2 * pad, height: Math.ceil(is.actualBoundingBoxAscent + is.actualBoundingBoxDescent) + 2 * pad });
  const draws = canvas.getContext("2d");
  Object.assign(draws, { font: `${size}px ${family}`, fillStyle: color, textBaseline: "alphabetic" });
  draws.fillText(text, pad, pad + is.actualBoundingBoxAscent);
  return cropped(canvas);
}

const CELL = 24;

/** How bright the paper is around each cell of a picture: the light that falls on it differs. */
function paperOf(light, width, height) {
  const [across, down] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const cells = new Float32Array(across * down);
  for (let cy = 0; cy < down; cy++)
    for (let cx = 0; cx < across; cx++) {
      const counts = new Uint16Array(256);
      let n = 0;
      for (let y = cy * CELL; y < Math.min(height, (cy + 1) * CELL); y++)
        for (let x = cx * CELL; x < Math.min(width, (cx + 1) * CELL); x++, n++) counts[light[y * width + x]]++;
      let level = 255;
      for (let left = n * 0.15; level > 0 && (left -= counts[level]) > 0; level--);
      cells[cy * across + cx] = level;
    }
  // The brightest cell nearby, as ink may fill one.
  const near = cells.map((_, i) => {
    const [cx, cy] = [i % across, Math.floor(i / across)];
    let most = 0;
    for (let y = Math.max(0, cy - 2); y <= Math.min(down - 1, cy + 2); y++)
      for (let x = Math.max(0, cx - 2); x <= Math.min(across - 1, cx + 2); x++) most = Math.max(most, cells[y * across + x]);
    return most;
  });
  return (x, y) => {
    const [u, v] = [within(x / CELL - 0.5, 0, across - 1), within(y / CELL - 0.5, 0, down - 1)];
    const [cx, cy] = [Math.floor(u), Math.floor(v)];
    const [nx, ny] = [Math.min(across - 1, cx + 1), Math.min(down - 1, cy + 1)];
    const [s, t] = [u - cx, v - cy];
    return (1 - t) * ((1 - s) * near[cy * across + cx] + s * near[cy * across + nx]) + t * ((1 - s) * near[ny * across + cx] + s * near[ny * across + nx]);
  };
}

/**
 * A photo of a signature without its paper; a picture that has nothing behind it already stays as it is.
 * @param {HTMLCanvasElement} canvas @param {number} strength 0 (little is taken away) to 1
 */
export function photoPicture(canvas, strength) {
  const { width, height } = canvas;
  const made = el("canvas", { width, height });
  const pen = made.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const picture = pen.getImageData(0, 0, width, height);
  const { data } = picture;
  let clear = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] < 128) clear++;
  if (clear > 0.2 * width * height) return cropped(made);
  const light = new Uint8Array(width * height);
  for (let i = 0, k = 0; k < light.length; i += 4, k++) light[k] = 0.3 * data[i] + 0.59 * data[i + 1] + 0.11 * data[i + 2];
  const paper = paperOf(light, width, height);
  const least = 0.06 + 0.3 * strength; // darker than the paper by so much is ink, at least a little
  for (let y = 0, k = 0; y < height; y++)
    for (let x = 0; x < width; x++, k++) {
      const white = Math.max(60, paper(x, y));
      const ink = within(((white - light[k]) / white - least) / 0.22, 0, 1);
      data[4 * k + 3] = Math.round(255 * ink);
      // What shines through of the paper is taken out of the ink's own colour.
      for (let c = 0; c < 3 && ink > 0; c++) data[4 * k + c] = within((data[4 * k + c] - white * (1 - ink)) / ink, 0, 255);
    }
  pen.putImageData(picture, 0, 0);
  return cropped(made);
}

/** @typedef {{file: File, url: string, ratio: number, data: () => Promise<string>}} Ink  ratio: of its width to its height */

/** @param {Blob} blob @param {number} ratio @param {string} name @returns {Ink} */
function inkOf(blob, ratio, name) {
  return {
    file: new File([blob], `${name}.png`, { type: "image/png" }), url: URL.createObjectURL(blob), ratio,
    data: () => new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.readAsDataURL(blob);
    }),
  };
}

/** @param {HTMLCanvasElement | null} canvas @param {string} name @returns {Promise<Ink | null>} */
export async function inkFrom(canvas, name) {
  const blob = canvas && (await new Promise((resolve) => canvas.toBlob(resolve, "image/png")));
  return blob ? inkOf(blob, canvas.width / canvas.height, name) : null;
}

const PNG = "data:image/png;base64,";

/** What was kept, if it still is a picture. @param {string} data @param {string} name @returns {Promise<Ink | null>} */
export async function inkAgain(data, name) {
  try {
    if (!String(data).startsWith(PNG)) return null;
    const blob = new Blob([Uint8Array.from(atob(data.slice(PNG.length)), (c) => c.charCodeAt(0))], { type: "image/png" });
    const bitmap = await createImageBitmap(blob);
    const ratio = bitmap.width / bitmap.height;
    bitmap.close();
    return inkOf(blob, ratio, name);
  } catch {
    return null;
  }
}
