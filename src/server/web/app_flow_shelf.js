// Where saved workflows are: those of an account on the server, those of a visitor in this browser.

import { ask } from "./app_api.js";
import { kept } from "./app_dom.js";
import { describe } from "./app_tools.js";
import { drawForm, IN_MEGABYTES, pairsOf, putValues } from "./app_form.js";

const PATH = "/api/v1/workflows";
const NAMES = 20; // tried for a workflow that moves, whose name is there already

/**
 * values: as the form of a step has them; params: as the server has them.
 * @typedef {{tool: string, values?: Record<string, any>, params?: Record<string, string>}} Step
 * id is empty in this browser; problem: why the server cannot run it now.
 * @typedef {{id: string, version: number, name: string, steps: Step[], problem?: {code: string, message: string}}} Flow
 */

/** A tool as a step: what the result is called and how long it is kept is not a step's. */
export async function stepOf(tool) {
  const all = await describe(tool);
  return { ...all, fields: all.fields.filter((field) => !["outputName", "ttl"].includes(field.name)) };
}

const isSecret = (field) => field.schema.format === "password";

/** What a step's form says, as the server keeps it: without files and secrets. @returns {Record<string, string>} */
export function paramsOf(form, about) {
  const secrets = new Set(about.fields.filter(isSecret).map((field) => field.name));
  return Object.fromEntries(pairsOf(form, about).filter(([name, is]) => typeof is === "string" && !secrets.has(name)));
}

/** What a step of the server shows in its form, and what of it no form has: that goes along as it is. */
export function valuesOfParams(params, about) {
  const values = {};
  const more = {};
  for (const [name, value] of Object.entries(params || {})) {
    const field = about.fields.find((one) => one.name === name);
    if (!field || [field.schema, ...(field.schema.anyOf || [])].some((one) => one.format === "binary")) more[name] = value;
    else values[name] = field.schema.type === "boolean" ? value === "true" : IN_MEGABYTES.has(name) ? String(Number(value) / 1e6) : value;
  }
  return { values, more };
}

/** The steps of this browser as the server keeps them. @param {Step[]} steps */
const translated = (steps) => Promise.all(steps.map(async ({ tool, values }) => {
  const about = await stepOf(tool);
  const form = document.createElement("div");
  drawForm(form, about, "moving-");
  putValues(form, values);
  return { tool, params: paramsOf(form, about) };
}));

/** @param {boolean} account  whether there is one */
export function shelf(account) {
  /** @type {Flow[]} */
  let there = [];
  /** @returns {Flow[]} */
  const here = () => Object.entries(kept.read("flows", {})).map(([name, steps]) => ({ id: "", version: 0, name, steps }));
  const forget = (name) => {
    const left = kept.read("flows", {});
    delete left[name];
    kept.write("flows", left);
  };
  const load = async () => {
    if (account) there = (await ask("GET", PATH)).workflows.map(({ workflowId, ...more }) => ({ id: workflowId, ...more }));
  };

  /** A workflow moves under its name, or under the first with a number that is free. */
  async function move({ name, steps }) {
    const form = { steps: await translated(steps) };
    for (let n = 1; ; n++) {
      try {
        await ask("POST", PATH, { ...form, name: n > 1 ? `${name} (${n})` : name });
        return forget(name);
      } catch (error) {
        if (error.code !== "workflow_exists" || n === NAMES) throw error;
      }
    }
  }

  return {
    account, load, here,
    all: () => [...there, ...here()],
    /** Saves steps under a name; what an account has under it is replaced if nobody else changed it meanwhile. @param {string} name @param {() => Step[]} steps */
    async save(name, steps) {
      if (!account) return kept.write("flows", { ...kept.read("flows", {}), [name]: steps() });
      const before = there.find((one) => one.name === name);
      const form = { name, steps: steps() };
      try {
        await (before ? ask("PUT", `${PATH}/${before.id}`, form, { "If-Match": `"${before.version}"` }) : ask("POST", PATH, form));
      } finally {
        await load().catch(() => null);
      }
    },
    /** @param {Flow} flow */
    async remove(flow) {
      if (!flow.id) return forget(flow.name);
      try {
        await ask("DELETE", `${PATH}/${flow.id}`);
      } finally {
        await load().catch(() => null);
      }
    },
    /** All of this browser go to the account, in their order; gives how many. Those before one that cannot go have gone. */
    async moveAll() {
      const all = here();
      try {
        for (const one of all) await move(one);
      } finally {
        await load().catch(() => null);
      }
      return all.length;
    },
  };
}
