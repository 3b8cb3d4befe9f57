// Jobs: sent, followed, and what came of them. They are the server's: closing the page loses nothing.

import { ask, formOf, here, OWN, send, session, toolPath } from "./app_api.js";
import { changedPages, firstOf } from "./app_changed.js";
import { at, button, el, icon, iconButton, kept, put, say } from "./app_dom.js";
import { errorDetail, errorWords, moment, number, percent, sizeText, t, timeText, toolTitle, warningDetail, warningWords } from "./app_i18n.js";
import { resultScreen, saveNamed } from "./app_result.js";
import { canLook, isUsable, kindOf, PICTURE, takes, toolNames } from "./app_tools.js";

const LISTED = 30;
const MADE_AGAIN = 200; // jobs whose making is remembered
const OPEN_OUTPUTS = 8; // results in an archive that the screen names at once
const UNDO_MS = 10000; // a result can be had back for so long, at least
const LOOK_MS = 2000; // between two looks, where events do not come through
/** Jobs that only show something before it is done: they are in no list. */
export const PREVIEW = "page-preview";

const list = () => at("jobs");

function drawEmpty() {
  at("results").hidden = list().children.length === 0 && location.hash !== "#/results";
  at("screen-bar").hidden = !screenOpen();
  at("no-jobs").hidden = list().children.length > 0;
  const busy = list().querySelectorAll("li.busy").length;
  // How many are under way, else how many there are: where results stand is often out of sight.
  const count = busy || list().querySelectorAll("a.button").length;
  at("busy").hidden = count === 0;
  at("busy").classList.toggle("calm", busy === 0);
  put(at("busy"), " ", busy > 0 && icon("clock"), number(count));
}

function row() {
  const made = el("li", { className: screenOpen() ? "job fresh" : "job", tabIndex: -1 });
  list().prepend(made);
  drawEmpty();
  return made;
}

/**
 * Keeps a view's main button off while the month's jobs are used up, of which the page tells above every view.
 * @param {HTMLButtonElement} go @param {() => boolean} isOff  whether it is off for another reason
 */
export function heldBack(go, isOff) {
  const fit = () => {
    go.disabled = session.spent || isOff();
    if (session.spent) go.setAttribute("aria-describedby", "quota-spent");
    else go.removeAttribute("aria-describedby");
  };
  document.addEventListener("usage", fit);
  fit();
  return { fit, stop: () => document.removeEventListener("usage", fit) };
}

/** What each row shows, so that it can be shown in another form. @type {WeakMap<Element, [any, string]>} */
const ended = new WeakMap();
const screenOpen = () => at("results").classList.contains("screen");

/**
 * From now on what a view makes is shown as a screen in its place, not as rows below it.
 * @param {() => void} back  goes back to the settings @param {number} count  of jobs: only a single one is downloaded by itself
 */
export function openScreen(back, count) {
  closeScreen();
  at("results").classList.toggle("several", count > 1);
  at("main").classList.add("done");
  at("results").classList.add("screen");
  put(at("screen-bar"), button("before", t("backToSettings"), () => {
    closeScreen();
    back();
  }, { className: "quiet", id: "back-to-settings" }), el("a", { href: "#/results" }, t("allResults")));
  at("screen-bar").hidden = false;
  drawEmpty();
}

/** The rows are rows again. */
export function closeScreen() {
  if (!at("results") || !screenOpen()) return;
  at("main").classList.remove("done");
  at("results").classList.remove("screen");
  at("screen-bar").hidden = true;
  for (const place of list().querySelectorAll(".fresh")) {
    place.classList.remove("fresh");
    if (ended.has(place)) show(place, ...ended.get(place));
  }
  drawEmpty();
}

/** The screen is looked at from its beginning. */
export function lookAtScreen() {
  scrollTo(0, 0);
  at("results-title").focus({ preventScroll: true });
}

/** A bar with what it means below it. */
function gauge(title) {
  const bar = el("progress", { max: 1, "aria-label": title });
  const words = el("p", { className: "hint" }, t("waiting"));
  const began = performance.now();
  let left = 0; // seconds
  return {
    bar, words,
    set(fraction, doing) {
      bar.value = fraction;
      const spent = (performance.now() - began) / 1000;
      // Before a third of it nobody knows, and a figure that grows is worse than none.
      const now = fraction > 0.34 && spent > 3 ? (spent / fraction) * (1 - fraction) : 0;
      left = left && now ? 0.7 * left + 0.3 * now : now;
      words.textContent = `${doing} ${percent(fraction)}${left > 1 ? ` · ${t("timeLeft", { time: timeText(left) })}` : ""}`;
    },
  };
}

