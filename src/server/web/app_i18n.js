// Languages: one JSON file each, loaded when it is wanted. Numbers, dates and plurals are Intl's.

import { kept } from "./app_dom.js";

/** Each by its own name, with its direction. */
export const LANGUAGES = {
  en: "English", de: "Deutsch", fr: "Français", es: "Español", pt: "Português", ja: "日本語", zh: "中文", ar: "العربية",
};
const RIGHT_TO_LEFT = new Set(["ar"]);

let words = null;
/** The words of forms, which come when they are wanted. @type {Promise<any> | null} */
let forms = null;
let plural = new Intl.PluralRules("en");
let current = "en";

/** The name of the language that is shown. */
export const language = () => current;

/** The first of the browser's languages that there is, unless one was chosen. */
export function preferred() {
  const chosen = kept.read("language", "");
  const wanted = [chosen, ...navigator.languages].map((one) => String(one).toLowerCase().split("-")[0]);
  return wanted.find((one) => one in LANGUAGES) || "en";
}

/** A language that was chosen: the server begins with it the next time. @param {string} name */
export function keepLanguage(name) {
  kept.write("language", name);
  document.cookie = `platen_language=${name}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** @param {string} name  one of LANGUAGES */
export async function useLanguage(name) {
  const answer = await fetch(new URL(`./${name}.json`, import.meta.url));
  words = await answer.json();
  forms = null;
  current = name;
  plural = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  document.documentElement.dir = RIGHT_TO_LEFT.has(name) ? "rtl" : "ltr";
}

/** What paramWords, choiceWords and spoken say is there once this is fulfilled. */
export async function formWords() {
  forms ||= fetch(new URL(`./${current}_forms.json`, import.meta.url)).then((answer) => answer.json());
  try {
    Object.assign(words, await forms);
  } catch (problem) {
    forms = null;
    throw problem;
  }
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values?.[name];
    return value === undefined ? all : typeof value === "number" ? number(value) : String(value);
  });
}

/** The words of the page by their name; of a text with forms, the one for values.n. */
export function t(name, values) {
  const found = words.ui[name];
  if (found === undefined) return name;
  if (typeof found === "string") return filled(found, values);
  return filled(found[plural.select(values.n)] || found.other, values);
}

/** Whether the reader points with a finger: a phone or a tablet. */
export const byFinger = () => matchMedia("(pointer: coarse)").matches;

/** Words that tell how to move things: those for fingers say nothing of keys and mice. */
export const howTo = (name, values) => t(byFinger() ? `${name}Touch` : name, values);

export const toolTitle = (name) => words.tools[name]?.[0] || name;
/** What a tool does; of one that no language knows yet, in the server's words. */
export function toolSummary(name) {
  const told = [...document.querySelectorAll("#tool-names dt")].find((one) => one.textContent === name)?.nextElementSibling;
  return words.tools[name]?.[1] || told?.textContent || "";
}

/** "fontSize" as words: a name of the API that has words of its own, or that no language knows yet. */
export function spoken(name) {
  const text = name.replace(/([A-Z])/g, (c) => " " + c.toLowerCase());
  return words.figures?.[name] || text[0].toUpperCase() + text.slice(1);
}

/** [label, help] of a parameter of a tool. */
export function paramWords(tool, name, help) {
  return words.params[`${tool}.${name}`] || words.params[name] || [spoken(name), help || ""];
}

/** What a choice of a parameter is called. */
export function choiceWords(tool, param, value) {
  return words.choices[`${tool}.${param}.${value}`] || words.choices[`${param}.${value}`] || words.choices[value]
    || (param === "language" && languageName(value)) || value;
}

/** What Tesseract calls languages that browsers know by another code. */
const LANGUAGE_TAGS = { chi_sim: "zh-Hans", chi_tra: "zh-Hant", frk: "de-Latf", srp_latn: "sr-Latn", uzb_cyrl: "uz-Cyrl", aze_cyrl: "az-Cyrl", kmr: "ku" };

/** The name of a language by its code, in the reader's language; "" if the browser knows none. @param {string} code */
function languageName(code) {
  try {
    const tag = LANGUAGE_TAGS[code] || code.replace(/_.*/, "");
    const name = new Intl.DisplayNames([document.documentElement.lang], { type: "language", fallback: "none" }).of(tag);
    return name ? sentence(name) + (code.endsWith("_vert") ? " ↓" : "") : "";
  } catch {
    return "";
  }
}

/** The server's sentence as one of a page: with a capital, which sentences for programs do not have. */
export const sentence = (message) => message.charAt(0).toUpperCase() + message.slice(1);

/** What an error means, in the reader's language: the server's own sentence is for programs. */
export const errorWords = (code, message) => words.errors[code] || sentence(message || code || "");

/** Errors of which the words above say all that there is to say. */
const PLAIN = new Set(["password_required", "wrong_password", "not_encrypted", "missing_field", "too_few_files", "quota_exceeded", "file_too_large"]);

/** The server's own sentence, which is English, where the words of errorWords say less. */
export const errorDetail = (code, message) => (message && !PLAIN.has(code) && errorWords(code, message) !== sentence(message) ? message : undefined);

export const warningWords = (code, message) => words.warnings[code] || sentence(message || code);

/** The server's own sentence of a warning, which has what the words above leave out: places and figures. */
export const warningDetail = (code, message) => (words.warnings[code] && message && sentence(message) !== words.warnings[code] ? message : undefined);

/** What the button of a tool says: what it does, and to how many files. */
export function goWords(tool, n) {
  const [one, verb] = words.go[tool] || [toolTitle(tool), toolTitle(tool)];
  return n > 1 ? t("goFiles", { verb, files: t("filesCount", { n }) }) : one;
}

export const number = (value, options) => new Intl.NumberFormat(current, options).format(value);
export const percent = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });
export const date = (value) => new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(new Date(value));
/** Of today the time alone. */
export const moment = (value) => (new Date(value).toDateString() === new Date().toDateString() ? new Intl.DateTimeFormat(current, { timeStyle: "short" }).format(new Date(value)) : date(value));
export const day = (value) => new Intl.DateTimeFormat(current, { dateStyle: "medium" }).format(new Date(value));

/** Bytes as people read them. */
export function sizeText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let unit = 0;
  for (; unit + 1 < units.length && bytes >= 1000; unit++) bytes /= 1000;
  return number(bytes, { style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "long", maximumSignificantDigits: unit ? 3 : 4 });
}

/** Seconds as "2 min", rounded up. */
export function timeText(seconds) {
  const minutes = seconds >= 90;
  return number(Math.max(1, Math.round(minutes ? seconds / 60 : seconds)),
    { style: "unit", unit: minutes ? "minute" : "second", unitDisplay: "short" });
}

/** Seconds as "3.5 hours", in the unit that suits them. */
export function spanText(seconds) {
  const [unit, length] = /** @type {[string, number]} */ ([["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]].find(([, one]) => seconds >= 2 * Number(one)) || ["second", 1]);
  return number(seconds / length, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 });
}
