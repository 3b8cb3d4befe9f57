#!/usr/bin/env python3
"""matrix: pages of which something is missing, slow or wrong, each with what html-to-pdf must say of it.

matrix.py PLATEN [WORDS]

An answer is the code of the error, or "" for a PDF, and words that the error, the warning or the PDF has. WORDS, divided by
commas, run the cases whose names have one of them.
"""
import sys

import tool

PAGE = "<!doctype html><meta charset=utf-8><title>t</title><body>the page "
MISS = "resource_missing"
LOOP = "<script>{}</script>"
JS = {"javascript": "true"}
REPORT = {"onMissing": "report"}


def zip_bomb():
    """A ZIP in which a picture of 600 MB is."""
    return {"index.html": PAGE + "<img src=a.bmp>", "a.bmp": b"BM" + bytes(600_000_000)}


def cases():
    """(name, files, parameters, code, words) of each case."""
    yield "a sound page", {"index.html": PAGE}, {}, "", "the page"
    for what, markup, name in (
        ("picture", "<img src=a.png>", "a.png"), ("picture of a style", "<style>body{background:url(b.png)}</style>", "b.png"),
        ("style sheet", "<link rel=stylesheet href=a.css>", "a.css"), ("import of a style", "<style>@import 'i.css';</style>", "i.css"),
        ("font", "<style>@font-face{font-family:x;src:url(f.woff2)}body{font-family:x}</style>", "f.woff2"),
        ("frame", "<iframe src=f.html></iframe>", "f.html"), ("object", "<object data=o.svg></object>", "o.svg"),
        ("picture of a list", "<ul style='list-style-image:url(l.png)'><li>a</ul>", "l.png"),
        ("picture of an SVG", "<svg><image href='s.png'/></svg>", "s.png"), ("poster", "<video poster=p.png></video>", "p.png"),
        ("picture of a set", "<img srcset='x2.png 1x'>", "x2.png"), ("mask", "<div style='mask-image:url(m.png);-webkit-mask-image:url(m.png)'>m</div>", "m.png"),
        ("picture far down", "<div style='height:90000px'></div><img loading=lazy src=z.png>", "z.png"),
    ):
        yield f"a missing {what}", {"index.html": PAGE + markup}, {}, MISS, name
    yield "a missing script, with scripts", {"index.html": PAGE + "<script src=a.js></script>"}, JS, MISS, "a.js"
    yield "a missing script, without scripts", {"index.html": PAGE + "<script src=a.js></script>"}, {}, "", "the page"
    yield "a missing module", {"index.html": PAGE + "<script type=module>import './m.js'</script>"}, JS, MISS, "m.js"
    yield "a missing picture, reported", {"index.html": PAGE + "<img src=a.png>"}, REPORT, "", "a.png"
    yield "a missing style in a frame", {"index.html": PAGE + "<iframe src=f.html></iframe>", "f.html": "<link rel=stylesheet href=g.css>"}, {}, MISS, "g.css"
    yield "a missing style of a style", {"index.html": PAGE + "<link rel=stylesheet href=a.css>", "a.css": "@import 'b.css';"}, {}, MISS, "b.css"
    yield "a picture that is none", {"index.html": PAGE + "<img src=a.png>", "a.png": "no picture"}, {}, MISS, "a.png"
    yield "a font that is none", {"index.html": PAGE + "<style>@font-face{font-family:Odd;src:url(f.ttf)}body{font-family:Odd}</style>", "f.ttf": "no font"}, {}, MISS, "Odd"
    yield "a picture that is cut off", {"index.html": PAGE + "<img src=a.png>", "a.png": tool.PNG[:40]}, {}, MISS, "a.png"
    yield "an unused font", {"index.html": PAGE + "<style>@font-face{font-family:x;src:url(f.woff2)}</style>"}, {}, "", "the page"
    yield "a font with another source", {"index.html": PAGE + "<style>@font-face{font-family:x;src:url(f.woff2),local('DejaVu Sans')}body{font-family:x}</style>"}, {}, "", "the page"
    yield "a picture of another host", {"index.html": PAGE + "<img src=https://example.com/a.png>"}, {}, MISS, "example.com"
    yield "a picture of a private address", {"index.html": PAGE + "<img src=http://169.254.169.254/a.png>"}, {}, MISS, "169.254.169.254"
    yield "a picture by data:", {"index.html": PAGE + "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>"}, {}, "", "the page"
    yield "a broken data: picture", {"index.html": PAGE + "<img src='data:image/png;base64,AAAA'>"}, {}, MISS, "data:"
    yield "a script that does not end", {"index.html": PAGE + LOOP.format("for(;;);")}, JS, "limit_exceeded", ""
    yield "a script that fills memory", {"index.html": PAGE + LOOP.format("a=[];for(;;)a.push(new Uint8Array(1e7).fill(1))")}, JS, "limit_exceeded", ""
    yield "a script that makes the page longer", {"index.html": PAGE + LOOP.format("setInterval(()=>{for(i=0;i<9999;i++)document.body.append(document.createElement('p'),'x')},0)")}, {**JS, "waitFor": "2000"}, "any", ""
    yield "a page of a million lines", {"index.html": PAGE + "<p>x" * 1_000_000}, {}, "limit_exceeded", ""
    yield "a page that is too high", {"index.html": PAGE + "<div style='height:99999999px'>"}, {}, "limit_exceeded", ""
    yield "a selector that never comes", {"index.html": PAGE}, {**JS, "waitFor": "#never"}, "any_error", "never"
    yield "a selector that comes", {"index.html": PAGE + LOOP.format("setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<p id=x>came'),400)")}, {**JS, "waitFor": "#x"}, "", "came"
    yield "a wrong selector", {"index.html": PAGE}, {"waitFor": "#["}, "invalid_parameter", ""
    yield "a time that is too long", {"index.html": PAGE}, {"waitFor": "40000"}, "invalid_parameter", ""
    yield "dialogs", {"index.html": PAGE + LOOP.format("alert(1);confirm(2);prompt(3);print();document.body.append('done')")}, JS, "", "done"
    yield "an error in a script", {"index.html": PAGE + LOOP.format("nothing()")}, JS, "", "nothing"
    yield "a page that leaves", {"index.html": PAGE + LOOP.format("location='b.html'"), "b.html": PAGE + "second"}, JS, "any", ""
    yield "a refresh", {"index.html": "<meta http-equiv=refresh content='0;url=b.html'>", "b.html": PAGE + "second"}, {}, "any", ""
    yield "no page", {"a.png": tool.PNG}, {}, "any_error", ""
    yield "two pages and no index", {"a.html": PAGE, "b.html": PAGE}, {}, "any_error", ""
    yield "a page in a folder", {"x/index.html": PAGE + "<img src=../a.png>", "a.png": tool.PNG}, {}, "", "the page"
    yield "an empty page", {"index.html": ""}, {}, "", ""
    yield "a page in UTF-16", {"index.html": (PAGE + "\N{EURO SIGN}uro").encode("utf-16")}, {}, "", "\N{EURO SIGN}uro"
    yield "names with blanks and umlauts", {"index.html": PAGE + "<img src='\u00e4 b%20c.png'>", "\u00e4 b c.png": tool.PNG}, {}, "", "the page"
    yield "a name that leads out", {"index.html": PAGE + "<img src='../../a.png'>", "a.png": tool.PNG}, {}, "", "the page"
    yield "frames within frames", {"index.html": PAGE + "<iframe src=index.html></iframe>"}, {}, "any", ""
    yield "a paper that is none", {"index.html": PAGE}, {"paper": "huge"}, "invalid_parameter", ""
    yield "margins larger than the paper", {"index.html": PAGE}, {"margin": "200mm"}, "invalid_parameter", ""
    yield "pages that are not there", {"index.html": PAGE}, {"pages": "7"}, "any_error", ""
    yield "a ZIP that is a bomb", zip_bomb(), {}, "any_error", ""


def fits(result, code, words):
    """Whether a result is the expected one. Whatever it is, it must be a clear answer of the tool."""
    if result.code in ("internal", "internal_error") or "_" not in result.code + "_" or result.code.startswith("failed"):
        return False
    if code == "any_error":
        return result.code != ""
    if code != "any" and code != result.code:
        return False
    return words in result.words() + result.text


def judge(platen, words):
    """Runs all cases."""
    for name, files, params, code, said in cases():
        if any(word in name for word in words.split(",")):
            result = tool.run(platen, "html-to-pdf", files, params, timeout=600)
            yield name, fits(result, code, said), f"expected {code or 'a PDF'} with {said!r}, got {result.code or 'a PDF'}: {result.text.strip()[:400]}"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tool.skip_without(sys.argv[1], "html-to-pdf")
    sys.exit(tool.main_of(judge(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")))