function head(name, state, title, ...more) {
  return el("div", { className: "job-head" }, el("span", { className: `mark ${state}` }, icon(state === "good" ? "check" : state === "bad" ? "warning" : "clock")),
    el("div", { className: "what" }, el("bdi", { className: "name" }, title), el("span", { className: "hint" }, [name].flat().filter((one) => one && one !== title).flatMap((one, i) => [i ? " · " : "", el("bdi", null, one)])), ...more));
}

/** The names of the results that are listed. @returns {string[]} */
export const resultNames = () => [...list().children].flatMap((one) => /** @type {HTMLElement} */ (one).dataset.name || []);

/** What jobs are called, after their files, which the server does not tell of a job that failed; and
 * the pages that were changed, of which the first is looked at. */
const titles = {
  /** @returns {Record<string, [string, string?, string?, boolean?, string?, string?]>} */
  all: () => kept.read("titles", {}),
  /** source: the one file it is made of, as jobs name it; marked: sign put ink on pages, and no signature; done: the tools, where the job's own says less */
  keep: (id, title, page, source, marked = false, done = "") => kept.write("titles", { ...titles.all(), [id]: [title, page, source, marked, done] }),
  /** A result has another name than the server gives it. */
  name(id, title, name) {
    const entry = [...(titles.all()[id] || [title, "1"])];
    entry[5] = name;
    kept.write("titles", { ...titles.all(), [id]: entry });
  },
  /** Those of jobs that are listed stay. */
  only: (jobs) => kept.write("titles", Object.fromEntries(jobs.flatMap(({ jobId }) => (titles.all()[jobId] ? [[jobId, titles.all()[jobId]]] : [])))),
};

/** What was done, as a reader calls it: a workflow by its tools. @param {any} job */
const doneBy = (job) => (titles.all()[job.jobId]?.[4] || job.tool).split(" ").map((one) => (one === "pages" ? t("arrange") : toolTitle(one))).join(" → ");

/** The tools of a submission, one after another. @param {any[][]} pairs */
function toolsOf(tool, pairs) {
  if (tool !== "pipeline") return "";
  const steps = JSON.parse(pairs.find(([field]) => field === "steps")?.[1] || "[]").map((one) => one.tool);
  return steps.filter((one, i) => one !== steps[i - 1]).join(" ");
}

/** How jobs were made, of which the server tells nothing: those without a secret or a file of their own can be made again. */
const makings = {
  /** @returns {Record<string, [string, string, any[][], string]>} */
  all: () => kept.read("makings", {}),
  keep(id, tool, title, pairs, done) {
    const isOpen = ([name, value]) => typeof value === "string" && !/password|^url$|^headers$|^cookies$/i.test(name) && !(name === "steps" && /password/i.test(value));
    if (pairs.every(isOpen)) kept.write("makings", Object.fromEntries([...Object.entries(makings.all()), [id, [tool, title, pairs, done]]].slice(-MADE_AGAIN)));
  },
};

/** [tool, title, pairs, done] of a job that can be made again. @param {string} id */
export const makingOf = (id) => makings.all()[id];

/** The job that a row shows, once it has ended, by the name that was given to its result. @param {Element} place */
export const jobOf = (place) => named(ended.get(place)?.[0]);

/** @param {any} job */
const named = (job) => job && { ...job, given: job.outputFile, outputFile: titles.all()[job.jobId]?.[5] || job.outputFile };

/** Gives the result of a row another name. @param {Element} place @param {string} name with its ending */
export function rename(place, name) {
  const [job, title] = ended.get(place);
  titles.name(job.jobId, title, name);
  show(place, job, title);
}

/** Sends a job; its row is there at once. Throws a Problem if the server does not take it.
 * @param {string} tool @param {string} title @param {any[][]} pairs  names and values @param {string} [done]  what the tool is called there, where it is another */
