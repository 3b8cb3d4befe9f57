// The document of a tool, large: a page as high as the window has room for, and the strip of all pages.

import { el, icon, pictureOf, put } from "./app_dom.js";
import { documentOf, files, hasPages, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";
import { pageStrip } from "./app_strip.js";
import { takes } from "./app_tools.js";

const WIDTH = 1200;

/**
 * @param {any} context of the tool's view
 * @param {(paper: HTMLElement, item: import("./app_files.js").Item | null, page: number) => void} [over]  puts what belongs over a page in its place
 */
export async function sheet(context, over) {
  const { preview } = context;
  const image = el("img", { alt: "", draggable: false });
  const paper = el("div", { className: "stage" }, image);
  const strip = pageStrip((n) => draw(n));
  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  let state = "";
  let page = 1;
  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), paper, strip.node);

  function shape(width, height) {
    paper.style.aspectRatio = `${width} / ${height}`;
    paper.style.setProperty("--ratio", String(width / height));
  }

  function draw(n) {
    const { count, size } = item.doc;
    page = Math.max(1, Math.min(count, n));
    const [width, height] = size(page);
    shape(width, height);
    image.alt = t("pageOf", { page, count });
    if (image.parentNode !== paper) put(paper, image);
    showPage(image, item, page, WIDTH);
    strip.show(item, count, page);
    over?.(paper, item, page);
  }

  /** What becomes a PDF only by the tool has no pages yet: its kind stands in their place. @param {import("./app_files.js").Item} other */
  function kindOnly(other) {
    preview.hidden = false;
    shape(595, 842);
    strip.node.hidden = true;
    put(paper, el("div", { className: "stage-kind" }, icon("file"), el("strong", null, other.kind.toUpperCase()), el("bdi", null, other.name)));
  }

  async function find() {
    const next = context.item() || context.picture();
    if (!next) {
      const other = files.items.find((one) => one.state === "ready" && takes(context.name, one.kind) && !hasPages(one));
      const now = other && !other.locked ? `kind ${other.id}` : "";
      if (now === state && item === null) return;
      state = now;
      item = null;
      over?.(paper, null, 1);
      if (now) return kindOnly(other);
      preview.hidden = true;
      return;
    }
    const now = next ? `${next.id} ${next.kind} ${next.password ?? ""}` : "";
    if (now === state) return;
    state = now;
    item = next || null;
    preview.hidden = !next;
    if (!next || !hasPages(next)) over?.(paper, null, 1);
    if (!next) return;
    if (!hasPages(next)) {
      strip.node.hidden = true;
      const picture = (await pictureOf(next.file, WIDTH))?.canvas;
      if (state !== now) return;
      preview.hidden = !picture;
      if (!picture) return;
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", next.name);
      shape(picture.width, picture.height);
      put(paper, picture);
      return;
    }
    try {
      await documentOf(next);
      if (state === now) draw(1);
    } catch {
      preview.hidden = true;
      state = "";
    }
  }
  for (const event of ["list", "change", "known"]) files.addEventListener(event, find);
  await find();
  return {
    page: () => page,
    /** @param {number} n */
    turnTo: (n) => item?.doc && hasPages(item) && n !== page && draw(n),
    leave() {
      for (const event of ["list", "change", "known"]) files.removeEventListener(event, find);
    },
  };
}
