// compress: the size of each quality on its card, and any page before and after it, with a bar between
// the two that is drawn across.

import { ask, finished, submit } from "./app_api.js";
import { noteOnCard } from "./app_cards.js";
import { button, el, say } from "./app_dom.js";
import { files, refOf } from "./app_files.js";
import { percent, sizeText, t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { usualName } from "./app_names.js";
import { sheet } from "./app_sheet.js";

const QUALITIES = ["screen", "ebook", "printer", "prepress", "lossless"];
const WIDTH = 1200;

/** Two pictures of one page, of which a bar shows more of the one or of the other. */
export function slider() {
  const after = el("img", { alt: t("after"), draggable: false });
  const bar = el("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": t("beforeAfter") });
  const node = el("div", { className: "slider" }, after, el("span", { className: "slider-line", "aria-hidden": "true" }), el("span", { className: "slider-tag was", "aria-hidden": "true" }, t("before")), el("span", { className: "slider-tag is", "aria-hidden": "true" }, t("after")), bar);
  const draw = () => node.style.setProperty("--cut", `${bar.value}%`);
  bar.addEventListener("input", (event) => {
    event.stopPropagation();
    draw();
  });
  draw();
  return { node, show: (address) => (after.src = address) };
}

/** @param {any} context of the tool's view */
export async function comparison(context) {
  const { fields, problem } = context;
  const quality = () => fields.querySelector('[name="quality"]');
  const between = slider();
  const compare = button("eye", t("compare"), () => run(), { className: "quiet", id: "compare" });
  const box = el("div", { className: "compare-row" }, compare, el("span", { className: "hint" }, t("countsEach")));
  /** What was made, by quality, while nothing else was changed. @type {Map<string, any>} */
  const made = new Map();
  /** The settings that it was made with, but for the quality. */
  let asked = "";
  let turn = 0;
  let now = { paper: null, item: null, page: 1 };

  const others = () => context.pairs().filter(([name]) => !["quality", "outputName", "ttl"].includes(name));
  const settings = () => JSON.stringify([context.item()?.id, ...others()]);
  const chosen = () => made.get(others().some(([name]) => name === "targetSize") ? "target" : quality().value);

  /** The page as it would be, over the page as it is. */
  function over(paper, item, page) {
    now = { paper, item, page };
    const job = item && chosen();
    if (!job) return void between.node.remove();
    if (between.node.parentNode !== paper) paper.append(between.node);
    between.show(`/api/v1/jobs/${job.jobId}/pages/${page}.webp?width=${WIDTH}`);
  }

  function forget() {
    for (const job of made.values()) ask("DELETE", `/api/v1/jobs/${job.jobId}`).catch(() => null);
    made.clear();
    for (const one of QUALITIES) noteOnCard(fields, one);
    between.node.remove();
  }

  async function run() {
    const item = context.item();
    if (!item) return;
    const mine = ++turn;
    forget();
    asked = settings();
    const target = others().find(([name]) => name === "targetSize");
    const rest = others().filter(([name]) => name !== "targetSize");
    const plans = [...(target ? [["target", [target]]] : []), ...QUALITIES.map((one) => [one, [["quality", one]]])];
    compare.disabled = true;
    problem.textContent = "";
    for (const one of QUALITIES) noteOnCard(fields, one, "…");
    /** @param {any} plan */
    const one = async ([name, pairs]) => {
      try {
        const sent = await submit("compress", [["file", refOf(item)], ...pairs, ...rest, ...(item.password ? [["inputPassword", item.password]] : []), ["outputName", usualName(item.name, "compress")], ["clientRef", PREVIEW]]);
        const job = await finished(sent.jobId);
        if (mine !== turn) return void ask("DELETE", `/api/v1/jobs/${sent.jobId}`).catch(() => null);
        made.set(name, job);
        const saved = Math.round(100 * (1 - job.outputBytes / item.size)) / 100;
        noteOnCard(fields, name, sizeText(job.outputBytes), saved > 0 && ` (−${percent(saved)})`);
        over(now.paper, now.item, now.page);
      } catch (error) {
        noteOnCard(fields, name, "–");
        problem.textContent = error.message;
      }
    };
    // Two at a time, as a visitor may not have many jobs running.
    const left = [...plans];
    const work = async () => {
      for (let next = left.shift(); next && mine === turn; next = left.shift()) await one(next);
    };
    await Promise.all([work(), work()]);
    compare.disabled = false;
    document.dispatchEvent(new Event("jobended"));
    if (mine === turn) say(t("compared"));
  }

  const place = () => {
    const row = quality()?.closest(".field");
    if (row && box.previousElementSibling !== row) row.after(box);
  };
  const changed = () => {
    place();
    if (made.size && asked !== settings()) {
      turn++;
      forget();
      compare.disabled = false;
    }
    over(now.paper, now.item, now.page);
  };
  const find = () => {
    box.hidden = !context.item();
    changed();
  };
  place();
  fields.addEventListener("input", changed);
  for (const event of ["list", "change"]) files.addEventListener(event, find);
  const base = await sheet(context, over);
  find();
  return {
    /** The result, if exactly what is asked for was made already. */
    ready() {
      const job = asked === settings() ? chosen() : null;
      if (job) made.forEach((one, name) => one === job && made.delete(name));
      return job;
    },
    leave() {
      turn++;
      forget();
      base.leave();
      for (const event of ["list", "change"]) files.removeEventListener(event, find);
    },
  };
}
