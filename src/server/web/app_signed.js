// Whether files are signed, as far as this browser can know it: a signature names the bytes that it covers
// in plain sight (ISO 32000-1, 12.8.1), so that a chosen file says it before anything is done with it.

import { files } from "./app_files.js";
import { t } from "./app_i18n.js";
import { el, put } from "./app_dom.js";

const MARK = "/ByteRange";
const PIECE = 4 * 1024 * 1024;
/** Bytes at the end that are looked at: signatures are added there. */
const MOST = 64 * 1024 * 1024;

/** Tools that write a PDF anew, which no signature outlives. */
const WRITERS = new Set(["merge", "split", "rotate", "compress", "watermark", "page-numbers", "repair", "add-password", "remove-password"]);

/** @param {File} file */
async function isMarked(file) {
  for (let from = Math.max(0, file.size - MOST); from < file.size; from += PIECE) {
    const piece = await file.slice(from, from + PIECE + MARK.length).arrayBuffer();
    if (new TextDecoder("latin1").decode(piece).includes(MARK)) return true;
  }
  return false;
}

/**
 * Tells in `place` which files have a signature that a tool breaks, for as long as it is on the page.
 * @param {HTMLElement} place @param {string} tool
 * @returns {() => void} stops it
 */
export function signedNote(place, tool) {
  const draw = () => {
    const signed = files.items.filter((one) => one.kind === "pdf" && one.signed);
    place.hidden = !signed.length;
    put(place, ...signed.map((one) => el("p", null, t("signedBreaks", { name: one.name }))));
  };
  const look = async () => {
    for (const item of files.items.filter((one) => one.kind === "pdf" && one.file && one.signed === undefined)) {
      item.signed = false;
      item.signed = await isMarked(item.file).catch(() => false);
      if (item.signed) files.keep();
    }
    if (place.isConnected) draw();
  };
  if (!WRITERS.has(tool)) return () => {};
  files.addEventListener("list", look);
  draw();
  look();
  return () => files.removeEventListener("list", look);
}
