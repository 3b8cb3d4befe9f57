"""What a PDF holds besides the look of its pages, as pikepdf reads it: each kind of thing as a sorted list of texts, so that two
documents can be compared. `second` is what another program counts of some kinds.

A hostile file may end the reader, so it is read in a process of its own."""

import hashlib
import json
import os
import resource
import signal
import urllib.parse

import pikepdf

from commands import run

SECONDS = 20
MOST = 5000  # of each kind


def _text(value):
    """A name with its bytes and not with their numbers (ISO 32000-1, 7.3.5)."""
    try:
        text = str(value)
        if isinstance(value, pikepdf.Object) and value._type_code == pikepdf.ObjectType.name_:
            text = urllib.parse.unquote(text.replace("%", "%25").replace("#", "%"), errors="replace")
        return text
    except (UnicodeError, RuntimeError, ValueError):
        return repr(value)


def _walk(node, kids, seen, found, visit, depth=0, path=""):
    """A tree of dictionaries, each of which is visited once."""
    if not isinstance(node, pikepdf.Dictionary) or depth > 60 or len(found) >= MOST:
        return
    if node.is_indirect:
        if node.objgen in seen:
            return
        seen.add(node.objgen)
    path = visit(node, path)
    children = node.get(kids)
    if isinstance(children, pikepdf.Array):
        for child in children:
            _walk(child, kids, seen, found, visit, depth + 1, path)
    elif isinstance(children, pikepdf.Dictionary):
        _walk(children, kids, seen, found, visit, depth + 1, path)


def _outline(pdf):
    found, seen = [], set()

    def level(node, depth):
        while isinstance(node, pikepdf.Dictionary) and node.objgen not in seen and len(found) < MOST:
            seen.add(node.objgen)
            found.append(f"{depth} {_text(node.get('/Title', ''))}")
            if depth < 60:
                level(node.get("/First"), depth + 1)
            node = node.get("/Next")

    root = pdf.Root.get("/Outlines")
    if isinstance(root, pikepdf.Dictionary):
        level(root.get("/First"), 1)
    return found


def _fields(pdf):
    found = []

    def visit(node, path):
        name = path
        if "/T" in node:
            name = (path + "." if path else "") + _text(node.T)
        kids = node.get("/Kids")
        parents = isinstance(kids, pikepdf.Array) and any(isinstance(kid, pikepdf.Dictionary) and "/T" in kid for kid in kids)
        if "/T" in node and not parents:
            value = node.get("/V")
            shown = "signed" if isinstance(value, pikepdf.Dictionary) else _text(value)[:200] if value is not None else ""
            found.append(f"{name} = {shown}")
        return name

    form = pdf.Root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary):
        seen = set()
        for field in form.get("/Fields", []):
            _walk(field, "/Kids", seen, found, visit)
    return found


def _names(pdf, kind):
    """The entries of a name tree of the catalog."""
    found, names = [], pdf.Root.get("/Names")

    def visit(node, path):
        pairs = node.get("/Names")
        if isinstance(pairs, pikepdf.Array):
            found.extend((_text(pairs[i]), pairs[i + 1]) for i in range(0, len(pairs) - 1, 2))
        return path

    if isinstance(names, pikepdf.Dictionary):
        _walk(names.get(kind), "/Kids", set(), found, visit)
    return found


def _digest(spec):
    try:
        embedded = spec.EF.get("/F") or spec.EF.get("/UF")
        return hashlib.sha256(embedded.read_bytes()).hexdigest()[:12]
    except (AttributeError, KeyError, TypeError, ValueError, pikepdf.PdfError):
        return "unread"


def _attachments(pdf):
    return [f"{name} {_digest(spec)}" for name, spec in _names(pdf, "/EmbeddedFiles") if isinstance(spec, pikepdf.Dictionary)]


def _layers(pdf):
    properties = pdf.Root.get("/OCProperties")
    if not isinstance(properties, pikepdf.Dictionary):
        return []
    hidden = {group.objgen for group in properties.get("/D", {}).get("/OFF", []) if isinstance(group, pikepdf.Dictionary)}
    return [f"{_text(group.get('/Name', ''))}{' hidden' * (group.objgen in hidden)}" for group in properties.get("/OCGs", [])
            if isinstance(group, pikepdf.Dictionary)]


