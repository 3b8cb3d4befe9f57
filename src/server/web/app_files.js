// The files to work on, in their order: sent in pieces as soon as they are chosen, so that their
// pages can be shown and every tool can use them. A transfer that breaks off goes on where it was,
// even after the page was closed, once the same file is chosen again.

import { ask, OWN, Problem, send } from "./app_api.js";
import { kept } from "./app_dom.js";
import { t } from "./app_i18n.js";
import { foundKind, kindOf } from "./app_tools.js";

const PIECE = 4 * 1024 * 1024;
const AT_ONCE = 2;
const LONGEST_PAUSE_MS = 30000;
/** Bytes that are asked for again and again without any getting through. */
const TRIES = 12;
const RECALLS = 3; // questions about a remembered file that are asked again
/** Characters that turn the direction of the text after them: of a name they only hide its ending. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * @typedef {Object} Item
 * @property {string} id  within this page
 * @property {string} name
 * @property {number} size
 * @property {string} kind  an extension
 * @property {"waiting" | "sending" | "ready" | "lost" | "failed"} state
 *   lost: the page was closed before all was sent, and the file must be chosen again
 * @property {number} offset  bytes that the server has
 * @property {File} [file]
 * @property {string} [address]  from which the server fetches it
 * @property {number} [modified]
 * @property {string} [upload]  the server's name for it
 * @property {string} [job]  a job whose result it is
 * @property {boolean} [paused]  the connection broke; it is tried again
 * @property {string} [error]
 * @property {string} [password]
 * @property {"password_required" | "wrong_password"} [locked]  its pages are not shown for want of a password
 * @property {number} [tries]  how often it was refused so
 * @property {string} [broken]  why its pages cannot be shown, in the reader's language
 * @property {boolean} [cut]  a PDF without its end
 * @property {boolean} [scan]  one of its first pages is a picture without text
 * @property {Promise<void>} [looked]  that is found out
 * @property {boolean} [signed]  it has a signature; undefined if nobody looked
 * @property {boolean} [own]  its job only made a PDF of another file, and goes with it
 * @property {{count: number, size: (n: number) => [number, number]}} [doc]
 * @property {Promise<any>} [asked]
 * @property {AbortController} [abort]
 */

/** Passwords that opened files here, the last one first: in memory only. Results of protected files, and
 * files with the same password, ask for nothing. @type {string[]} */
let known = [];
const MOST_KNOWN = 5;
export function knowPassword(password) {
  known = [password, ...known.filter((one) => one !== password)].slice(0, MOST_KNOWN);
}

let serial = 0;
const fresh = () => `f${++serial}`;

/** Bytes from the end of a PDF that are searched for the mark that ends one. */
const MOST_SEARCHED = 64 * 1024 * 1024;

/** Whether a file is a PDF that breaks off: such a one has no mark of its end. @param {File} file */
async function isCut(file) {
  if (!(await file.slice(0, 1024).text()).includes("%PDF-")) return false;
  // It is mostly found in the first piece; what another program has added after it does no harm.
  for (let to = file.size; to > 0 && to > file.size - MOST_SEARCHED; to -= PIECE)
    if (new TextDecoder("latin1").decode(await file.slice(Math.max(0, to - PIECE - 8), to).arrayBuffer()).includes("%%EOF")) return false;
  return true;
}

/** It may go away by itself. @param {Problem} problem */
const passes = (problem) => problem.code !== "cancelled" && (problem.status === 0 || problem.status === 429 || problem.status >= 500);

function pause(ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    addEventListener("online", () => (clearTimeout(timer), resolve(undefined)), { once: true });
  });
}

/** After a change of the list this browser remembers it. */
const KEEP_MS = 100;

class Files extends EventTarget {
  /** @type {Item[]} */
  items = [];
  /** What the list had before it was emptied. @type {Item[]} */
  cleared = [];
  running = 0;
  /** The timer of what is to be remembered. @type {any} */
  keeping = 0;

  changed(item) {
    this.dispatchEvent(new CustomEvent("change", { detail: item }));
  }

  /** Whether the pages of a file can be shown is known now. */
  known() {
    this.dispatchEvent(new Event("known"));
  }

  /** This browser remembers what is there: soon, as hundreds of files that are sent change it again and again. */
  keep() {
    this.keeping ||= setTimeout(() => this.keepNow(), KEEP_MS);
  }

  keepNow() {
    if (!this.keeping) return;
    clearTimeout(this.keeping);
    this.keeping = 0;
    kept.write("files", this.items.filter((one) => one.upload || one.job)
      .map(({ name, size, upload, job, modified, own, signed, cut, state }) => ({ name, size, upload, job, modified, own, signed, cut, whole: state === "ready" })));
  }

