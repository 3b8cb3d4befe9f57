"""print_profile.py OUT.pdf PROFILE [KIND]: a page whose colours are by a large ICC profile for CMYK:
three colours of content, one of them in a form, an image without a filter, and one with a palette.

KIND "spot": a spot colour is by the profile, too; "twins": by an equal one; "mixed": one of two inks, with an attribute that
has the profile; "turned": a spot colour, where content asks for another rendering intent; "shading": a shading is by it;
"ground": one with a background; "mesh": one with colours in its data; "deep": the image has 16 bits; "intent": an output intent says what the device
is; "claim": the metadata claims PDF/A; "inherited": a form sets colours in the space of its caller;
"cut": the profile ends early; "glyphs": glyphs of a font that the resources hold directly have colours by it; "parts": the
function of a shading has a thousand parts.
"""

import sys
import zlib

from pdf_builder import Objects, save

kind = sys.argv[3] if len(sys.argv) > 3 else ""
objects = Objects()
add = objects.add

with open(sys.argv[2], "rb") as file:
    bytes_of_profile = file.read()
if kind == "cut":
    bytes_of_profile = bytes_of_profile[:len(bytes_of_profile) // 3]
profile = add(b"/N 4/Filter/FlateDecode", zlib.compress(bytes_of_profile))
other = add(b"/N 4/Filter/FlateDecode", zlib.compress(bytes_of_profile)) if kind == "twins" else profile
space = add(b"[/ICCBased %d 0 R]" % profile)
shaded = {"shading": b"", "ground": b"/Background[0 0 0 0]"}.get(kind)
samples = bytes(v for y in range(48) for x in range(48) for v in (x * 5, y * 5, 255 - x * 5, (x + y) % 40))
if kind == "deep":
    samples = bytes(v for sample in samples for v in (sample, 99))
picture = add(b"/Type/XObject/Subtype/Image/Width 48/Height 48/BitsPerComponent %d/ColorSpace %d 0 R"
              % (16 if kind == "deep" else 8, space), samples)
palette = add(b"/Type/XObject/Subtype/Image/Width 16/Height 16/BitsPerComponent 8/ColorSpace"
              b"[/Indexed %d 0 R 2<ff000000 00ff0040 0000ff00>]" % space, bytes(i % 3 for i in range(256)))
ink = (b".6 .1 .9 .2 scn" if kind == "inherited" else b"/P cs .6 .1 .9 .2 scn") + b" 60 9 30 30 re f"
form = add(b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</ColorSpace<</P %d 0 R>>>>" % space, ink)
to_base = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 .5 0]/N 1>>"
spot = b""
if kind in ("spot", "twins", "turned"):
    spot = b"/S[/Separation/Spot[/ICCBased %d 0 R]%s]" % (other, to_base)
if kind == "mixed":
    code = add(b"/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]", b"{dup .5 mul exch dup .2 mul exch 0}")
    spot = (b"/S[/DeviceN[/Spot][/ICCBased %d 0 R]%d 0 R<</Process<</ColorSpace[/ICCBased %d 0 R]/Components[/A/B/C/D]>>>>]"
            % (profile, code, profile))
shading = b""
if shaded is not None:
    shading = (b"/Shading<</H<</ShadingType 2/ColorSpace[/ICCBased %d 0 R]/Coords[0 0 99 0]%s/Function<</FunctionType 3"
               b"/Domain[0 1]/Bounds[.5]/Encode[0 1 0 1]/Functions[%s<</FunctionType 2/Domain[0 1]/C0[1 0 .9 0]"
               b"/C1[0 0 0 .8]/N 2>>]>>>>>>" % (profile, shaded, to_base))
if kind == "mesh":
    mesh = add(b"/ShadingType 4/ColorSpace[/ICCBased %d 0 R]/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8"
               b"/Decode[0 99 0 99 0 1 0 1 0 1 0 1]" % profile,
               bytes((0, 0, 230, 255, 0, 0, 0, 0, 128, 255, 0, 255, 0, 0, 0, 255, 230, 0, 0, 255, 0)))
    shading = b"/Shading<</H %d 0 R>>" % mesh
if kind == "parts":
    shading = (b"/Shading<</H<</ShadingType 2/ColorSpace[/ICCBased %d 0 R]/Coords[0 0 99 0]/Function<</FunctionType 3"
               b"/Domain[0 1]/Bounds[%s]/Encode[%s]/Functions[%s]>>>>>>"
               % (profile, b" ".join(b"%.3f" % (i / 1000) for i in range(1, 1000)), b"0 1 " * 1000, to_base * 1000))
font = b""
if kind == "glyphs":
    glyph = add(b"", b"9 0 d0 /P cs .9 0 .9 .1 scn 0 0 9 9 re f")
    font = (b"/Font<</T<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]"
            b"/Encoding<</Differences[97/a]>>/CharProcs<</a %d 0 R>>/Resources<</ColorSpace<</P %d 0 R>>>>>>>>" % (glyph, space))
contents = add(b"", b"q /P cs 0 .8 .9 .1 scn 9 9 20 30 re f /P CS .9 .2 0 .3 SCN 4 w 34 9 20 30 re S /F Do Q "
                    b"q 40 0 0 40 9 50 cm /I Do Q q 40 0 0 40 54 50 cm /J Do Q"
                    + (b" /Saturation ri" if kind == "turned" else b"")
                    + (b" /S cs 1 scn 0 0 9 9 re f .4 scn 9 0 9 9 re f" if spot else b"")
                    + (b" q 0 90 99 9 re W n /H sh Q" if shading else b"")
                    + (b" BT /T 2 Tf 40 40 Td (a) Tj ET" if font else b""))
metadata = (b"/Metadata %d 0 R" % add(b"/Type/Metadata/Subtype/XML", b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>"
                                      b"<pdfaid:part>2</pdfaid:part></x:xmpmeta>") if kind == "claim" else b"")
intent = (b"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(x)"
          b"/DestOutputProfile %d 0 R>>]" % profile) if kind == "intent" else b""
pages = len(objects) + 2
add(b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 99 99]/Contents %d 0 R/Resources<</ColorSpace<</P %d 0 R%s>>%s%s"
    b"/XObject<</I %d 0 R/J %d 0 R/F %d 0 R>>>>>>" % (pages, contents, space, spot, shading, font, picture, palette, form))
add(b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % (pages - 1))
root = add(b"<</Type/Catalog/Pages %d 0 R%s%s>>" % (pages, intent, metadata))

save(sys.argv[1], objects, root, version=b"1.6")
