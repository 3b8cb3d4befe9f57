// The public API, as the page uses it.

import { errorDetail, errorWords, t } from "./app_i18n.js";

/** Beside the cookie, what shows that a request is this page's own. */
export const OWN = { "Platen-Page": "1" };

/** What an answer that is an error says. */
export class Problem extends Error {
  /** @param {{message: string, code?: string, field?: string, status?: number, detail?: string, body?: any}} is */
  constructor(is) {
    super(is.message);
    this.code = is.code;
    this.field = is.field;
    this.status = is.status || 0;
    /** The server's own sentence, if the message is a translation. */
    this.detail = is.detail;
    this.body = is.body;
  }
}

/** @param {number} status @param {string} text */
export function problemOf(status, text) {
  try {
    const body = JSON.parse(text);
    if (body.error || body.message) {
      if (body.error === "quota_exceeded") document.dispatchEvent(new CustomEvent("spent", { detail: body.upgradeUrl }));
      return new Problem({ message: errorWords(body.error, body.message), code: body.error, field: body.field, status, body, detail: errorDetail(body.error, body.message) });
    }
  } catch {
    // The answer is not ours: a proxy's, say.
  }
  return new Problem({ message: status ? t("serverSaid", { status: String(status) }) : t("unreachable"), status });
}

/**
 * renew begins a session anew after one has ended, and gives whether what was asked can be asked again; opened is
 * fulfilled once the first session is there, for which everything else waits. Both are set by app.js.
 */
export const session = { /** The month's jobs are used up. */ spent: false, /** @type {() => Promise<boolean>} */ renew: async () => false, /** @type {Promise<any>} */ opened: Promise.resolve() };

/** What the server said of the session with the page itself; null if nothing. */
export function told() {
  return JSON.parse(document.getElementById("app").dataset.session || "null");
}

/** Whether an answer says that the session has ended, and it was begun anew. @param {Problem} problem @param {string} path */
async function renewed(problem, path) {
  return problem.status === 401 && !/^\/api\/v1\/(session|operator)\b/.test(path) && session.renew();
}

/**
 * Asks, and gives the JSON of the answer (null if it has none). Throws a Problem.
 * @param {string} method @param {string} path @param {any} [body] JSON, FormData or a piece of a file
 * @param {Record<string, string>} [headers]
 */
export async function ask(method, path, body, headers) {
  try {
    return await askOnce(method, path, body, headers);
  } catch (problem) {
    if (!(await renewed(problem, path))) throw problem;
    return askOnce(method, path, body, headers);
  }
}

async function askOnce(method, path, body, headers) {
  const raw = body instanceof FormData || body instanceof Blob;
  let answer;
  if (path !== "/api/v1/session") await session.opened;
  try {
    answer = await fetch(path, {
      method,
      headers: { ...(method === "GET" ? {} : OWN), ...(body && !raw ? { "Content-Type": "application/json" } : {}), ...headers },
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
  } catch {
    throw problemOf(0, "");
  }
  const text = await answer.text();
  if (!answer.ok) throw problemOf(answer.status, text);
  return text ? JSON.parse(text) : null;
}

/**
 * Sends by XMLHttpRequest, as fetch does not tell how far it has come.
 * @param {(loaded: number) => void} progress
 * @param {AbortSignal} [signal]
 */
export async function send(method, path, body, headers, progress, signal) {
  await session.opened;
  try {
    return await sendOnce(method, path, body, headers, progress, signal);
  } catch (problem) {
    if (!(await renewed(problem, path))) throw problem;
    return sendOnce(method, path, body, headers, progress, signal);
  }
}

function sendOnce(method, path, body, headers, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries({ ...OWN, ...headers })) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("load", () =>
      request.status >= 200 && request.status < 300
        ? resolve(request.responseText ? JSON.parse(request.responseText) : null)
        : reject(problemOf(request.status, request.responseText)));
    request.addEventListener("error", () => reject(problemOf(0, "")));
    request.addEventListener("abort", () => reject(new Problem({ message: t("cancelled"), code: "cancelled" })));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

/** Parts of a submission from names and values; null and undefined are left out. */
export function formOf(pairs) {
  const data = new FormData();
  for (const [name, value] of pairs) if (value !== null && value !== undefined) data.append(name, value);
  return data;
}

/** An address of this server, as the page reaches it: its public name may be another. */
export const here = (url) => {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
};

export const toolPath = (tool) => `/api/v1/tools/pdf/${tool}`;

/** Sends a job and gives {jobId, ...}. */
export const submit = (tool, pairs) => ask("POST", toolPath(tool), formOf(pairs));

/** Waits for the end of a job; calls progress(0..1) on the way. Throws a Problem if it failed. */
export async function finished(id, progress, signal) {
  for (;;) {
    const job = await ask("GET", `/api/v1/jobs/${id}?wait=20`);
    if (signal?.aborted) throw new Problem({ message: t("cancelled"), code: "cancelled" });
    if (job.status === "completed") return job;
    if (job.status === "failed") {
      throw new Problem({ message: errorWords(job.error, job.message), code: job.error, field: job.field, detail: errorDetail(job.error, job.message) });
    }
    progress?.(job.progress || 0);
  }
}
