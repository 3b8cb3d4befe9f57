// The pages of a document as a strip of small pictures, of which one is shown large.

import { el, put } from "./app_dom.js";
import { showPage } from "./app_files.js";
import { t } from "./app_i18n.js";

const WIDTH = 160;
const MOST = 300; // pages in the strip; of longer documents those around the one that is shown

/**
 * @param {(n: number) => void} choose  a page was chosen
 * @returns {{node: HTMLElement, show: (item: import("./app_files.js").Item, count: number, n: number) => void}}
 */
export function pageStrip(choose) {
  const node = el("div", { className: "strip", role: "group", "aria-label": t("pages"), hidden: true });
  let shown = "";
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      const place = /** @type {any} */ (target);
      showPage(place.querySelector("img"), place.item, place.page, WIDTH);
    }
  }, { root: node, rootMargin: "0px 200px" });
  const pageButton = (item, n) => {
    const [width, height] = item.doc.size(n);
    const image = el("img", { alt: "", draggable: false });
    image.style.aspectRatio = `${width} / ${height}`;
    const made = el("button", { type: "button", className: "strip-page", "data-page": String(n), "aria-label": t("pageN", { n }), onclick: () => choose(n) }, image, el("span", { "aria-hidden": "true" }, String(n)));
    Object.assign(made, { item, page: n });
    watch.observe(made);
    return made;
  };
  return {
    node,
    show(item, count, n) {
      node.hidden = count < 2;
      if (node.hidden) return;
      const first = Math.max(1, Math.min(n - MOST / 2, count - MOST + 1));
      const last = Math.min(count, first + MOST - 1);
      const state = [item.id, item.password, first, last].join();
      if (state !== shown) {
        watch.disconnect();
        put(node, ...Array.from({ length: last - first + 1 }, (_, i) => pageButton(item, first + i)));
      }
      shown = state;
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[aria-current]"))) one.removeAttribute("aria-current");
      const current = /** @type {HTMLElement | null} */ (node.querySelector(`[data-page="${n}"]`));
      current?.setAttribute("aria-current", "page");
      if (current) node.scrollLeft += current.getBoundingClientRect().left + current.offsetWidth / 2 - (node.getBoundingClientRect().left + node.clientWidth / 2);
    },
  };
}
