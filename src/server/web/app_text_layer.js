// The text of a page over its picture: each word where it is, unseen, so that it can be selected, copied and read
// aloud; and its links. All is in parts of the page, so nothing changes when the page is zoomed.

import { el } from "./app_dom.js";
import { t } from "./app_i18n.js";

const FONT = "sans-serif";
const SAFE = /^(https?|mailto|tel):/i;

let canvas = null;

/** The width of a text in sizes of its font. @param {string} text */
export function widthOf(text) {
  canvas ||= document.createElement("canvas").getContext("2d");
  canvas.font = `100px ${FONT}`;
  return canvas.measureText(text).width / 100;
}

/** @param {any} word @param {any} line @param {number} width of the page @param {number} height @param {boolean} last in its line @param {boolean} apart a space follows */
function wordAt(word, line, width, height, last, apart) {
  const [x0, y0, x1, y1] = word.box;
  const turned = line.rotation || 0;
  const across = turned === 90 || turned === 270;
  const [long, high] = across ? [y1 - y0, x1 - x0] : [x1 - x0, y1 - y0];
  const node = el("span", { dir: line.rightToLeft ? "rtl" : null }, `${word.text}${last ? "\n" : apart ? " " : ""}`);
  const stretch = long / Math.max(0.01, widthOf(word.text) * high * 0.86);
  const [left, top] = turned === 90 ? [x1, y0] : turned === 180 ? [x1, y1] : turned === 270 ? [x0, y1] : [x0, y0];
  node.style.cssText = `left:${((100 * left) / width).toFixed(3)}%;top:${((100 * top) / height).toFixed(3)}%;font-size:${((86 * high) / width).toFixed(3)}cqw;transform:rotate(${turned}deg) scaleX(${stretch.toFixed(4)})`;
  return node;
}

/** @param {any} found of a page, as the server says @param {{inner: (page: number) => void, outer: (uri: string) => void, count: number}} ways */
export function textLayer(found, { inner, outer, count }) {
  const { width, height } = found;
  const layer = el("div", { className: "reader-text" });
  for (const line of found.lines)
    line.words.forEach((word, i) => layer.append(wordAt(word, line, width, height, i === line.words.length - 1, !line.words[i + 1]?.joined)));
  for (const link of found.links) {
    if (link.uri && !SAFE.test(link.uri)) continue;
    const [x0, y0, x1, y1] = link.box;
    const node = el("a", {
      href: link.uri || `#${link.page}`, className: "reader-link", title: link.uri || t("pageOf", { page: link.page, count }), "aria-label": link.uri || t("goToPage", { page: link.page }),
      onclick: (event) => {
        event.preventDefault();
        if (link.uri) outer(link.uri);
        else inner(link.page);
      },
    });
    node.style.cssText = `left:${(100 * x0) / width}%;top:${(100 * y0) / height}%;width:${(100 * (x1 - x0)) / width}%;height:${(100 * (y1 - y0)) / height}%`;
    layer.append(node);
  }
  return layer;
}
