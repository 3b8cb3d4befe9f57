// Jobs: sent, followed, and what came of them.

import { button, sizeText } from "./app_files.js";
import { titleOf } from "./app_tools.js";

/** Beside the cookie, what shows that a request is this page's own. */
export const OWN = { "Platen-Page": "1" };
const LISTED = 20;
const LOOK_MS = 1500; // between two looks, where events do not come through

/** The error of an answer, as {message, field}. */
export function problemOf(status, text) {
  try {
    const body = JSON.parse(text);
    if (body.message) return { message: body.message, field: body.field, error: body.error };
  } catch {
    // Not ours: of a proxy, say.
  }
  return { message: status ? `The server answered ${status}.` : "The server cannot be reached. Try again." };
}

/** Sends a form; progress(fraction) on the way. XMLHttpRequest, as fetch does not tell. */
function post(address, data, progress, abort) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries(OWN)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    request.addEventListener("load", () =>
      request.status === 202 || request.status === 200
        ? resolve(JSON.parse(request.responseText))
        : reject(problemOf(request.status, request.responseText)));
    request.addEventListener("error", () => reject(problemOf(0, "")));
    request.addEventListener("abort", () => reject({ message: "Cancelled." }));
    abort.addEventListener("abort", () => request.abort());
    request.send(data);
  });
}

export class Jobs {
  /** proceed(item) takes a result on as a file; say(text) tells those who do not see. */
  constructor(list, proceed, say, changed) {
    Object.assign(this, { list, proceed, say, changed });
  }

  row() {
    const row = document.createElement("li");
    this.list.prepend(row);
    document.getElementById("no-jobs").hidden = true;
    return row;
  }

  /** What a row shows: its name, then whatever else. */
  draw(row, name, ...rest) {
    const what = document.createElement("span");
    what.className = "what";
    what.textContent = name;
    row.replaceChildren(what, ...rest.filter(Boolean));
  }

  state(text, bad) {
    const state = document.createElement("span");
    state.className = bad ? "state bad" : "state";
    state.textContent = text;
    return state;
  }

  /** Rejects with {message, field} if the server does not take it. */
  async submit(title, address, data) {
    const row = this.row();
    const bar = document.createElement("progress");
    const abort = new AbortController();
    this.draw(row, title, bar, button("Cancel", `Cancel ${title}`, () => abort.abort()), this.state("Sending"));
    try {
      const job = await post(address, data, (fraction) => (bar.value = fraction), abort.signal);
      this.follow(row, title, job.jobId);
    } catch (problem) {
      row.remove();
      document.getElementById("no-jobs").hidden = this.list.children.length > 0;
      throw problem;
    }
  }

  follow(row, title, id) {
    const bar = document.createElement("progress");
    const state = this.state("Waiting");
    const source = new EventSource(`/api/v1/jobs/${id}/events`);
    let over = false;
    const end = async () => {
      if (over) return;
      const answer = await fetch(`/api/v1/jobs/${id}`).catch(() => null);
      if (!answer) return;
      const job = answer.ok ? await answer.json() : null;
      if (job?.status === "pending") {
        state.textContent = job.startedAt ? "At work" : "Waiting";
        if (job.progress) bar.value = job.progress;
        return;
      }
      over = true;
      source.close();
      clearInterval(looking);
      this.show(row, title, job);
      this.say(job?.status === "completed" ? `${title}: done` : `${title}: not done`);
      this.changed();
    };
    const looking = setInterval(end, LOOK_MS);
    source.addEventListener("progress", (event) => {
      const { progress } = JSON.parse(event.data);
      state.textContent = "At work";
      if (progress > 0) bar.value = progress;
    });
    for (const name of ["completed", "failed", "deleted"]) source.addEventListener(name, end);
    this.draw(row, title, bar, button("Cancel", `Cancel ${title}`, () => this.remove(row, id)), state);
    row.addEventListener("removed", () => {
      over = true;
      source.close();
      clearInterval(looking);
    });
  }

  /** A job that has ended, or (null) is gone. */
  show(row, title, job) {
    if (!job) {
      row.remove();
      return;
    }
    const remove = button("Delete", `Delete ${title}`, () => this.remove(row, job.jobId));
    if (job.status === "failed") {
      this.draw(row, title, remove, this.state(job.message, true));
      return;
    }
    const link = document.createElement("a");
    const before = job.inputBytes ? `${sizeText(job.inputBytes)} → ` : "";
    const notes = job.warnings.map((warning) => warning.message).join(" ");
    link.className = "button";
    link.href = job.downloadUrl;
    link.download = job.outputFile;
    link.textContent = "Download";
    link.setAttribute("aria-label", `Download ${job.outputFile}`);
    const size = this.state("", false);
    size.className = "size";
    size.textContent = before + sizeText(job.outputBytes);
    this.draw(row, job.outputFile, size, link,
      button("Continue", `Use ${job.outputFile} as a file`, () =>
        this.proceed({ name: job.outputFile, size: job.outputBytes, job: job.jobId })),
      remove, this.state(notes, false));
  }

  async remove(row, id) {
    row.dispatchEvent(new Event("removed"));
    const answer = await fetch(`/api/v1/jobs/${id}`, { method: "DELETE", headers: OWN }).catch(() => null);
    if (answer?.ok || answer?.status === 404 || answer?.status === 410) row.remove();
    document.getElementById("no-jobs").hidden = this.list.children.length > 0;
    this.say("Deleted");
    this.changed();
  }

  /** Those of earlier visits: closing the tab loses nothing. */
  async load() {
    const answer = await fetch(`/api/v1/jobs?limit=${LISTED}`);
    if (!answer.ok) return;
    this.list.replaceChildren();
    for (const job of (await answer.json()).jobs.reverse()) {
      if (job.status === "pending") this.follow(this.row(), titleOf(job.tool), job.jobId);
      else this.show(this.row(), titleOf(job.tool), job);
    }
  }
}
