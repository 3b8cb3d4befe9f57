// The document of a tool, large: a page as high as the window has room for, and the strip of all pages.

import { el, put } from "./app_dom.js";
import { documentOf, files, hasPages, showPage } from "./app_files.js";
import { t } from "./app_i18n.js";
import { pageStrip } from "./app_strip.js";

const WIDTH = 1200;

/** What a picture file shows; null if the browser does not know it, though the server may. @param {import("./app_files.js").Item} item */
async function pictureOf(item) {
  try {
    const bitmap = await createImageBitmap(item.file);
    const scale = Math.min(1, WIDTH / Math.max(bitmap.width, bitmap.height));
    const canvas = el("canvas", { width: Math.max(1, Math.round(bitmap.width * scale)), height: Math.max(1, Math.round(bitmap.height * scale)), role: "img", "aria-label": item.name });
    canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return canvas;
  } catch {
    return null;
  }
}

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

  async function find() {
    const next = context.item() || context.picture();
    const now = next ? `${next.id} ${next.kind} ${next.password ?? ""}` : "";
    if (now === state) return;
    state = now;
    item = next || null;
    preview.hidden = !next;
    if (!next || !hasPages(next)) over?.(paper, null, 1);
    if (!next) return;
    if (!hasPages(next)) {
      strip.node.hidden = true;
      const picture = await pictureOf(next);
      if (state !== now) return;
      preview.hidden = !picture;
      if (!picture) return;
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
    leave() {
      for (const event of ["list", "change", "known"]) files.removeEventListener(event, find);
    },
  };
}
