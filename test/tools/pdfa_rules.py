"""Checks the main rules of PDF/A-2b (ISO 19005-2) of documents, with pikepdf: pdfa_rules.py PDF... Prints "conforms", or what
does not hold, for each. It knows more of what documents may have than the tools of platen make: ocrmypdf's PDF/A-2 conforms."""
import re
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

    def font(one):
        inner = one.DescendantFonts[0] if one.get("/Subtype") == Name.Type0 else one
        about = inner.get("/FontDescriptor")
        if one.get("/Subtype") != Name.Type3 and (about is None or not any(key in about for key in ("/FontFile", "/FontFile2", "/FontFile3"))):
            no("6.2.11.4", f"font {one.get('/BaseFont')} is not embedded")
        if one.get("/Subtype") == Name.Type0:
            if inner.Subtype == Name.CIDFontType2 and "/CIDToGIDMap" not in inner:
                no("6.2.11.3.2", "no CIDToGIDMap")
            gids = inner.get("/CIDToGIDMap")
            if isinstance(gids, Stream):
                data = gids.read_bytes()
                return {i // 2 for i in range(0, len(data) - 1, 2) if data[i:i + 2] != b"\0\0"}
        return None

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
            if op in ("Tj", "TJ") and current is not None:
                for one in operands[0] if op == "TJ" else operands:
                    if isinstance(one, pikepdf.String):
                        codes = bytes(one)
                        if any(int.from_bytes(codes[i:i + 2], "big") not in current for i in range(0, len(codes), 2)):
                            no("6.2.11.8", ".notdef")

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
    form = root.get("/AcroForm")
    if form is not None and ("/XFA" in form or form.get("/NeedAppearances", False)):
        no("6.4", "form")
    return [" ".join(one) for one in faults]


for name in sys.argv[1:]:
    found = rules(name)
    print("; ".join(found) if found else "conforms")
