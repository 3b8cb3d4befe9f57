// The page of a result that is worth to be seen first: the first that was changed, as the submission named it.

/** Tools whose pages are those that remain, so that the result begins with them. */
const REMAIN = new Set(["split", "word-to-pdf", "excel-to-pdf", "ppt-to-pdf"]);

/**
 * The first page of a list of pages as the API takes it; 1 where it says none.
 * @param {string} list @param {number} [count] of the document; without it, "last" is Infinity
 */
export function firstOf(list, count = Infinity) {
  const items = list.toLowerCase().split(",").map((one) => one.replace(/\s+/g, "")).filter(Boolean);
  const one = (word) => (word === "last" ? count : word.startsWith("r") ? count + 1 - Number(word.slice(1)) : Number(word));
  const ends = (item) => {
    const [, from, dash, to] = /^(r?\d+|last)(?:(-)(r?\d+|last)?)?$/.exec(item) || [];
    if (!from) return item === "even" ? [2, count] : [1, count];
    const [a, b] = [one(from), dash ? (to ? one(to) : count) : one(from)];
    return [Math.min(a, b), Math.max(a, b)];
  };
  const out = items.filter((item) => item.startsWith("!")).map((item) => ends(item.slice(1)));
  const taken = items.filter((item) => !item.startsWith("!"));
  const firsts = (taken.length ? taken : ["all"]).map((item) => {
    const step = item === "odd" || item === "even" ? 2 : 1;
    let [at, last] = ends(item);
    for (let moved = true; moved && Number.isFinite(at); ) {
      const left = out.find(([from, to]) => at >= from && at <= to);
      moved = Boolean(left);
      if (left) at += step * Math.ceil((left[1] - at + 1) / step);
    }
    return at > last ? Infinity : at;
  });
  return Math.max(1, Math.min(count, ...firsts));
}

/**
 * The list of pages that a job changes, of which the first is shown.
 * @param {string} tool @param {any[][]} pairs  names and values of its submission
 */
export function changedPages(tool, pairs) {
  const value = (name) => pairs.find(([field]) => field === name)?.[1];
  if (tool === "pipeline") {
    const steps = JSON.parse(value("steps") || "[]");
    const last = steps[steps.length - 1];
    return last ? changedPages(last.tool, Object.entries(last.params || {})) : "1";
  }
  if (tool === "sign") return value("page") ?? (value("placements") ? JSON.parse(value("placements")).map((one) => String(one.page)).join() : "last");
  return (!REMAIN.has(tool) && value("pages")) || "1";
}
