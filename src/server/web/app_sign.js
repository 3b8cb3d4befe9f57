// Signing: the document with what is put on it, where a signature is made, and the digital seal if it is wanted.

import { el, icon, iconButton, put, say } from "./app_dom.js";
import { documentOf, files, showPage } from "./app_files.js";
import { day, howTo, t } from "./app_i18n.js";
import { lines, markLayer } from "./app_sign_marks.js";
import { signaturePad } from "./app_sign_pad.js";
import { pageStrip } from "./app_strip.js";

const WIDTH = 1200;
/** Fields of the seal, those that are folded last; the others concern the result. */
const SEAL = ["signerName", "reason", "visible"];
const MORE_SEAL = ["location", "certificate", "certificatePassword", "level", "certify", "fieldName"];
const TOOLS = [
  ["image", "signSignature", "sign"], ["initials", "signInitials", "M4 18V6m4 12V9l5 9V6m3 12h4"], ["date", "markDate", "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4"],
  ["text", "markText", "M5 7V5h14v2M12 5v14M9 19h6"], ["tick", "mark_tick", "check"], ["cross", "mark_cross", "close"],
];

/** The seal: whether it is wanted, what it proves, and its fields. */
function sealOf(fields, changed) {
  const row = (name) => fields.querySelector(`[name="${name}"]`)?.closest(".field");
  const wanted = el("input", { id: "sign-seal", type: "checkbox" });
  const inner = el("div", { className: "seal-fields" }, SEAL.map(row));
  const node = el("section", { className: "sign-seal" },
    el("div", { className: "field check" }, wanted, el("div", null, el("label", { for: "sign-seal" }, t("sealAdd")), el("p", { className: "hint", id: "sign-seal-hint" }, t("sealHonest")))), inner);
  wanted.setAttribute("aria-describedby", "sign-seal-hint");
  const named = (name) => fields.querySelector(`[name="${name}"]`);
  fields.prepend(node);
  const show = () => {
    inner.hidden = !wanted.checked;
    for (const name of [...SEAL, ...MORE_SEAL]) if (named(name)) named(name).disabled = !wanted.checked;
    for (const name of MORE_SEAL) if (row(name)) row(name).hidden = !wanted.checked;
    if (named("signerName")) named("signerName").required = wanted.checked;
  };
  if (named("visible")) named("visible").checked = false;
  wanted.addEventListener("change", () => {
    show();
    if (wanted.checked) named("signerName")?.focus();
    changed();
  });
  show();
  return { is: () => wanted.checked, named, isShown: () => wanted.checked && Boolean(named("visible")?.checked) && !named("fieldName")?.value.trim() };
}

/** What the seal's box says, as the tool writes it. */
function sealWords(named) {
  const line = (text, className) => text && el("bdi", { className }, text);
  const value = (name) => named(name)?.value.trim();
  return el("span", { className: "seal-words" }, line("Digitally signed by"), line(value("signerName") || t("signerSample"), "seal-name"), line(`Date: ${new Date().toISOString().slice(0, 10)}`),
    line(value("reason") && `Reason: ${value("reason")}`), line(value("location") && `Location: ${value("location")}`));
}