  /** The list changed: what is there, or its order. */
  listed() {
    if (this.items.length) this.cleared = [];
    this.keep();
    this.dispatchEvent(new Event("list"));
  }

  /** @param {Iterable<File>} list @returns {Item[]} those that are new */
  add(list) {
    /** @type {Item[]} */
    const made = [];
    for (const file of list) {
      const name = file.name.replace(TURNS, "");
      const again = this.items.find((one) => one.state === "lost" && one.name === name && one.size === file.size);
      if (again) {
        again.file = file;
        again.state = "waiting";
        continue;
      }
      made.push({
        id: fresh(), name: name || t("unnamed"), size: file.size, kind: kindOf(file.name), state: file.size ? "waiting" : "failed", offset: 0,
        file, modified: file.lastModified, error: file.size ? undefined : t("emptyFile"),
      });
    }
    this.items.push(...made);
    this.listed();
    this.next();
    for (const item of made.filter((one) => one.size)) isCut(item.file).then((is) => {
      if (!is) return;
      item.cut = true;
      this.changed(item);
      this.known();
    }, () => null);
    return made;
  }

  /** A file that the server fetches from its address. @param {string} address @returns {Item} */
  addAddress(address) {
    const path = address.replace(/[?#].*/, "").replace(/^[a-z]+:\/\/[^/]*/i, "");
    const name = path.slice(path.lastIndexOf("/") + 1) || t("unnamed");
    const item = { id: fresh(), name, size: 0, kind: kindOf(name), state: /** @type {const} */ ("waiting"), offset: 0, address };
    this.items.push(item);
    this.listed();
    this.next();
    return item;
  }

  /** The result of a job as a file. @returns {Item} */
  addResult(job) {
    const item = { id: fresh(), name: job.outputFile, size: job.outputBytes, kind: kindOf(job.outputFile),
      state: /** @type {const} */ ("ready"), offset: job.outputBytes, job: job.jobId,
      signed: job.tool === "sign" && !job.marked };
    this.items.push(item);
    this.listed();
    return item;
  }

  /** A PDF that a job made of these takes their place. @param {Item[]} items */
  replace(items, job) {
    const at = this.items.indexOf(items[0]);
    const name = `${items[0].name.replace(/\.[^.]*$/, "")}.pdf`;
    this.items.splice(Math.max(0, at), 0, { id: fresh(), name, size: job.outputBytes, kind: "pdf", state: "ready", offset: job.outputBytes, job: job.jobId, own: true });
    this.items = this.items.filter((one) => !items.includes(one));
    this.listed();
  }

  find(id) {
    return this.items.find((one) => one.id === id);
  }

  /** The file that is being moved by itself, while it is told. @type {string | undefined} */
  moved = undefined;

  move(from, to) {
    const [item] = this.items.splice(from, 1);
    this.items.splice(to, 0, item);
    this.moved = item.id;
    this.listed();
    this.moved = undefined;
  }

  /** By name, numbers in names by their value. */
  sort() {
    const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
    this.items.sort((a, b) => compare(a.name, b.name));
    this.listed();
  }

  /** The server has nothing of them any more, as their visit has ended: those that this page still holds are sent again. */
  again() {
    for (const item of this.items) item.abort?.abort();
    this.items = this.items.filter((one) => one.file);
    for (const item of this.items) Object.assign(item, { upload: undefined, job: undefined, asked: undefined, offset: 0, state: "waiting" });
    this.cleared = [];
    this.listed();
    this.next();
  }

  remove(item) {
    item.abort?.abort();
    this.items = this.items.filter((one) => one !== item);
    if (item.upload || item.own) ask("DELETE", placeOf(item)).catch(() => null);
    this.listed();
  }

  /** The list is emptied; what was sent stays with the server until its time is over, so that the list can be had
   * back until there is another. */
  clear() {
    for (const item of this.items) item.abort?.abort();
    this.cleared = this.items;
    this.items = [];
    this.listed();
  }

  /** The list is as it was before it was emptied; what was being sent goes on. */
  unclear() {
    this.items = this.cleared;
    for (const item of this.items) if (item.state === "sending") item.state = item.file ? "waiting" : "lost";
    this.listed();
    this.next();
  }

  /** Nothing of it is known any more. */
  forget() {
    this.clear();
    this.cleared = [];
    known = [];
  }

  /** Lets the next files go. */
  next() {
    for (const item of this.items) {
      if (this.running >= AT_ONCE) return;
      if (item.state !== "waiting") continue;
      this.running++;
      item.state = "sending";
      this.transfer(item).catch((problem) => {
        if (problem.code === "cancelled") return;
        item.state = "failed";
        item.error = problem.message;
      }).finally(() => {
        this.running--;
        this.changed(item);
        this.next();
      });
    }
  }

  /** All of a file, piece by piece: only the piece on its way is in memory. */
  async transfer(item) {
    const abort = (item.abort = new AbortController());
    let tries = 0;
    this.changed(item);
    while (!item.upload || item.offset < item.size || item.state !== "ready") {
      try {
        const state = await this.step(item, abort.signal);
        tries = 0;
        item.paused = false;
        item.offset = state.offset;
        item.kind = foundKind(state.kind, item.name);
        if (state.complete) item.state = "ready";
      } catch (problem) {
        if (problem.code === "upload_offset_mismatch") {
          item.offset = problem.body?.offset ?? (await ask("GET", `/api/v1/uploads/${item.upload}`)).offset;
          continue;
        }
        if (!passes(problem) || ++tries > TRIES) throw problem;
        item.paused = true;
        this.changed(item);
        await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** tries));
        if (abort.signal.aborted) throw new Problem({ message: t("cancelled"), code: "cancelled" });
        item.offset = item.upload ? await this.offsetOf(item) : 0;
      }
      this.changed(item);
    }
    this.listed();
  }