def _annotations(pdf):
    """Kinds of annotations, and where links go."""
    kinds, links = [], []
    for page in pdf.pages:
        for annot in page.get("/Annots", []):
            if not isinstance(annot, pikepdf.Dictionary) or len(kinds) >= MOST:
                continue
            kind = _text(annot.get("/Subtype", "none"))
            kinds.append(kind)
            action = annot.get("/A")
            if kind == "/Link":
                if isinstance(action, pikepdf.Dictionary) and "/URI" in action:
                    links.append(_text(action.URI))
                elif "/Dest" in annot or action is not None:
                    links.append("within")
                else:
                    links.append("nowhere")
    return kinds, links


def _tags(pdf):
    found = []

    def visit(node, path):
        if "/S" in node:
            found.append(_text(node.S))
        return path

    _walk(pdf.Root.get("/StructTreeRoot"), "/K", set(), found, visit)
    return found


def _replaced(pdf):
    """Elements whose text is not what the page shows (ISO 32000-1, 14.9.4 and 14.9.5), which poppler and MuPDF do not read."""
    found = []

    def visit(node, path):
        found.extend(key for key in ("/ActualText", "/E") if key in node)
        return path

    _walk(pdf.Root.get("/StructTreeRoot"), "/K", set(), found, visit)
    return found


def _metadata(pdf):
    found = [f"{key} {_text(value)[:300]}" for key, value in pdf.docinfo.items()
             if key in ("/Title", "/Author", "/Subject", "/Keywords") and value is not None]
    if "/Lang" in pdf.Root:
        found.append(f"language {_text(pdf.Root.Lang)}")
    return found


def _viewer(pdf):
    return [f"{key} {_text(pdf.Root[key]) if key != '/OpenAction' else ''}" for key in ("/PageMode", "/PageLayout", "/OpenAction")
            if key in pdf.Root]


def _labels(pdf):
    return [_text(page.label) for page in pdf.pages] if "/PageLabels" in pdf.Root else []


def _sizes(pdf):
    found = []
    for page in pdf.pages:
        box = [float(x) for x in page.cropbox]
        found.append(f"{abs(box[2] - box[0]):.0f} x {abs(box[3] - box[1]):.0f}")
    return found


def _safely(read, pdf):
    try:
        return read(pdf)
    except (pikepdf.PdfError, AttributeError, KeyError, TypeError, ValueError, RuntimeError, OverflowError, IndexError):
        return None  # this kind is not compared


def _read(path, password):
    with pikepdf.open(path, password=password) as pdf:
        kinds, links = _safely(_annotations, pdf) or (None, None)
        fields = _safely(_fields, pdf)
        facts = {
            "pages": ["page"] * len(pdf.pages), "page sizes": _safely(_sizes, pdf), "outline": _safely(_outline, pdf),
            "attachments": _safely(_attachments, pdf), "layers": _safely(_layers, pdf), "fields": fields,
            "signatures": fields and [field for field in fields if field.endswith("= signed")],
            "annotations": kinds, "links": links, "page labels": _safely(_labels, pdf), "metadata": _safely(_metadata, pdf),
            "tags": _safely(_tags, pdf), "replaced text": _safely(_replaced, pdf), "viewer": _safely(_viewer, pdf),
            "destinations": _safely(lambda pdf: [name for name, _ in _names(pdf, "/Dests")], pdf),
            "scripts": _safely(lambda pdf: [name for name, _ in _names(pdf, "/JavaScript")], pdf),
        }
        facts = {kind: found if found is None else sorted(found) for kind, found in facts.items()}
        return {**facts, "encrypted": pdf.is_encrypted}


def facts(path, password=""):
    """A dictionary of sorted lists, None where a kind cannot be read; or None if pikepdf cannot read the document."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            signal.alarm(4 * SECONDS)
            with os.fdopen(write, "w") as out:
                json.dump(_read(path, password), out)
        except BaseException:  # a child process must not go on as its parent
            os._exit(1)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    _, status = os.waitpid(pid, 0)
    return json.loads(text) if status == 0 else None


def second(kind, path, password=""):
    """How many things of a kind another program finds; None if it does not tell."""
    if kind == "pages":
        said = run(["pdfinfo", "-upw", password, path]).out.decode(errors="replace")
        found = [line.split()[1] for line in said.splitlines() if line.startswith("Pages:")]
        return int(found[0]) if found else None
    if kind == "attachments":
        said = run(["pdfdetach", "-list", "-upw", password, path]).out.decode(errors="replace")
        return int(said.split()[0]) if said[:1].isdigit() else None
    if kind == "outline" and not password:
        said = run(["mutool", "show", path, "outline"])
        return said.out.count(b"\n") if said.status == 0 else None
    if kind == "signatures" and not password:
        return run(["pdfsig", "-nocert", path]).out.count(b"Signature #")
    return None
