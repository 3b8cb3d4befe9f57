// What results are called: after their files, with a word in the reader's language for what was done;
// a conversion keeps the file's name, as its ending tells what it is.

import { t, toolTitle } from "./app_i18n.js";
import { resultNames } from "./app_jobs.js";

const LONGEST_NAME = 120; // so that a number has its place in what the server takes

/** What results of a tool can end in, where that is not "pdf" alone. */
const ENDINGS = {
  split: ["pdf", "zip"], "to-word": ["docx"], "to-excel": ["xlsx"], "to-text": ["txt"], "to-markdown": ["md", "zip"], "to-html": ["html"], extract: ["json", "ndjson"], compare: ["json", "pdf"], "form-fields": ["json", "xfdf", "fdf", "csv"], "redact-find": ["json"], "fill-form": ["pdf", "zip"],
  ocr: ["pdf", "txt", "hocr", "xml"], "to-jpg": ["jpg", "zip"], "to-png": ["png", "zip"], "to-webp": ["webp", "zip"], "to-tiff": ["tif"], "to-svg": ["svg", "zip"],
};

/**
 * What a tool makes of a file is called so, without its ending, unless another name is typed.
 * @param {string} file  its name @param {string} tool
 */
export function usualName(file, tool) {
  const word = t(`named_${tool}`);
  const stem = Array.from(file.replace(/\.[^.]*$/, "")).slice(0, LONGEST_NAME).join("") || t("unnamed");
  const usual = word === `named_${tool}` ? stem : `${stem}-${word}`;
  const taken = new Set(resultNames());
  for (let n = 1; ; n++) {
    const name = n === 1 ? usual : `${usual}-${n}`;
    if (!(ENDINGS[tool] || ["pdf"]).some((ending) => taken.has(`${name}.${ending}`))) return name;
  }
}

/** What the results of several files are called together. */
export const zipName = (tool) => (t(`named_${tool}`) === `named_${tool}` ? toolTitle(tool) : t(`named_${tool}`));