  async offsetOf(item) {
    return ask("GET", `/api/v1/uploads/${item.upload}`).then((state) => state.offset, () => item.offset);
  }

  async step(item, signal) {
    if (item.address) {
      const made = await ask("POST", "/api/v1/uploads", { fileUrl: item.address });
      if (signal.aborted) {
        ask("DELETE", `/api/v1/uploads/${made.uploadId}`).catch(() => null);
        throw new Problem({ message: t("cancelled"), code: "cancelled" });
      }
      Object.assign(item, { upload: made.uploadId, size: made.size, name: made.name.replace(TURNS, "") || item.name, address: undefined });
      return made;
    }
    if (!item.upload) {
      const made = await ask("POST", "/api/v1/uploads", { name: item.name, size: item.size });
      item.upload = made.uploadId;
      this.keep();
      if (item.size > 0) return made;
    }
    const from = item.offset;
    return send("PATCH", `/api/v1/uploads/${item.upload}`, item.file.slice(from, from + PIECE),
      { "Upload-Offset": String(from), "Content-Type": "application/offset+octet-stream" },
      (loaded) => {
        item.offset = from + Math.min(loaded, PIECE, item.size - from);
        this.changed(item);
      }, signal);
  }

  /** A file that this browser remembers, as the server has it; null if it has not. A file of which a server that cannot
   * be reached says nothing stays as it was remembered. @returns {Promise<Item | null>} */
  async recalled(one, tries = 0) {
    const { whole, ...rest } = one; // "whole" only tells other tabs that a transfer has ended.
    const item = { id: fresh(), kind: kindOf(one.name), offset: one.size, state: /** @type {any} */ ("ready"), ...rest };
    try {
      if (one.job) await ask("GET", `/api/v1/jobs/${one.job}`);
      else {
        const state = await ask("GET", `/api/v1/uploads/${one.upload}`);
        item.offset = state.offset;
        if (!state.complete) item.state = "lost";
        else item.kind = foundKind(state.kind, one.name);
      }
      return item;
    } catch (problem) {
      if (!passes(problem)) return null;
      if (tries >= RECALLS) return Object.assign(item, whole ? {} : { state: "lost" });
    }
    await pause(500 * 2 ** tries);
    return this.recalled(one, tries + 1);
  }

  /** Those of an earlier visit that the server still has. */
  async restore() {
    const found = await Promise.all(kept.read("files", []).map((one) => this.recalled(one)));
    this.items.push(...found.filter(Boolean));
    this.listed();
  }

  /** The list is as another tab of this browser left it; what this tab is sending stays. */
  async follow() {
    const nameOf = (one) => one.upload || one.job;
    const wanted = kept.read("files", []);
    const names = wanted.map(nameOf);
    const mine = new Map(this.items.map((one) => [nameOf(one), one]));
    const found = await Promise.all(wanted.map(async (one) => {
      const known = mine.get(nameOf(one));
      if (!known) return this.recalled(one);
      if (known.state === "lost") Object.assign(known, await this.recalled(one), { id: known.id }); // It may have arrived meanwhile.
      return known;
    }));
    const own = this.items.filter((one) => !names.includes(nameOf(one)) && (one.state === "sending" || one.state === "waiting" || one.state === "failed"));
    this.items = [...found.filter(Boolean), ...own];
    this.dispatchEvent(new Event("list"));
  }

