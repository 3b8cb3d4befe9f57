// The page for people: files, a tool, its form, the results. Everything goes through the public API.

import { Files, takeFiles } from "./app_files.js";
import { clearErrors, drawForm, firstInvalid, putFields, showError } from "./app_form.js";
import { Jobs, OWN, problemOf } from "./app_jobs.js";
import { addressOf, loadTools, takes } from "./app_tools.js";

const at = (id) => document.getElementById(id);
const form = at("form");

let tools = [];
let chosen = null;

function say(text) {
  at("say").textContent = text;
}

/** Whether a tool can do something with the files there are. */
function fits(tool) {
  return files.items.every((item) => takes(tool, item.name));
}

function drawTools() {
  at("tools").replaceChildren(...tools.map((tool) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = tool.title;
    made.title = tool.summary;
    made.dataset.tool = tool.name;
    made.disabled = !fits(tool);
    made.setAttribute("aria-pressed", String(tool === chosen));
    made.addEventListener("click", () => choose(tool));
    return made;
  }));
}

/** One job of all files, or one of each. */
function jobCount(tool) {
  return tool.many ? 1 : files.items.length;
}

function submitText(tool) {
  return jobCount(tool) > 1 ? `${tool.title}: ${jobCount(tool)} files` : tool.title;
}

function choose(tool) {
  chosen = tool;
  for (const one of at("tools").children) one.setAttribute("aria-pressed", String(one.dataset.tool === tool.name));
  at("form-title").textContent = `3. ${tool.title}`;
  at("form-summary").textContent = tool.summary;
  drawForm(form, tool, submitText(tool));
  at("form-panel").hidden = false;
  at("form-panel").scrollIntoView({ block: "nearest" });
}

function filesChanged() {
  drawTools();
  if (chosen && at("submit")) at("submit").textContent = submitText(chosen);
  clearErrors(form);
}

const files = new Files(at("files"), filesChanged);
const jobs = new Jobs(at("jobs"), (item) => {
  files.add([item]);
  at("files-title").scrollIntoView();
  say(`${item.name} is a file to work on`);
}, say, showUsage);

function dataOf(items) {
  const data = new FormData();
  for (const item of items)
    data.append(chosen.many ? "files" : "file", item.job ? `job:${item.job}` : item.file);
  putFields(form, chosen, data);
  return data;
}

/** The first that lacks something is told, and nothing is sent. */
function isReady() {
  clearErrors(form);
  if (files.items.length < chosen.least) {
    showError(form, chosen.least > 1 ? `Choose at least ${chosen.least} files first.` : "Choose a file first.");
    return false;
  }
  return !firstInvalid(form);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!isReady()) return;
  const groups = chosen.many ? [files.items] : files.items.map((item) => [item]);
  at("submit").disabled = true;
  try {
    for (const group of groups) {
      const title = `${chosen.title}: ${group[0].name}` + (group.length > 1 ? ` and ${group.length - 1} more` : "");
      await jobs.submit(title, addressOf(chosen), dataOf(group));
    }
    at("jobs-title").scrollIntoView({ block: "nearest" });
    say("Sent");
  } catch (problem) {
    if (problem.error === "invalid_api_key" || problem.error === "missing_api_key") showKeyForm(problem.message);
    else showError(form, problem.message, problem.field);
  }
  at("submit").disabled = false;
  showUsage();
});

async function showUsage() {
  const answer = await fetch("/api/v1/usage").catch(() => null);
  if (!answer?.ok) return;
  const { requests, resetAt } = await answer.json();
  at("usage").textContent = `${requests.used} of ${requests.limit} jobs used; counted anew on ${new Date(resetAt).toLocaleDateString()}.`;
}

function showKeyForm(message) {
  at("work").hidden = true;
  at("key-form").hidden = false;
  at("key-error").textContent = message || "";
  at("key").focus();
}

async function start() {
  const answer = await fetch("/api/v1/usage").catch(() => null);
  if (!answer) {
    showKeyForm("The server cannot be reached. Load this page again.");
    return;
  }
  if (!answer.ok) {
    showKeyForm("");
    return;
  }
  at("key-form").hidden = true;
  at("work").hidden = false;
  tools = tools.length ? tools : await loadTools();
  drawTools();
  await Promise.all([jobs.load(), showUsage()]);
}

at("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch("/api/v1/session", {
    method: "POST", headers: { ...OWN, "X-API-Key": at("key").value.trim() },
  }).catch(() => null);
  if (!answer?.ok) {
    at("key-error").textContent = problemOf(answer?.status, answer ? await answer.text() : "").message;
    return;
  }
  at("key").value = "";
  await start();
});

at("leave").addEventListener("click", async () => {
  await fetch("/api/v1/session", { method: "DELETE", headers: OWN }).catch(() => null);
  files.clear();
  at("jobs").replaceChildren();
  showKeyForm("");
});

takeFiles(at("drop"), at("choose"), files);
start();