export async function start(tool, title, pairs, done = toolsOf(tool, pairs)) {
  const place = row();
  const abort = new AbortController();
  const shown = gauge(title);
  place.classList.add("busy");
  drawEmpty();
  put(place, head(toolTitle(tool), "busy", title), shown.bar, shown.words,
    el("div", { className: "job-actions" }, button("close", t("cancel"), () => abort.abort(), { className: "quiet", "aria-label": t("cancelNamed", { name: title }) })));
  const total = pairs.reduce((sum, [, value]) => sum + (value instanceof Blob ? value.size : 0), 0);
  for (;;) {
    try {
      const job = await send("POST", toolPath(tool), formOf(pairs), {}, (loaded) =>
        total && shown.set(Math.min(1, loaded / total), t("sending")), abort.signal);
      titles.keep(job.jobId, title, changedPages(tool, pairs), pairs.filter(([field]) => field === "file").map(([, value]) => String(value))[0],
        tool === "sign" && pairs.some(([field, value]) => field === "seal" && value === "false"), done);
      makings.keep(job.jobId, tool, title, pairs, done);
      return { id: job.jobId, ended: follow(place, tool, title, job.jobId) };
    } catch (problem) {
      // As many as may run at a time: this one waits until another has ended.
      if (problem.code === "too_many_jobs" && list().querySelector("li.busy[data-job]") && (await oneEnds(abort.signal))) continue;
      leave(place);
      drawEmpty();
      throw problem;
    }
  }
}

/** A job that has been done already, to show something before it was asked for, is the result. */
export function adopt(job, title, source) {
  titles.keep(job.jobId, title, "1", source);
  show(row(), job, title);
  drawEmpty();
  document.dispatchEvent(new Event("jobended"));
}

/** Waits until a job of this page ends; false if waiting was given up. @param {AbortSignal} signal */
function oneEnds(signal) {
  return new Promise((resolve) => {
    const end = (is) => () => {
      document.removeEventListener("jobended", ended);
      resolve(is);
    };
    const ended = end(true);
    document.addEventListener("jobended", ended);
    signal.addEventListener("abort", end(false), { once: true });
  });
}

/** A row goes: what had the focus in it gives it on, and a screen that has no row left is the settings again. @param {HTMLElement} place */
function leave(place) {
  const focused = place.contains(document.activeElement);
  const next = /** @type {HTMLElement | null} */ (place.nextElementSibling || place.previousElementSibling);
  place.remove();
  if (screenOpen() && !list().querySelector(".fresh")) at("back-to-settings")?.click();
  else if (focused) (next || at("results-title")).focus();
}

/** Follows a job that the server has; resolves with it when it has ended, or null if it is gone. */
function follow(place, tool, title, id) {
  const shown = gauge(title);
  const source = new EventSource(`/api/v1/jobs/${id}/events`);
  place.classList.add("busy");
  place.dataset.job = id;
  let over = false;
  return new Promise((resolve) => {
    const close = (job) => {
      over = true;
      source.close();
      clearInterval(looking);
      place.classList.remove("busy");
      if (job) show(place, job, title);
      else leave(place);
      drawEmpty();
      document.dispatchEvent(new Event("jobended"));
      resolve(job);
    };
    const look = async () => {
      if (over) return;
      let job = null;
      try {
        job = await ask("GET", `/api/v1/jobs/${id}`);
      } catch (problem) {
        // A server that starts again has its jobs still.
        if (problem.status !== 404 && problem.status !== 410) {
          shown.words.textContent = t("reconnecting");
          return;
        }
      }
      if (over) return;
      if (job?.status === "pending") {
        if (job.startedAt) shown.set(job.progress || 0, t("working"));
        return;
      }
      say(job ? t(job.status === "completed" ? "jobDone" : "jobFailed", { name: title }) : t("deleted"));
      close(job);
    };
    const looking = setInterval(look, LOOK_MS);
    source.addEventListener("progress", (event) => shown.set(JSON.parse(event.data).progress || 0, t("working")));
    for (const name of ["completed", "failed", "deleted"]) source.addEventListener(name, look);
    put(place, head(toolTitle(tool), "busy", title), shown.bar, shown.words,
      el("div", { className: "job-actions" },
        button("close", t("cancel"), async () => {
          await ask("DELETE", `/api/v1/jobs/${id}`).catch(() => null);
          say(t("deleted"));
          if (!over) close(null);
        }, { className: "quiet", "aria-label": t("cancelNamed", { name: title }) })));
    look();
  });
}

function sizes(job) {
  if (!job.outputBytes) return "";
  if (!job.inputBytes || job.tool !== "compress") return sizeText(job.outputBytes);
  const change = (job.inputBytes - job.outputBytes) / job.inputBytes;
  return t("smaller", { before: sizeText(job.inputBytes), after: sizeText(job.outputBytes), saved: percent(change) });
}

