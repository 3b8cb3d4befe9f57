// A web page that a tool made, as what it says: its elements made anew, the known ones alone, without
// scripts, styles, addresses and links. What is in a document never becomes markup of this page.

const XHTML = "http://www.w3.org/1999/xhtml";
const MATHML = "http://www.w3.org/1998/Math/MathML";
const SHOWN = new Set(("H1 H2 H3 H4 H5 H6 P UL OL LI TABLE THEAD TBODY TR TH TD IMG B I U S STRONG EM SUB SUP CODE PRE BR HR SECTION SPAN").split(" "));
const LEFT_OUT = new Set("HEAD SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED NOSCRIPT FORM SELECT TEXTAREA".split(" "));
const KEPT = ["colspan", "rowspan", "alt", "width", "height", "start", "type", "lang", "dir"];
const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,/;
/** The classes of to-html's own style. */
const CLASSES = new Set(["c", "r", "l"]);

function copyOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
  if (node.nodeType !== Node.ELEMENT_NODE || LEFT_OUT.has(node.nodeName)) return [];
  const inner = () => [...node.childNodes].flatMap(copyOf);
  if (node.namespaceURI === MATHML) {
    const made = document.createElementNS(MATHML, node.localName);
    made.append(...inner());
    return [made];
  }
  if (node.namespaceURI !== XHTML) return [];
  if (!SHOWN.has(node.nodeName)) return inner();
  if (node.nodeName === "IMG" && !PICTURE.test(node.getAttribute("src") || "")) return [];
  const made = document.createElement(node.localName);
  for (const name of KEPT) if (node.hasAttribute(name)) made.setAttribute(name, node.getAttribute(name));
  if (node.nodeName === "IMG") made.setAttribute("src", node.getAttribute("src"));
  if (CLASSES.has(node.className)) made.className = node.className;
  made.append(...inner());
  return [made];
}

/**
 * Its style sheet is cut before it is read: the content security policy refuses it aloud.
 * @param {string} text of a web page @returns {Node[]}
 */
export const readable = (text) => copyOf(new DOMParser().parseFromString(text.replace(/<style>[^<]*<\/style>/gi, ""), "text/html").documentElement);
