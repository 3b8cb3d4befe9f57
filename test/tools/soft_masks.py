"""soft_masks.py FOLDER: soft masks with transfer functions (ISO 32000-1, 11.6.5.3): transfer.pdf, transfer_plain.pdf,
in which masks without functions give the same, and transfer_bad.pdf, whose function cannot be read.
"""
import sys

from pdf_builder import Objects, save, stream

LEVELS = (0, 0.25, 0.5, 0.75, 1)
LINEAR = "<</FunctionType 2/Domain[0 1]/N 1/C0[%g]/C1[%g]>>"
FUNCTIONS = [
    (stream("{1 exch sub}", "/FunctionType 4/Domain[0 1]/Range[0 1]"), lambda x: 1 - x),
    ("<</FunctionType 2/Domain[0 1]/N 2>>", lambda x: x * x),
    (stream(b"\xff\0\xff", "/FunctionType 0/Domain[0 1]/Range[0 1]/Size[3]/BitsPerSample 8"), lambda x: abs(1 - 2 * x)),
    ("<</FunctionType 3/Domain[0 1]/Bounds[0.5]/Encode[0 1 0 1]/Functions[%s%s]>>" % (LINEAR % (0, 1), LINEAR % (1, 0.5)),
     lambda x: 2 * x if x < 0.5 else 1.5 - x),
    ("<</FunctionType 2/Domain[0 1]/N 1/C0[-3]/C1[5]>>", lambda x: min(max(8 * x - 3, 0), 1)),
    ("/Identity", lambda x: x),
]


def group(objects, levels, box, kind="Luminosity", more=""):
    """Squares of the levels in a row, as gray or as opacity."""
    squares = "".join("%s %d 5 10 30 re f " % ("%g g" % level if kind == "Luminosity" else "/A%d gs" % i, 5 + 10 * i)
                      for i, level in enumerate(levels))
    states = "".join("/A%d<</ca %g>>" % (i, level) for i, level in enumerate(levels))
    return objects.add("/Type/XObject/Subtype/Form/BBox[%s]/Group<</S/Transparency/CS/DeviceGray>>"
                       "/Resources<</ExtGState<<%s>>>>%s" % (box, states, more), squares)


def add_mask(objects, states, plain, kind, function, expected):
    """A mask over a square of 60 points, whose background is 0."""
    box = "5 5 55 35"
    name = "/G%d" % len(states)
    if plain:
        levels = [expected(level) for level in LEVELS]
        mask = "/S/Luminosity/G %d 0 R/BC[%g]" % (group(objects, levels, box), expected(0))
    else:
        mask = "/S/%s/G %d 0 R/TR %s" % (kind, group(objects, LEVELS, box, kind), function)
    states.append("%s<</SMask<</Type/Mask%s>>>>" % (name, mask))
    return name


def make(path, plain=False, bad=False):
    objects, states, content = Objects(), [], []
    same = group(objects, LEVELS, "5 5 55 35")
    states.append("/N<</SMask<</S/Luminosity/G %d 0 R>>>>" % same)
    for row, (function, expected) in enumerate(FUNCTIONS[:1] if bad else FUNCTIONS):
        if bad:
            function = "<</FunctionType 9/Domain[0 1]>>"
        if function[:1] != "/":
            function = "%d 0 R" % objects.add(function)
        for column, kind in enumerate(("Luminosity", "Alpha")):
            name = add_mask(objects, states, plain, kind, function, expected)
            content.append("q 1 0 0 1 %d %d cm %s gs 0 0 1 rg 0 0 60 40 re f Q" % (70 * column, 50 * row, name))
    # One group with and without a function, and a function while another mask is set.
    inverted = add_mask(objects, states, True, "", "", lambda x: 1 - x) if plain else "/I"
    if not plain:
        function = objects.add(FUNCTIONS[0][0])
        states.append("/I<</SMask<</S/Luminosity/G %d 0 R/TR %d 0 R>>>>" % (same, function))
    content.append("q 1 0 0 1 140 0 cm /N gs 1 0 0 rg 0 0 60 40 re f q %s gs 0 50 60 40 re f 1 0 0 1 0 50 cm %s gs "
                   "0 0 60 40 re f Q 1 0 0 1 0 100 cm /N gs 0 0 60 40 re f Q" % (inverted, inverted))
    state = " ".join(states)
    at = len(objects)
    objects.add("<</Type/Catalog/Pages %d 0 R>>" % (at + 2))
    objects.add("<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (at + 3))
    objects.add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 200 300]/Contents %d 0 R/Resources<</ExtGState<<%s>>>>>>" % (
        at + 2, at + 4, state))
    objects.add("", "\n".join(content))
    save(path, objects, at + 1)


make(sys.argv[1] + "/transfer.pdf")
make(sys.argv[1] + "/transfer_plain.pdf", plain=True)
make(sys.argv[1] + "/transfer_bad.pdf", bad=True)
