"""Documents that name what is elsewhere: nothing is fetched, nothing local is read. Each defence is
seen to hold alone; without any the same documents do fetch and read, so that these tests can fail."""

import http.server
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, "..", "e2e"), os.path.join(HERE, "..", "..", "src/engine/office/trial")]
import make as opc  # noqa: E402
from platen import PLATEN, Server, done, ok, same  # noqa: E402

GUARDS = os.path.abspath(sys.argv[2])
WORD = "CANARYWORD"
folder = tempfile.mkdtemp(prefix="platen-guards-")
os.chmod(folder, 0o755)
heard = []


class Listener(http.server.BaseHTTPRequestHandler):
    def answer(self):
        heard.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(magenta())

    do_GET = do_HEAD = do_OPTIONS = do_PROPFIND = answer

    def log_message(self, *words):
        pass


def magenta():
    """A picture of 32 by 32 pixels of one colour no document here has."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = (b"\0" + b"\xff\0\xff" * 32) * 32
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def put(name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o644)
    return path


def docx(target, kind="image", body=None):
    path = os.path.join(folder, "made.docx")
    picture = (f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{WP}"><wp:extent cx="900000" cy="900000"/>'
               f'<wp:docPr id="1" name="p"/><a:graphic xmlns:a="{opc.DRAW}"><a:graphicData '
               f'uri="{PIC}"><pic:pic xmlns:pic="{PIC}"><pic:nvPicPr><pic:cNvPr id="1" name="p"/>'
               f'<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip xmlns:r="{opc.DOC}" '
               'r:link="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>'
               '<a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect">'
               '<a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>'
               '</w:drawing></w:r></w:p>')
    opc.package(path, "word/document.xml",
                {"word/document.xml": f'<w:document xmlns:w="{opc.WORD}"><w:body>{body or picture}'
                                      '<w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:document>',
                 "word/_rels/document.xml.rels":
                     opc.relationships((kind, target)).replace("/>", ' TargetMode="External"/>')},
                {"word/document.xml": "wordprocessingml.document.main"})
    with open(path, "rb") as file:
        return file.read()


WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
PIC = "http://schemas.openxmlformats.org/drawingml/2006/picture"
NAMES = " ".join(f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
                 for short, long in (("office", "office"), ("text", "text"), ("draw", "drawing"),
                                     ("table", "table"), ("svg", "svg-compatible"),
                                     ("style", "style")))


def flat(kind, body):
    return (f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMES} '
            'xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2" '
            f'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:body>{body}'
            "</office:body></office:document>").encode()


def flat_text(inner):
    return flat("text", f"<office:text>{inner}<text:p>Text</text:p></office:text>")


def flat_picture(url):
    return flat_text('<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image '
                     f'xlink:href="{url}"/></draw:frame></text:p>')


def flat_sheet(formula):
    return flat("spreadsheet", '<office:spreadsheet><table:table table:name="S"><table:table-row>'
                f'<table:table-cell table:formula="{formula}"/><table:table-cell '
                'office:value-type="string"><text:p>Text</text:p></table:table-cell>'
                "</table:table-row></table:table></office:spreadsheet>")


def rtf(field):
    return (r"{\rtf1\ansi Text {\field{\*\fldinst " + field + r"}{\fldrslt old}}\par}").encode()


def documents(web, picture, text):
    """(tool, name, bytes): web is an http: URL, picture and text are file: ones."""
    section = ('<text:section text:name="s"><text:section-source xlink:href="{}"/><text:p>old</text:p>'
               "</text:section>")
    for what, url in (("of the web", web + "/p.png"), ("of this machine", picture)):
        yield "word", f"docx with a picture {what}", docx(url)
        yield "word", f"flat ODF with a picture {what}", flat_picture(url)
        yield "word", f"RTF with a picture {what}", rtf(f'INCLUDEPICTURE "{url}" \\\\d')
    for what, url in (("of the web", web + "/t.txt"), ("of this machine", text)):
        yield "word", f"a linked section {what}", flat_text(section.format(url))
        yield "word", f"INCLUDETEXT {what}", rtf(f'INCLUDETEXT "{url}"')
        yield "word", f"a linked object {what}", flat_text(
            '<text:p><draw:frame svg:width="9cm" svg:height="3cm"><draw:object '
            f'xlink:href="{url}"/></draw:frame></text:p>')
        yield "word", f"a floating frame {what}", flat_text(
            '<text:p><draw:frame svg:width="9cm" svg:height="3cm"><draw:floating-frame '
            f'xlink:href="{url}"/></draw:frame></text:p>')
        yield "word", f"a template {what}", docx(url, "attachedTemplate", "<w:p/>")
        yield "word", f"a chunk {what}", docx(
            url, "aFChunk", f'<w:altChunk xmlns:r="{opc.DOC}" r:id="rId1"/>')
        yield "excel", f"WEBSERVICE {what}", flat_sheet(
            f"of:=COM.MICROSOFT.WEBSERVICE(&quot;{url}&quot;)")
        yield "excel", f"DDE {what}", flat_sheet(
            f"of:=DDE(&quot;soffice&quot;;&quot;{url}&quot;;&quot;A1&quot;)")
        yield "excel", f"another sheet {what}", flat_sheet(f"of:='{url}'#$S.A1")


class Guarded:
    """A server whose platen-office has the defences that `name` says; "" has all."""

    def __init__(self, name):
        options = []
        if name:
            programs = os.path.join(folder, name)
            os.mkdir(programs)
            os.symlink(GUARDS, os.path.join(programs, "platen-office"))
            options = ["--programs", programs, "--allow-unsandboxed", "true"]
        self.server = Server(*options)
        self.key = self.server.key()

    def leaks(self, tool, data):
        """What came of one document: "fetched", "picture", "text", or how the job failed."""
        heard.clear()
        job = self.server.run(f"{tool}-to-pdf", [("a", data)], self.key)
        found = {"fetched"} if heard else set()
        if job.get("status") != "completed":
            return found | {job.get("error")}
        path = put("result.pdf", self.server.download(job["downloadUrl"]).body)
        text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True).stdout
        pixels = subprocess.run(["pdftoppm", "-r", "36", path], capture_output=True).stdout
        if b"\xff\0\xff" * 8 in pixels:
            found.add("picture")
        if WORD in text:
            found.add("text")
        return found


def main():
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    picture = put("canary.png", magenta())
    text = put("canary.txt", f"{WORD}\n".encode())
    made = list(documents(f"http://127.0.0.1:{listener.server_port}", "file://" + picture,
                          "file://" + text))
    bare = Guarded("none")
    leaks = set()
    for tool, _, data in made:
        leaks |= bare.leaks(tool, data)
    ok("without any defence the documents fetch from the network and read local files",
       {"fetched", "picture"} <= leaks, leaks)
    bare.server.close()
    for name, title in (("profile", "the settings alone"), ("sandbox", "the sandbox alone"),
                        ("", "both")):
        guarded = Guarded(name)
        for tool, what, data in made:
            got = guarded.leaks(tool, data)
            ok(f"{title}: {what}", not got & {"fetched", "picture", "text", "internal_error"}, got)
        same(f"{title}: the server stops cleanly", guarded.server.close(), 0)
    shutil.rmtree(folder)
    done()


if "word-to-pdf" not in subprocess.run([PLATEN, "tools"], capture_output=True, text=True).stdout:
    print("1..0 # SKIP LibreOffice is not here")
    sys.exit(0)
main()