/** @param {any} context of the tool's view */
export async function signing(context) {
  const { fields, preview, problem } = context;
  const form = fields.closest("form");
  const desk = form.closest(".desk");
  const image = el("img", { alt: "", draggable: false });
  const stage = el("div", { className: "stage sign-stage", dir: "ltr" }, image);
  const shownPage = el("output", { className: "hint", id: "stamp-page" });
  const strip = pageStrip((n) => turnTo(n));
  const turner = el("div", { className: "row turner" }, iconButton("before", t("pageBefore"), () => turnTo(page - 1), { "data-turn": "-1" }), shownPage,
    iconButton("after", t("pageAfter"), () => turnTo(page + 1), { "data-turn": "1" }));
  const larger = iconButton("zoom", t("signLarger"), () => {
    const is = stage.classList.toggle("large");
    larger.setAttribute("aria-pressed", String(is));
    stage.scrollIntoView({ block: is ? "start" : "nearest" });
  }, { id: "sign-larger", "aria-pressed": "false" });
  const which = el("select", { id: "sign-file", "aria-label": t("signFile"), hidden: true });
  /** @type {import("./app_files.js").Item | null} */
  let item = null;
  let page = 1;
  let count = 1;
  /** Marks of the files that are not looked at, by their ids, and the page that was. @type {Map<string, {marks: any[], page: number}>} */
  const kept = new Map();

  const isSheet = () => getComputedStyle(pad.node).position === "fixed";
  const open = (kind) => {
    pad.choose(kind);
    const was = pad.node.classList.contains("open");
    pad.node.classList.add("open");
    pad.draw();
    if (!isSheet()) pad.node.scrollIntoView({ block: "nearest" });
    else if (!was) {
      // What is signed stays in sight above it.
      const node = stage.querySelector(".chosen") || stage.querySelector(".mark-on") || stage;
      const top = Number.parseFloat(getComputedStyle(pad.node).bottom) + pad.node.offsetHeight;
      const over = node.getBoundingClientRect().bottom - (innerHeight - top - 24);
      if (over > 0) scrollBy({ top: over, behavior: "instant" });
    }
    pad.focus();
  };
  const close = () => {
    if (!pad.node.classList.contains("open")) return;
    pad.node.classList.remove("open");
    if (isSheet() || pad.node.contains(document.activeElement)) /** @type {HTMLElement | null} */ (stage.querySelector(".chosen, .mark-on"))?.focus({ preventScroll: true });
  };
  const pad = signaturePad({
    done: close,
    changed(kind) {
      problem.textContent = "";
      if (pad.ink(kind) && !layer.find(kind).length && item) layer.add(kind);
      layer.draw();
      const waiting = layer.find(kind).find((one) => one.fresh);
      if (waiting && pad.ink(kind)) layer.carry(waiting);
    },
  });
  const seal = sealOf(fields, () => sealed());

  /** The part of the page that is in the window, in points. */
  function sight() {
    const [across, down] = size(page);
    const room = stage.getBoundingClientRect();
    const bar = form.querySelector(".actions").getBoundingClientRect();
    const below = getComputedStyle(form.querySelector(".actions")).position === "sticky" && matchMedia("(max-width: 42rem)").matches ? bar.top : innerHeight;
    const head = document.querySelector("header")?.getBoundingClientRect().bottom || 0;
    const top = Math.max(room.top, Math.max(0, head));
    const bottom = Math.min(room.bottom, below);
    if (!room.height || bottom - top < 60) return { x: 0, y: 0, width: across, height: down };
    return { x: 0, y: ((top - room.top) / room.height) * down, width: across, height: ((bottom - top) / room.height) * down };
  }
  const size = (n) => item?.doc?.size(n) || [595, 842];
  const layer = markLayer({
    stage, size, count: () => count, ink: (type) => (type === "image" || type === "initials" ? pad.ink(type) : null), color: () => pad.color(), sight,
    sealWords: () => sealWords(seal.named),
    changed() {
      problem.textContent = "";
    },
    pressed: (mark) => closes || open(/** @type {any} */ (mark.type)),
  });

  function putOn(type) {
    if (!item) return;
    if (type === "date" || type === "text") {
      layer.add("text", { text: type === "date" ? day(Date.now()) : t("markTextSample") });
    } else if ((type === "image" || type === "initials") && !pad.ink(type)) {
      const waiting = layer.find(type)[0] || layer.add(type);
      layer.choose(waiting);
      open(type);
    } else layer.add(type);
  }
  const tools = el("div", { className: "mark-tools", role: "toolbar", "aria-label": t("markTools") }, TOOLS.map(([type, words, path]) =>
    el("button", {
      type: "button", className: "quiet", "data-put": type, onclick: (event) => {
        putOn(type);
        const mark = layer.chosen();
        if (event.detail === 0 && mark && !pad.node.contains(document.activeElement)) layer.node(mark)?.focus({ preventScroll: true });
      },
    }, path.startsWith("M") ? lines(path, 24, "icon") : icon(path), el("span", null, t(words)))));

  /** The seal's box is on the page if it is to be seen. */
  function sealed() {
    const there = layer.find("seal")[0];
    if (seal.isShown() && !there && item) {
      layer.add("seal");
      layer.choose(layer.find("seal")[0]);
    } else if (!seal.isShown() && there) layer.remove(there);
    else if (there) layer.draw();
  }
  fields.addEventListener("input", sealed);

  put(preview, el("h2", { id: "preview-title", className: "unseen" }, t("preview")), el("div", { className: "sign-bar" }, turner, tools, larger, which), stage, strip.node,
    el("p", { className: "hint", id: "stamp-help" }, howTo("signHelp")));
  fields.before(pad.node);
  desk.classList.add("signing");

  function turnTo(n) {
    if (!item) return;
    page = Math.max(1, Math.min(count, n));
    const [width, height] = size(page);
    stage.style.setProperty("--ratio", String(width / height));
    stage.style.aspectRatio = `${width} / ${height}`;
    strip.show(item, count, page);
    turner.hidden = count < 2;
    showPage(image, item, page, WIDTH);
    image.alt = shownPage.textContent = t("pageOf", { page, count });
    const ends = { "-1": page === 1, 1: page === count };
    for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (turner.querySelectorAll("button"))) {
      if (ends[one.dataset.turn] && document.activeElement === one) /** @type {HTMLElement} */ (stage.querySelector(".mark-on") || tools.firstElementChild).focus();
      one.disabled = ends[one.dataset.turn];
    }
    layer.show(page);
  }

  /** @param {import("./app_files.js").Item | null} next */
  async function show(next) {
    if (item) kept.set(item.id, { marks: layer.all(), page });
    preview.hidden = !next;
    if (!next) {
      item = null;
      return;
    }
    try {
      const doc = await documentOf(next);
      const before = kept.get(next.id);
      item = next;
      count = doc.count;
      layer.swap(before?.marks || []);
      turnTo(before?.page || count);
      // Where to sign is shown before there is anything to sign with.
      if (!before) {
        layer.add("image");
        if (!pad.ink("image")) layer.choose(null);
      }
      sealed();
    } catch {
      preview.hidden = true;
      item = null;
    }
  }

  let asked = null;
  function find() {
    const all = context.items();
    which.hidden = all.length < 2;
    put(which, ...all.map((one) => new Option(one.name, one.id, false, one === item)));
    const next = all.includes(item) ? item : all[0] || null;
    if (next === item && next === asked) return;
    asked = next;
    show(next);
  }
  which.addEventListener("change", () => show(context.items().find((one) => one.id === which.value)));

  /** What is put on a file's pages, and where its seal is shown. */
  function marksOf(one) {
    const list = one === item ? layer.all() : kept.get(one.id)?.marks || [];
    const shown = item;
    item = one; // Its pages have sizes of their own.
    const found = { placements: layer.placements(list), box: list.filter((mark) => mark.type === "seal").map((mark) => [String(mark.page), layer.box(mark)])[0] };
    item = shown;
    return found;
  }

  function refused() {
    if (pad.node.classList.contains("open") && isSheet()) pad.node.classList.remove("open");
    if (seal.is()) return false;
    const empty = context.items().find((one) => !marksOf(one).placements.length);
    if (!empty) return false;
    if (empty !== item) {
      show(empty).then(() => {
        which.value = empty.id;
        problem.textContent = t("signFile0", { name: empty.name });
      });
      return true;
    }
    if (!pad.ink("image")) {
      open("image");
      pad.tell(t("wrongUndrawn"));
    } else {
      problem.textContent = t("signNothing");
      /** @type {HTMLElement} */ (tools.firstElementChild).focus();
    }
    return true;
  }

  function keys(event) {
    const writes = /** @type {HTMLElement} */ (event.target).closest?.("input, textarea, select");
    if (event.key === "Escape" && pad.node.classList.contains("open") && isSheet()) close();
    else if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !writes && layer.undo()) {
      event.preventDefault();
      say(t("undone"));
    }
  }
  document.addEventListener("keydown", keys);
  // What was open when the finger came is closed when it is lifted: without the sheet the page may stand elsewhere, and a tap would miss it.
  let closes = false;
  stage.addEventListener("pointerdown", () => (closes = isSheet() && pad.node.classList.contains("open")), true);
  for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, () => closes && pad.node.classList.remove("open"));
  stage.addEventListener("click", () => (closes = false));
  files.addEventListener("list", find);
  files.addEventListener("change", find);
  await pad.restore();
  find();
  return {
    /** What a job gets besides the fields. @param {import("./app_files.js").Item} one */
    extra(one) {
      const { placements: list, box } = marksOf(one);
      const used = (type) => list.some((mark) => mark.type === type);
      return [
        ...(seal.is() ? [] : [["seal", "false"]]), ...(list.length ? [["placements", JSON.stringify(list)]] : []),
        ...(used("image") ? [["image", pad.ink("image").file]] : []), ...(used("initials") ? [["initials", pad.ink("initials").file]] : []),
        ...(seal.isShown() && box ? [["page", box[0]], ["box", box[1]]] : []),
      ];
    },
    refused,
    leave() {
      document.removeEventListener("keydown", keys);
      files.removeEventListener("list", find);
      files.removeEventListener("change", find);
    },
  };
}
