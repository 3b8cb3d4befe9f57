"""Checks the main rules of PDF/A-2b and PDF/A-2u (ISO 19005-2) of documents, with pikepdf: pdfa_rules.py PDF... Prints "conforms", or what
does not hold, for each. It knows more of what documents may have than the tools of platen make: ocrmypdf's PDF/A-2 conforms."""
import re
import struct
import sys
from xml.etree import ElementTree

import pikepdf
from pikepdf import Dictionary, Name, Stream

OPERATORS = set("q Q cm w J j M d ri i gs m l c v y h re S s f F f* B B* b b* n W W* CS cs SC SCN sc scn G g RG rg K k sh Do BT ET Tc Tw Tz TL Tf Tr "
                "Ts Td TD Tm T* Tj TJ ' \" d0 d1 MP DP BMC BDC EMC BX EX INLINE IMAGE".split()) | {"INLINE IMAGE"}
FILTERS = {"/FlateDecode", "/DCTDecode", "/CCITTFaxDecode", "/JBIG2Decode", "/ASCII85Decode", "/ASCIIHexDecode", "/RunLengthDecode", "/JPXDecode"}
INTENTS = {"/RelativeColorimetric", "/AbsoluteColorimetric", "/Perceptual", "/Saturation"}
MODES = {"/" + one for one in "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue "
         "Saturation Color Luminosity".split()}


def texts(one, depth=0):
    if isinstance(one, pikepdf.String):
        yield bytes(one)
    elif isinstance(one, pikepdf.Array) and depth < 50:
        for item in one:
            if not getattr(item, "is_indirect", False):
                yield from texts(item, depth + 1)
    elif isinstance(one, (Dictionary, Stream)) and depth < 50:
        for _, item in one.items():
            if not getattr(item, "is_indirect", False):
                yield from texts(item, depth + 1)