  /** Waits until all of these are with the server. @param {Item[]} items */
  settled(items) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const bad = items.find((one) => one.state === "failed" || one.state === "lost");
        if (!bad && items.some((one) => one.state !== "ready")) return;
        this.removeEventListener("change", look);
        if (bad) reject(new Problem({ message: bad.error ? `${bad.name}: ${bad.error}` : t("lostFile", { name: bad.name }) }));
        else resolve(undefined);
      };
      this.addEventListener("change", look);
      look();
    });
  }
}

export const files = new Files();
addEventListener("pagehide", () => files.keepNow());

/** How a submission names a file. @param {Item} item */
export function refOf(item) {
  return item.upload ? `upload:${item.upload}` : `job:${item.job}`;
}

/** @param {Item} item */
export const placeOf = (item) => (item.upload ? `/api/v1/uploads/${item.upload}` : `/api/v1/jobs/${item.job}`);

/** Its pages can be shown. @param {Item} item */
export const hasPages = (item) => item.kind === "pdf" && item.state === "ready";

/** What the server says of a document: with the password that was typed for it, else with none, else with those that
 * opened others. Throws the Problem of the first. @param {Item} item */
async function described(item) {
  let first = null;
  for (const password of item.password === undefined ? [undefined, ...known] : [item.password]) {
    try {
      const found = await ask("GET", `${placeOf(item)}/document`, undefined, password ? { "X-Input-Password": password } : {});
      item.password = password;
      if (password) knowPassword(password);
      return found;
    } catch (problem) {
      first ||= problem;
      if (!["password_required", "wrong_password"].includes(problem.code)) break;
    }
  }
  throw first;
}

/** How many pages it has and how large they are, in points. Throws a Problem. @param {Item} item */
export function documentOf(item) {
  item.asked ||= described(item)
    .then((found) => {
      const sizes = [];
      for (const page of found.pages) for (let i = page.count || 1; i > 0; i--) sizes.push([page.width, page.height]);
      item.doc = { count: found.pageCount, size: (n) => sizes[Math.min(n, sizes.length) - 1] || [595, 842] };
      item.locked = item.broken = undefined;
      files.known();
      return item.doc;
    }, (problem) => {
      if (problem.code === "password_required" || problem.code === "wrong_password") {
        item.locked = item.password === undefined ? "password_required" : "wrong_password";
        item.tries = (item.tries || 0) + 1;
      } else if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
        item.broken = problem.message;
      } else {
        item.asked = undefined; // It may be answered another time.
      }
      files.known();
      throw problem;
    });
  return item.asked;
}

/** Tries a password for a document, as documentOf does. @param {Item} item */
export function openWith(item, password) {
  item.password = password;
  item.asked = undefined;
  return documentOf(item);
}

const AGAIN_MS = 700; // after which words that the server was too busy for are asked for again
const WORD_TRIES = 5;

/** The words of a page with their places, and its links, as the server says; none if it cannot. @param {Item} item @param {number} n from 1 */
export async function wordsOf(item, n) {
  for (let i = 0; i < WORD_TRIES; i++) {
    try {
      const answer = await fetch(`${placeOf(item)}/pages/${n}.json`, { headers: { ...OWN, ...(item.password ? { "X-Input-Password": item.password } : {}) } });
      if (answer.ok) return await answer.json();
      if (answer.status !== 503) break;
    } catch {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  return { lines: [], links: [] };
}

const FRONT = 2; // pages of which the first may be a cover that was added to a scan

/** Finds out whether a document whose pages are known is a scan. Asked once. @param {Item} item */
export function lookForScan(item) {
  item.looked ||= (async () => {
    for (let n = 1; n <= Math.min(FRONT, item.doc.count) && !item.scan; n++) item.scan = Boolean((await wordsOf(item, n)).scan);
    if (item.scan) files.known();
  })();
  return item.looked;
}

/** Pictures of pages of documents with a password, which no address can carry. */
const secret = new Map();

/**
 * The address of the picture of a page.
 * @param {Item} item @param {number} n from 1 @param {number} width in pixels
 * @returns {string | Promise<string>}
 */
export function pictureOf(item, n, width) {
  const address = `${placeOf(item)}/pages/${n}.webp?width=${width}`;
  if (!item.password) return address;
  if (!secret.has(address))
    secret.set(address, fetch(address, { headers: { "X-Input-Password": item.password } })
      .then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(String(answer.status)))))
      .then((blob) => URL.createObjectURL(blob)));
  return secret.get(address);
}

/** Shows the picture of a page in an image. @param {HTMLImageElement} image @param {Item} item */
export function showPage(image, item, n, width) {
  const address = pictureOf(item, n, width);
  if (typeof address === "string") image.src = address;
  else address.then((found) => (image.src = found), () => image.dispatchEvent(new Event("error")));
}