/** The figures of a job's report that have words here: what a repair found, what compress saved. */
function reportOf(job) {
  const rows = Object.entries(job.report || {}).flatMap(([name, value]) => {
    const figure = name.replace(/^step\d+\./, "");
    const words = t(`report_${figure}`);
    return words === `report_${figure}` || !value ? [] : [[words, figure.startsWith("saved") ? sizeText(value) : number(value)]];
  });
  if (!rows.length) return null;
  return el("details", { className: "report", open: job.tool === "repair" || job.tool === "redact" }, el("summary", null, t("report")), job.tool === "redact" && el("p", { className: "proof" }, t("redactProof"), job.report.pagesReadAsPictures ? ` ${t("redactProofRead")}` : ""),
    el("dl", null, ...rows.flatMap(([words, value]) => [el("dt", null, words), el("dd", null, value)])));
}

function outputsOf(job, fresh = false) {
  if (!job.outputs || job.outputs.length < 2) return null;
  return el("details", { className: "outputs", open: fresh && job.outputs.length <= OPEN_OUTPUTS }, el("summary", null, t("filesCount", { n: job.outputs.length })),
    el("ul", null, ...job.outputs.slice(0, 200).map((one) =>
      el("li", null, el("a", { href: one.downloadUrl, download: one.name }, el("bdi", null, one.name)), " ", el("span", { className: "hint" }, sizeText(one.bytes))))));
}

/** The first pictures or pages of a result. */
function peek(job) {
  const pictures = (job.outputs || []).filter((one) => PICTURE.test(one.name) && one.bytes < 3e6).slice(0, 6);
  if (!pictures.length) return null;
  return el("div", { className: "peek", tabIndex: 0, role: "region", "aria-label": job.outputFile }, ...pictures.map((one) =>
    el("img", { src: here(one.downloadUrl), alt: one.name, loading: "lazy" })));
}

/** The server's own sentence, for whoever wants it. @param {string} [detail] */
export const inEnglish = (detail) => (detail ? el("details", null, el("summary", null, t("details")), el("span", { className: "hint", lang: "en", dir: "ltr" }, detail)) : null);

/** Results that are to be deleted, by their jobs: each deletes its own at once. @type {Map<string, () => Promise<any>>} */
const going = new Map();
/** Where the ids of results are kept that were to be deleted as the page was left. */
const LEFT = "left";
const MOST_LEFT = 100;
// A busy browser loses the last requests of a page: the next page asks for them again.
addEventListener("pagehide", () => {
  if (going.size) kept.write(LEFT, [...kept.read(LEFT, []), ...going.keys()].slice(-MOST_LEFT));
  going.forEach((end) => end());
});
async function deleteLeft() {
  const left = kept.read(LEFT, []);
  if (!left.length) return;
  const done = await Promise.all(left.map((id) => ask("DELETE", `/api/v1/jobs/${encodeURIComponent(id)}`).then(() => true, (problem) => problem.status === 404)));
  kept.write(LEFT, left.filter((_, i) => !done[i]));
}

/** In place of a result that is to be deleted: for a while it can be had back. */
function letGo(place, job, title) {
  const name = job.outputFile || title;
  const end = () => {
    clearTimeout(timer);
    going.delete(job.jobId);
    const gone = fetch(`/api/v1/jobs/${job.jobId}`, { method: "DELETE", headers: OWN, keepalive: true }).catch(() => null);
    const next = /** @type {HTMLElement | null} */ (place.nextElementSibling || place.previousElementSibling);
    const focused = place.contains(document.activeElement);
    place.remove();
    drawEmpty();
    if (focused) (next || at("results-title")).focus();
    say(t("deleted"));
    return gone.then(() => document.dispatchEvent(new Event("jobended")));
  };
  // Whoever is at it is not hurried: it waits while it has the focus or the pointer.
  const endLater = () => (place.contains(document.activeElement) || place.matches(":hover") ? (timer = setTimeout(endLater, UNDO_MS)) : end());
  let timer = setTimeout(endLater, UNDO_MS);
  going.set(job.jobId, end);
  const back = button("undo", t("undo"), () => {
    clearTimeout(timer);
    going.delete(job.jobId);
    show(place, job, title);
    place.focus();
    say(t("undone"));
  }, { className: "quiet", "aria-label": t("undoDelete", { name }) });
  const words = t("deletedSoon", { name });
  put(place, el("div", { className: "job-gone" }, el("p", { className: "what" }, words), back,
    button("trash", t("deleteNow"), end, { className: "quiet", "aria-label": t("deleteNowNamed", { name }) })));
  back.focus();
  say(words);
}

/** What may mend what a job failed of. */
function helpFor(job) {
  const tool = { corrupt_file: "repair", password_required: "remove-password" }[job.error];
  return tool && tool !== job.tool && toolNames().includes(tool) && takes(tool, "pdf")
    ? el("a", { className: "button quiet", href: `#/tool/${tool}` }, icon(tool), el("span", null, toolTitle(tool))) : null;
}

