// compress: each quality's size, and the page before and after it, side by side.

import { ask, finished, submit } from "./app_api.js";
import { button, el, icon, put, say } from "./app_dom.js";
import { files, refOf, showPage } from "./app_files.js";
import { choiceWords, percent, sizeText, t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { usualName } from "./app_names.js";

const QUALITIES = ["screen", "ebook", "printer", "lossless"];
const WIDTH = 1000;

/** @param {any} context of the tool's view */
export async function comparison(context) {
  const { fields, preview, problem } = context;
  const rows = el("div", { className: "choices", role: "radiogroup", "aria-label": t("qualities") });
  const before = el("img", { alt: t("before") });
  const after = el("img", { alt: t("after") });
  const beforeSize = el("figcaption", { className: "hint" });
  const afterSize = el("figcaption", { className: "hint" });
  const panes = [el("div", { className: "pane", tabIndex: 0, role: "region", "aria-label": t("before") }, before), el("div", { className: "pane", tabIndex: 0, role: "region", "aria-label": t("after") }, after)];
  const pair = el("div", { className: "pair", hidden: true }, el("figure", null, beforeSize, panes[0]), el("figure", null, afterSize, panes[1]));
  const zoom = button("zoom", t("closer"), () => {
    const on = pair.classList.toggle("zoomed");
    zoom.setAttribute("aria-pressed", String(on));
  }, { className: "quiet", hidden: true, "aria-pressed": "false" });
  const take = el("a", { className: "button quiet", hidden: true, id: "take-compared" }, icon("jobs"), el("span", null, t("takeThis")));
  const compare = button("eye", t("compare"), () => run(), { className: "quiet", id: "compare" });
  let made = [];
  let turn = 0;

  put(preview, el("h2", { id: "preview-title" }, t("beforeAfter")), el("p", { className: "hint" }, t("compareHint"), " ", t("countsEach")), el("div", { className: "row" }, compare), rows, el("div", { className: "row" }, take, zoom), pair);
  // What is looked at on one side is looked at on the other.
  panes.forEach((pane, i) => pane.addEventListener("scroll", () => {
    const other = panes[1 - i];
    if (Math.abs(other.scrollTop - pane.scrollTop) > 1) other.scrollTop = pane.scrollTop;
    if (Math.abs(other.scrollLeft - pane.scrollLeft) > 1) other.scrollLeft = pane.scrollLeft;
  }));

  function forget() {
    for (const one of made) ask("DELETE", `/api/v1/jobs/${one}`).catch(() => null);
    made = [];
  }

  function show(item, job, words) {
    pair.hidden = zoom.hidden = take.hidden = false;
    showPage(before, item, 1, WIDTH);
    after.src = `/api/v1/jobs/${job.jobId}/pages/1.webp?width=${WIDTH}`;
    beforeSize.textContent = `${t("before")} · ${sizeText(item.size)}`;
    afterSize.textContent = `${words} · ${sizeText(job.outputBytes)}`;
    take.href = job.downloadUrl;
    take.download = job.outputFile;
  }

  async function run() {
    const item = context.item();
    if (!item) return;
    const mine = ++turn;
    const asked = context.pairs().filter(([name]) => !["quality", "outputName", "ttl"].includes(name));
    const target = asked.find(([name]) => name === "targetSize");
    const others = asked.filter(([name]) => name !== "targetSize");
    const plans = [...(target ? [["target", [target]]] : []), ...QUALITIES.map((one) => [one, [["quality", one]]])];
    compare.disabled = true;
    problem.textContent = "";
    forget();
    const current = fields.querySelector('[name="quality"]').value;
    put(rows, plans.map(([name]) => {
      const radio = el("input", { type: "radio", name: "compared", value: name, disabled: true });
      return el("label", { "data-quality": name }, radio, el("span", null, name === "target" ? t("targetSize") : choiceWords("compress", "quality", name)), el("strong", null, "…"));
    }));
    /** @param {any} plan */
    const one = async ([name, pairs]) => {
      const label = rows.querySelector(`[data-quality="${name}"]`);
      const size = label.querySelector("strong");
      try {
        const sent = await submit("compress", [["file", refOf(item)], ...pairs, ...others, ...(item.password ? [["inputPassword", item.password]] : []), ["outputName", usualName(item.name, "compress")], ["clientRef", PREVIEW]]);
        made.push(sent.jobId);
        const job = await finished(sent.jobId);
        if (mine !== turn) return;
        const radio = label.querySelector("input");
        const saved = Math.round(100 * (1 - job.outputBytes / item.size)) / 100;
        put(size, sizeText(job.outputBytes), saved > 0 && el("span", null, ` (−${percent(saved)})`));
        radio.disabled = false;
        radio.addEventListener("change", () => {
          if (name !== "target") {
            fields.querySelector('[name="quality"]').value = name;
            fields.dispatchEvent(new Event("input", { bubbles: true }));
          }
          show(item, job, label.querySelector("span").textContent);
        });
        if (name === current || name === "target") {
          radio.checked = true;
          show(item, job, label.querySelector("span").textContent);
        }
      } catch (error) {
        size.textContent = "–";
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
    if (mine === turn) say(t("compared"));
  }

  const find = () => {
    preview.hidden = !context.item();
  };
  files.addEventListener("list", find);
  files.addEventListener("change", find);
  find();
  return {
    leave() {
      turn++;
      forget();
      files.removeEventListener("list", find);
      files.removeEventListener("change", find);
    },
  };
}
