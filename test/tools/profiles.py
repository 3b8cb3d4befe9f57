"""profiles.py FILE [KIND]: a PDF whose colours are by an ICC profile: sRGB, and gray of its curve.

KIND "wide": by another profile; "bright": by another curve; "tables": by tables besides; "cut": the
profile ends early; "default": device colours mean something else; "intent": an output intent says
what they are.
"""

import struct
import sys

from pdf_builder import Objects, save

kind = sys.argv[2] if len(sys.argv) > 2 else ""
objects = Objects()
add = objects.add


def fixed(*values):
    return b"".join(struct.pack(">i", round(v * 65536)) for v in values)


def profile(space, tags):
    at, table, data = 132 + 12 * len(tags), b"", b""
    for name, value in tags:
        table += name + struct.pack(">LL", at + len(data), len(value))
        data += value
    head = struct.pack(">L4xL", at + len(data), 0x04200000) + b"mntr" + space + b"XYZ "
    head = head.ljust(36, b"\0") + b"acsp"
    return head.ljust(128, b"\0") + struct.pack(">L", len(tags)) + table + data


gamma = fixed(1.8) if kind == "bright" else fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
curve = b"para\0\0\0\0\0%c\0\0" % (0 if kind == "bright" else 3) + gamma
red = (0.6097, 0.3111, 0.0195) if kind == "wide" else (0.4360, 0.2225, 0.0139)
rgb = [(name, b"XYZ \0\0\0\0" + fixed(*xyz)) for name, xyz in (
    (b"rXYZ", red), (b"gXYZ", (0.3851, 0.7169, 0.0971)), (b"bXYZ", (0.1431, 0.0606, 0.7141)))]
rgb += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]
if kind == "tables":
    rgb.append((b"A2B0", b"mft2".ljust(60, b"\0")))
colours = profile(b"RGB ", rgb)
levels = profile(b"GRAY", [(b"kTRC", curve)])
if kind == "cut":
    colours, levels = colours[:200], levels[:140]
rgb = add(b"/N 3", colours)
gray = add(b"/N 1", levels)
whole = add(b"[/ICCBased %d 0 R]" % rgb)
picture = add(b"/Type/XObject/Subtype/Image/Width 16/Height 16/BitsPerComponent 8/ColorSpace"
              b"[/Indexed[/ICCBased %d 0 R]1<ff0000 00ff80>]" % rgb, bytes(range(2)) * 128)
more = b"/DefaultRGB[/CalRGB<</WhitePoint[0.95 1 1.09]>>]" if kind == "default" else b""
contents = add(b"", b"/A cs 1 .5 0 sc 9 9 30 30 re f /G cs .5 sc 50 9 30 30 re f "
                    b"q 40 0 0 40 9 50 cm /I Do Q")
pages = len(objects) + 2
add(b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 99 99]/Contents %d 0 R/Resources<</ColorSpace"
    b"<</A %d 0 R/G[/ICCBased %d 0 R]%s>>/XObject<</I %d 0 R>>>>>>"
    % (pages, contents, whole, gray, more, picture))
add(b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % (pages - 1))
intent = (b"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)"
          b"/DestOutputProfile %d 0 R>>]" % rgb) if kind == "intent" else b""
root = add(b"<</Type/Catalog/Pages %d 0 R%s>>" % (pages, intent))

save(sys.argv[1], objects, root, version=b"1.5")