/** A job that has ended. */
function show(place, given, title) {
  const job = named(given);
  place.dataset.job = job.jobId;
  ended.set(place, [given, title]);
  const remove = iconButton("trash", t("deleteNamed", { name: job.outputFile || title }), () => letGo(place, job, title),
    { className: "icon-button remove" });
  if (job.status === "failed") {
    put(place, head(doneBy(job), "bad", title, el("p", { className: "bad" }, errorWords(job.error, job.message)), inEnglish(errorDetail(job.error, job.message))),
      el("div", { className: "job-actions" }, helpFor(job), remove));
    return;
  }
  place.dataset.name = job.outputFile;
  const pages = () => titles.all()[job.jobId]?.[1] || "1";
  const warnings = (job.warnings || []).map((one) => el("li", null, warningWords(one.code, one.message), inEnglish(warningDetail(one.code, one.message))));
  if (job.delivery) warnings.push(el("li", { className: `delivery ${job.delivery}` }, t(`delivery_${job.delivery}`), inEnglish(job.deliveryMessage)));
  const notes = warnings.length > 0 && el("ul", { className: "notes" }, ...warnings);
  const fresh = place.classList.contains("fresh");
  const next = isUsable(kindOf(job.outputFile)) && button("after", t(fresh ? "allTools" : "continue"), () => document.dispatchEvent(new CustomEvent("continue", { detail: { ...job, marked: titles.all()[job.jobId]?.[3] } })),
    { className: fresh ? "quiet chip" : "quiet", "aria-label": t("continueNamed", { name: job.outputFile }) });
  const look = canLook(kindOf(job.outputFile)) && button("eye", t("look"), () => document.dispatchEvent(new CustomEvent("look", { detail: { ...job, page: firstOf(pages()), source: titles.all()[job.jobId]?.[2] } })),
    { className: "quiet", "aria-label": t("lookNamed", { name: job.outputFile }) });
  if (fresh) {
    const alone = !at("results").classList.contains("several");
    put(place, resultScreen({ ...job, marked: titles.all()[job.jobId]?.[3], pages: pages(), doneBy: doneBy(job) }, {
      rename: (name) => titles.name(job.jobId, title, name),  look, remove, next, notes, more: [reportOf(job), outputsOf(job, true)], begun: alone && place.dataset.begun === undefined }));
    place.dataset.begun = "";
    return;
  }
  put(place,
    head([doneBy(job), sizes(job), job.finishedAt && moment(job.finishedAt), job.expiresAt && t("keptUntil", { time: moment(job.expiresAt) })], "good", job.outputFile, notes),
    el("div", { className: "job-actions" },
      el("a", { className: "button", href: job.downloadUrl, download: job.outputFile, "aria-label": t("downloadNamed", { name: job.outputFile }), onclick: (event) => saveNamed(event, job) },
        icon("jobs"), el("span", null, t("download"))),
      next, look, remove),
    peek(job), reportOf(job), outputsOf(job));
}

/** Those of earlier visits. */
export async function loadJobs() {
  await Promise.all([...going.values()].map((end) => end()));
  await deleteLeft();
  list().replaceChildren();
  await loadMore("");
}

/** The jobs that come after those that are listed. @param {string} cursor of the server's list; "" for the newest */
async function loadMore(cursor) {
  const found = await ask("GET", `/api/v1/jobs?limit=${LISTED}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
  for (const job of found.jobs) {
    if ((job.clientRef === PREVIEW && !titles.all()[job.jobId]) || list().querySelector(`[data-job="${job.jobId}"]`)) continue;
    const place = el("li", { className: "job", tabIndex: -1, "data-job": job.jobId });
    list().append(place);
    const title = titles.all()[job.jobId]?.[0] || toolTitle(job.tool);
    if (job.status === "pending") follow(place, job.tool, title, job.jobId);
    else show(place, job, title);
  }
  if (!found.nextCursor) titles.only([...list().querySelectorAll("[data-job]")].map((one) => ({ jobId: /** @type {HTMLElement} */ (one).dataset.job })));
  const more = at("more-jobs");
  put(more, found.nextCursor && button("down", t("showMore"), () => loadMore(found.nextCursor).catch((problem) => say(problem.message)), { className: "quiet" }));
  drawEmpty();
}

export function emptyJobs() {
  list().replaceChildren();
  put(at("more-jobs"));
  drawEmpty();
}

export { drawEmpty };