def rules(path):
    faults = []

    def no(clause, words):
        if (clause, words) not in faults:
            faults.append((clause, words))

    raw = open(path, "rb").read()
    if not re.match(rb"%PDF-1\.[0-7]\r?\n?%[\x80-\xff]{4}", raw):
        no("6.1.2", "header")
    pdf = pikepdf.open(path)
    root, trailer = pdf.Root, pdf.trailer
    if "/ID" not in trailer or "/Encrypt" in trailer:
        no("6.1.3", "trailer")
    for key in ("/AA", "/Requirements", "/Perms", "/AF"):
        if key in root:
            no("6.5", f"catalog has {key}")
    if "/Names" in root and any(key in root.Names for key in ("/EmbeddedFiles", "/JavaScript", "/AlternatePresentations")):
        no("6.8", "names")
    intents = [one for one in root.get("/OutputIntents", []) if one.get("/S") == Name.GTS_PDFA1]
    spaces = set()
    for one in intents:
        profile = one.DestOutputProfile.read_bytes()
        if len(profile) != int.from_bytes(profile[:4], "big") or profile[36:40] != b"acsp" or profile[12:16] not in (b"mntr", b"prtr") or profile[8] > 4:
            no("6.2.3", "profile")
        if {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}.get(profile[16:20]) != one.DestOutputProfile.N:
            no("6.2.3", "colours of the profile")
        spaces.add(profile[16:20])
    metadata = root.get("/Metadata")
    if metadata is None or metadata.get("/Type") != Name.Metadata or metadata.get("/Subtype") != Name.XML:
        no("6.6.2", "metadata")
    packet = b"<?xpacket?><x:xmpmeta xmlns:x='adobe:ns:meta/'/><?xpacket?>" if metadata is None else metadata.read_bytes()
    tree = ElementTree.fromstring(packet[packet.find(b"<x:xmpmeta"):packet.rfind(b"<?xpacket")])
    said = {node.tag: (node.text or "") for node in tree.iter()}
    for node in tree.iter():
        said.update(node.attrib)
    if said.get("{http://www.aiim.org/pdfa/ns/id/}part") not in ("2", "3") or said.get("{http://www.aiim.org/pdfa/ns/id/}conformance") not in ("B", "U"):
        no("6.6.4", "claim")
    level = said.get("{http://www.aiim.org/pdfa/ns/id/}conformance")
    if b"encoding=" in packet[:packet.find(b"?>")] or b"bytes=" in packet[:packet.find(b"?>")]:
        no("6.6.2", "packet header")
    known = {"http://www.aiim.org/pdfa/ns/id/", "http://purl.org/dc/elements/1.1/", "http://ns.adobe.com/xap/1.0/", "http://ns.adobe.com/pdf/1.3/",
             "http://ns.adobe.com/xap/1.0/mm/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "adobe:ns:meta/", "http://www.w3.org/XML/1998/namespace"}
    for name in said:
        if name.startswith("{") and name[1:].split("}")[0] not in known:
            no("6.6.2.3", name)

    def colour(space, depth=0):
        if isinstance(space, Name):
            name = str(space)
            if name == "/DeviceCMYK" and b"CMYK" not in spaces or name == "/DeviceRGB" and b"RGB " not in spaces or name == "/DeviceGray" and not spaces:
                no("6.2.4.3", name)
            elif name not in ("/DeviceCMYK", "/DeviceRGB", "/DeviceGray", "/Pattern"):
                no("6.2.4", name)
            return
        kind = str(space[0])
        if kind == "/ICCBased":
            data = space[1].read_bytes()
            if {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4, b"Lab ": 3}.get(data[16:20]) != space[1].N:
                no("6.2.4.2", "profile of an image")
        elif kind == "/Indexed":
            colour(space[1], depth + 1)
        elif kind == "/Pattern":
            if len(space) > 1:
                colour(space[1], depth + 1)
        elif kind not in ("/CalGray", "/CalRGB", "/Lab", "/DeviceGray", "/DeviceRGB"):
            no("6.2.4", kind)

    seen = set()

    def stream(one):
        for key in ("/F", "/FFilter", "/FDecodeParms"):
            if key in one:
                no("6.1.7", f"stream with {key}")
        filters = one.get("/Filter", [])
        for name in [filters] if isinstance(filters, Name) else filters:
            if str(name) not in FILTERS:
                no("6.1.7.2", str(name))

    def program(data):
        """The width of each glyph of a TrueType font, in thousandths, and the number of glyphs."""
        tables = {}
        for i in range(struct.unpack(">H", data[4:6])[0]):
            tag, _, at, n = struct.unpack(">4sIII", data[12 + 16 * i:28 + 16 * i])
            tables[tag] = data[at:at + n]
        units, glyphs = struct.unpack(">H", tables[b"head"][18:20])[0], struct.unpack(">H", tables[b"maxp"][4:6])[0]
        wide = struct.unpack(">H", tables[b"hhea"][34:36])[0]
        return [struct.unpack(">H", tables[b"hmtx"][4 * min(i, wide - 1):4 * min(i, wide - 1) + 2])[0] * 1000 / units for i in range(glyphs)]

    def widths_of(inner):
        said, items, i = {}, list(inner.get("/W", [])), 0
        while i < len(items):
            if isinstance(items[i + 1], pikepdf.Array):
                said.update({int(items[i]) + k: float(w) for k, w in enumerate(items[i + 1])})
                i += 2
            else:
                said.update({code: float(items[i + 2]) for code in range(int(items[i]), int(items[i + 1]) + 1)})
                i += 3
        return said, float(inner.get("/DW", 1000))

    def characters(one):
        """The codes that ToUnicode maps to characters."""
        found, text = {}, one.ToUnicode.read_bytes().decode("latin-1") if "/ToUnicode" in one else ""
        for kind, block in re.findall(r"beginbf(char|range)(.*?)endbf", text, re.S):
            parts = re.findall(r"<([0-9a-fA-F]*)>", block)
            step = 2 if kind == "char" else 3
            for i in range(0, len(parts), step):
                for code in range(int(parts[i], 16), int(parts[i + step - 2], 16) + 1):
                    found[code] = parts[i + step - 1].upper()
        return {code for code, text in found.items() if text and not any(text[i:i + 4] in ("0000", "FEFF", "FFFE") for i in range(0, len(text), 4))}

    known_fonts = {}

    def font(one):
        """How many bytes a code has, and what is wrong with one; None: not checked."""
        if one.objgen in known_fonts and one.objgen != (0, 0):
            return known_fonts[one.objgen]
        inner = one.DescendantFonts[0] if one.get("/Subtype") == Name.Type0 else one
        about = inner.get("/FontDescriptor")
        drawn, said, usual, size = {}, {}, 0, 1
        if one.get("/Subtype") == Name.Type3:
            scale, code = 1000 * float(one.FontMatrix[0]), 0
            said = {int(one.FirstChar) + i: float(w) * scale for i, w in enumerate(one.Widths)}
            for item in one.Encoding.Differences:
                if not isinstance(item, Name):
                    code = int(item)
                    continue
                glyph = one.CharProcs.get(str(item))
                if glyph is not None and str(item) != "/.notdef":
                    drawn[code] = float(re.match(rb"\s*([-0-9.]+)", glyph.read_bytes()).group(1)) * scale
                code += 1
        elif about is None or not any(key in about for key in ("/FontFile", "/FontFile2", "/FontFile3")):
            no("6.2.11.4", f"font {one.get('/BaseFont')} is not embedded")
            return None
        elif one.get("/Subtype") != Name.Type0 or inner.Subtype != Name.CIDFontType2:
            return None
        else:
            if "/CIDToGIDMap" not in inner:
                no("6.2.11.3.2", "no CIDToGIDMap")
            gids, glyphs = inner.get("/CIDToGIDMap"), program(about.FontFile2.read_bytes())
            data = gids.read_bytes() if isinstance(gids, Stream) else b""
            pairs = [(i, int.from_bytes(data[2 * i:2 * i + 2], "big")) for i in range(len(data) // 2)] if data else [(i, i) for i in range(len(glyphs))]
            drawn = {code: glyphs[gid] for code, gid in pairs if 0 < gid < len(glyphs)}
            (said, usual), size = widths_of(inner), 2
        mapped = characters(one)

        def fault(code):
            if code not in drawn:
                return "6.2.11.8", ".notdef"
            if abs(said.get(code, usual) - drawn[code]) > 1:
                return "6.2.11.5", "width"
            if level == "U" and code not in mapped:
                return "6.2.11.7.2", "not a character"
            return None

        known_fonts[one.objgen] = (size, fault)
        return size, fault

    def content(holder, resources, depth):
        if depth > 20:
            return
        name = ""
        for _, one in (resources.get("/ColorSpace", Dictionary())).items():
            colour(one)
        for _, one in resources.get("/ExtGState", Dictionary()).items():
            if "/TR" in one or "/HTP" in one or one.get("/TR2", Name.Default) != Name.Default:
                no("6.2.5", "graphics state")
            if str(one.get("/BM", Name.Normal)) not in MODES:
                no("6.2.10", "blend mode")
            if isinstance(one.get("/SMask"), Dictionary):
                xobject(one.SMask.G, depth + 1)
        for _, one in resources.get("/XObject", Dictionary()).items():
            xobject(one, depth + 1)
        for _, one in resources.get("/Pattern", Dictionary()).items():
            pattern(one, depth + 1)
        for _, one in resources.get("/Font", Dictionary()).items():
            for _, glyph in one.get("/CharProcs", Dictionary()).items():
                if glyph.objgen not in seen:
                    seen.add(glyph.objgen)
                    stream(glyph)
                    content(glyph, one.get("/Resources", Dictionary()), depth + 1)
        deep, current = 0, None
        for operands, operator in pikepdf.parse_content_stream(holder):
            op = str(operator)
            if op not in OPERATORS:
                no("6.2.2", f"operator {op}")
            deep += (op == "q") - (op == "Q")
            if deep > 28:
                no("6.1.13", "q")
            if op in ("K", "k") and b"CMYK" not in spaces:
                no("6.2.4.3", "CMYK")
            if op in ("RG", "rg") and b"RGB " not in spaces:
                no("6.2.4.3", "RGB")
            if op in ("Do", "gs", "Tf"):
                category = {"Do": "/XObject", "gs": "/ExtGState", "Tf": "/Font"}[op]
                if str(operands[0]) not in resources.get(category, Dictionary()):
                    no("6.2.2", f"{operands[0]} is not in the resources")
            if op == "Tf":
                name = str(operands[0])
            if op in ("Tj", "TJ", "'", '"'):
                current = font(resources.Font[name]) if name in resources.get("/Font", Dictionary()) else None
            if op in ("Tj", "TJ", "'", '"') and current is not None:
                size, fault = current
                for one in operands[0] if op == "TJ" else operands:
                    codes = bytes(one) if isinstance(one, pikepdf.String) else b""
                    for i in range(0, len(codes), size):
                        wrong = fault(int.from_bytes(codes[i:i + size], "big"))
                        if wrong:
                            no(*wrong)

    def pattern(one, depth):
        if one.objgen in seen:
            return
        seen.add(one.objgen)
        if one.PatternType == 1:
            stream(one)
            content(one, one.get("/Resources", Dictionary()), depth)
        else:
            colour(one.Shading.ColorSpace)

    def xobject(one, depth):
        if one.objgen in seen:
            return
        seen.add(one.objgen)
        stream(one)
        for key in ("/OPI", "/Ref", "/PS", "/Alternates"):
            if key in one:
                no("6.2.8", key)
        if one.Subtype == Name.Image:
            if one.get("/Interpolate", False):
                no("6.2.8", "Interpolate")
            if "/Intent" in one and str(one.Intent) not in INTENTS:
                no("6.2.6", "intent")
            if not one.get("/ImageMask", False) and "/ColorSpace" in one:
                colour(one.ColorSpace)
            for key in ("/SMask", "/Mask"):
                if isinstance(one.get(key), Stream):
                    xobject(one[key], depth)
        else:
            content(one, one.get("/Resources", Dictionary()), depth)

    for page in pdf.pages:
        width, height = (abs(float(page.MediaBox[i + 2]) - float(page.MediaBox[i])) for i in (0, 1))
        if not (3 <= width <= 14400 and 3 <= height <= 14400):
            no("6.1.13", "size of a page")
        if "/AA" in page or "/PresSteps" in page:
            no("6.5.2", "page")
        if "/Resources" not in page.obj:
            no("6.2.2", "inherited resources")
        for one in page.get("/Annots", []):
            if one.Subtype != Name.Popup and (int(one.get("/F", 0)) & 0b100111) != 0b100:
                no("6.3.2", "flags of an annotation")
            if str(one.Subtype) not in ("/Link", "/Popup") and "/AP" not in one:
                no("6.3.3", "appearance of an annotation")
            if "/A" in one and str(one.A.S) not in ("/URI", "/GoTo", "/GoToR", "/Named", "/Thread"):
                no("6.5.1", str(one.A.S))
        if "/Contents" in page:
            content(page, page.get("/Resources", Dictionary()), 0)
    for one in pdf.objects:
        for text in texts(one):
            if len(text) > 32767:
                no("6.1.13", "a text that is too long")
    form = root.get("/AcroForm")
    if form is not None and ("/XFA" in form or form.get("/NeedAppearances", False)):
        no("6.4", "form")
    return [" ".join(one) for one in faults]


for name in sys.argv[1:]:
    found = rules(name)
    print("; ".join(found) if found else "conforms")
