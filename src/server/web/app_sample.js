// The first pages of a result before all of it is made: of a conversion from PDF, by a job on these pages alone.

import { ask, finished, here, submit } from "./app_api.js";
import { button, el, put, say } from "./app_dom.js";
import { documentOf, refOf } from "./app_files.js";
import { t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { sheet } from "./app_sheet.js";
import { pagesBy, PICTURE } from "./app_tools.js";

const PAGES = 2;
const WIDTH = 900;
const TEXT = 6000; // characters of a text that are shown
/** The tools whose result is an Office document, which is shown as pages again, and its kind. */
const OFFICE = { "to-word": "docx", "to-excel": "xlsx" };

/** Whether this server can show the first pages of a tool's result. */
export const hasSample = (name) => !OFFICE[name] || Boolean(pagesBy(OFFICE[name]));

/** The elements that show the result of a job. */
async function partsOf(name, job) {
  if (OFFICE[name]) {
    const { pageCount } = await ask("GET", `/api/v1/jobs/${job.jobId}/document`);
    return Array.from({ length: Math.min(pageCount, PAGES) }, (_, i) =>
      el("img", { src: `/api/v1/jobs/${job.jobId}/pages/${i + 1}.webp?width=${WIDTH}`, alt: t("pageN", { n: i + 1 }) }));
  }
  const outputs = job.outputs?.length ? job.outputs : [{ name: job.outputFile, downloadUrl: job.downloadUrl }];
  const pictures = outputs.filter((one) => PICTURE.test(one.name));
  if (pictures.length) return pictures.slice(0, PAGES).map((one) => el("img", { src: here(one.downloadUrl), alt: one.name }));
  const written = outputs.find((one) => /\.(txt|md)$/i.test(one.name));
  if (!written) return [];
  const answer = await fetch(here(written.downloadUrl));
  return [el("pre", { dir: "auto" }, (await answer.text()).slice(0, TEXT))];
}

/** @param {any} context of the tool's view */
export async function firstPages(context) {
  const { name, preview, problem } = context;
  const shown = el("div", { className: "samples", hidden: true, tabIndex: 0, role: "region", "aria-label": t("firstPages") });
  const note = el("p", { className: "hint", role: "status" });
  const show = button("eye", t("showFirst"), () => run(), { className: "quiet", id: "first-pages" });
  let job = "";
  let turn = 0;

  const base = await sheet(context);
  show.title = t("countsFirst");
  preview.append(el("div", { className: "row under-stage" }, show), note, shown);

  function forget() {
    if (job) ask("DELETE", `/api/v1/jobs/${job}`).catch(() => null);
    job = "";
    shown.hidden = true;
    note.textContent = "";
  }

  async function run() {
    const item = context.item();
    if (!item || !context.valid()) return;
    const mine = ++turn;
    forget();
    show.disabled = true;
    problem.textContent = "";
    note.textContent = t("working");
    try {
      const { count } = await documentOf(item);
      const pairs = context.pairs().filter(([, is]) => typeof is === "string");
      const wanted = Number.parseInt(pairs.find(([field]) => field === "pages")?.[1], 10);
      const pages = wanted >= 1 && wanted <= count ? String(wanted) : `1-${Math.min(PAGES, count)}`;
      const params = Object.fromEntries(pairs.filter(([field]) => !["pages", "outputName", "ttl", "inputPassword"].includes(field)));
      const steps = [{ tool: "split", params: { pages, mode: "extract", ...(item.password ? { inputPassword: item.password } : {}) } }, { tool: name, params },
        ...(OFFICE[name] ? [{ tool: pagesBy(OFFICE[name]), params: {} }] : [])];
      const sent = await submit("pipeline", [["files", refOf(item)], ["steps", JSON.stringify(steps)], ["clientRef", PREVIEW]]);
      job = sent.jobId;
      const parts = await partsOf(name, await finished(sent.jobId));
      if (mine !== turn) return;
      put(shown, parts);
      shown.hidden = false;
      note.textContent = t("firstShown");
      say(t("firstShown"));
    } catch (error) {
      note.textContent = "";
      problem.textContent = error.message;
    }
    show.disabled = false;
  }

  const changed = () => (turn++, forget(), (show.disabled = false));
  context.fields.addEventListener("input", changed);
  return {
    leave() {
      turn++;
      forget();
      base.leave();
    },
  };
}
