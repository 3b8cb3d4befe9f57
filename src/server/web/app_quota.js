// What is said above every view once the month's jobs are used up: when there are new ones, and where there are more.

import { at, el, icon, put } from "./app_dom.js";
import { day, number, t } from "./app_i18n.js";

/** @param {{limit: number, resetAt: string} | null} used  null: there are jobs left @param {string} url  of the plans */
export function showSpent(used, url) {
  let note = at("quota-spent");
  if (!used) return note?.remove();
  if (!note) {
    note = el("section", { id: "quota-spent", className: "note quota-spent", role: "status" });
    at("main").before(note);
  }
  put(note, icon("warning"), el("p", null, t("quotaSpent", { limit: number(used.limit), day: day(used.resetAt) }), " ", el("a", { href: url }, t("quotaPlans"))));
}
