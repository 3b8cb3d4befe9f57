"""Word, Excel and PowerPoint through the server: formats, passwords, hostile documents. Documents
are those of test/samples/office, or made here."""

import gzip
import io
import os
import re
import subprocess
import tempfile
import zipfile

from platen import PLATEN, Server, done, ok, same, until

SAMPLES = os.path.join(os.environ["SAMPLES"], "office")
folder = tempfile.mkdtemp(prefix="platen-office-")


def sample(name):
    with open(os.path.join(SAMPLES, name), "rb") as file:
        data = file.read()
    return gzip.decompress(data) if name.endswith(".gz") else data


def rewrite(name, change):
    """A ZIP document with change(name, data) applied to each part; None drops it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sample(name))) as old, \
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = change(part, old.read(part))
            if data is not None:
                new.writestr(part, data)
    return out.getvalue()


class Office:
    def __init__(self):
        self.server = Server("--job-timeout", "2m")
        self.key = self.server.key()

    def run(self, kind, name, data, **fields):
        return self.server.run(f"{kind}-to-pdf", [(name, data)], self.key, fields)

    def text(self, job, pages=None):
        """The result's text, page by page; its number of pages is told by poppler."""
        if job.get("status") != "completed":
            return [repr(job)]
        path = os.path.join(folder, "result.pdf")
        with open(path, "wb") as file:
            file.write(self.server.download(job["downloadUrl"]).body)
        made = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True)
        return made.stdout.split("\f")[:-1]


def check_ready(office):
    ok("the server becomes ready after one conversion of each kind",
       until(lambda: office.server.request("GET", "/readyz").status == 200))


def check_formats(office):
    for name, kind, words, pages in (
            ("plain.docx", "word", "Alpha inserted omega", 2),
            ("plain.doc", "word", "Alpha inserted omega", 2),
            ("plain.odt", "word", "Alpha inserted omega", 2),
            ("plain.rtf", "word", "Alpha inserted omega", 2),
            ("plain.xlsx", "excel", "long120", 7), ("plain.xls", "excel", "long120", 7),
            ("plain.ods", "excel", "long120", 7), ("plain.pptx", "ppt", "Slide three", 2),
            ("plain.ppt.gz", "ppt", "Slide three", 2), ("plain.odp", "ppt", "Slide three", 2)):
        job = office.run(kind, "named.wrongly", sample(name))
        got = office.text(job)
        ok(f"{name} is recognized by its content", any(words in page for page in got), job, got)
        same(f"{name} gives a PDF with all pages", len(got), pages)
        same(f"{name}: the job reports its number of pages",
             job.get("outputs", [{}])[0].get("pages"), pages)
    for name, data, words in (("UTF-8", "Grüße €".encode(), "Grüße €"),
                              ("Windows-1252", "Grüße €".encode("cp1252"), "Grüße €"),
                              ("UTF-16", "Grüße €".encode("utf-16"), "Grüße €"),
                              ("text like XML", b"<p>&amp;</p>", "<p>&amp;</p>")):
        got = office.text(office.run("word", "a.txt", data))
        ok(f"{name}: a plain text is converted with its words", words in got[0], got)
    same("a form feed in a plain text begins a page",
         len(office.text(office.run("word", "a.txt", b"a\fb"))), 2)
    for name, data, words in (("commas", b'a,b\n"x,y",2\n', "x,y"),
                              ("semicolons", b"a;b\n1,5;2\n", "1,5"),
                              ("sep=", b"sep=|\na|b\n", "a"),
                              ("quotes", b'a,b\n"say ""hi""",1\n', 'say "hi"')):
        got = office.text(office.run("excel", "a.csv", data))
        ok(f"{name}: a CSV file is converted without the line that names the separator",
           words in got[0] and "sep" not in got[0], got)


def check_names(office):
    field = (b'<w:p><w:fldSimple w:instr=" FILENAME "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>'
             b"</w:body>")
    data = rewrite("plain.docx", lambda part, old: old.replace(b"</w:body>", field))
    for name, shown in (("Report #1 100%.docx", "Report #1 100%"), ("a/b/Gr\u00fc\u00dfe.doc",
                                                                    "Gr\u00fc\u00dfe")):
        job = office.run("word", name, data)
        got = office.text(job)
        ok(f"a document with a field for its name shows {shown}",
           any(shown in page for page in got), got)
        ok("and misses nothing", "text_missing" not in [warning["code"] for warning in job["warnings"]], job)


def check_passwords(office):
    for name, kind in (("locked.docx", "word"), ("locked.doc", "word"), ("locked.odt", "word"),
                       ("locked.xlsx", "excel"), ("locked.xls", "excel"), ("locked.ods", "excel"),
                       ("locked.pptx", "ppt"), ("locked.odp", "ppt")):
        data = sample(name)
        same(f"{name} without its password fails with password_required",
             office.run(kind, name, data).get("error"),
             "password_required")
        same(f"{name} with a wrong password fails with wrong_password",
             office.run(kind, name, data, inputPassword="wrong").get("error"), "wrong_password")
        job = office.run(kind, name, data, inputPassword="secret")
        same(f"{name} with the right password is converted", job.get("status"), "completed")
    same("a document with a password in non-Latin letters is converted",
         office.run("word", "odd.docx", sample("odd.docx"), inputPassword="pass wörd").get("status"),
         "completed")


def check_no_documents(office):
    for name, data in (("PDF", b"%PDF-1.7\n" + b"x" * 100), ("empty file", b""),
                       ("random bytes", bytes(range(256)) * 8),
                       ("page of HTML", b"<html><body><img src='http://127.0.0.1/'></body></html>"),
                       ("PNG", b"\x89PNG\r\n\x1a\n" + bytes(64))):
        for kind in ("word", "excel", "ppt"):
            answer = office.server.submit(f"{kind}-to-pdf", [("a.docx", data)], office.key)
            same(f"a {name} is refused by the {kind} tool with 415",
                 (answer.status, answer.error), (415, "unsupported_file_type"))
    message = office.run("word", "a.docx", b"%PDF-1.7\n").get("message", "")
    ok("the answer to a wrong type names the accepted types",
       message.endswith("(docx, doc, odt, rtf or txt)"), message)
    job = office.run("word", "a.txt", b"<p> and <html> are tags")
    same("a text that mentions HTML is converted as a text", job.get("status"), "completed")
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as made:
        made.writestr("a.txt", "a")
    for name, kind, data in (
            ("a ZIP file that is no document", "word", empty.getvalue()),
            ("an HTML page behind a long comment", "word",
             b"<!--" + b"x" * 2000 + b"--><html><body><img src='http://127.0.0.1/'></body></html>"),
            ("a spreadsheet for word-to-pdf", "word", sample("plain.xlsx")),
            ("a text document for excel-to-pdf", "excel", sample("plain.doc")),
            ("text for ppt-to-pdf", "ppt", b"text")):
        same(f"{name} fails with unsupported_file_type",
             office.run(kind, "a.docx", data).get("error"), "unsupported_file_type")
    same("a truncated .docx file fails with corrupt_file",
         office.run("word", "a.docx", sample("plain.docx")[:900]).get("error"), "corrupt_file")
    same("a truncated .doc file fails with corrupt_file",
         office.run("word", "a.doc", sample("plain.doc")[:2000]).get("error"), "corrupt_file")


def check_bombs(office):
    bomb = rewrite("plain.docx", lambda part, data: data + b" " * (400 << 20)
                   if part == "word/document.xml" else data)
    same("a ZIP bomb fails with limit_exceeded",
         office.run("word", "a.docx", bomb).get("error"), "limit_exceeded")
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    laughs = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "ha">{entities}]>'

    def laugh(part, data):
        if part != "word/document.xml":
            return data
        text = re.sub(r"<\?xml.*?\?>", "", data.decode())
        return (laughs + text.replace("Alpha ", "&l11;")).encode()

    job = office.run("word", "a.docx", rewrite("plain.docx", laugh))
    ok('exponential entity expansion ("billion laughs") ends in an error', job.get("error") in (
        "corrupt_file", "limit_exceeded", "unsupported_content"), job)
    for what, start, filling, end in (
            ("tables in tables in tables", b"<w:tbl><w:tr><w:tc>" * 400, b"<w:p/>",
             b"</w:tc></w:tr></w:tbl>" * 400),
            ("a paragraph without end", b"<w:p><w:r><w:t>", b"x" * 600000, b"</w:t></w:r></w:p>")):
        hard = rewrite("plain.docx", lambda part, data: re.sub(
            rb"(<w:body>).*(</w:body>)", lambda m: m[1] + start + filling + end + m[2], data,
            flags=re.S) if part == "word/document.xml" else data)
        same(f"{what} fail with limit_exceeded",
             office.run("word", "a.docx", hard).get("error"), "limit_exceeded")
    flat = sample("slides.fodp").decode()
    job = office.run("ppt", "a.fodp", flat.replace("<office:document ", laughs.split("?>")[1]
                                                   + "<office:document ", 1).encode())
    same("entities in flat XML fail with unsupported_content",
         job.get("error"), "unsupported_content")

    def far(part, data):
        return data.replace(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is>'
                            b"<t>z</t></is></c></row></sheetData>") if "sheet2" in part else data

    job = office.run("excel", "a.xlsx", rewrite("plain.xlsx", far))
    same("a cell at the far end of a sheet fails with limit_exceeded",
         job.get("error"), "limit_exceeded")


def check_swept(office):
    ok("no temporary file of a job is left", until(lambda: not [
        name for base in folders_of(office.server) for name in os.listdir(base) if name != "home"]))


def folders_of(server):
    """What the server's programs hold in /tmp."""
    held = set()
    for pid in server.children():
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                held.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            pass
    return [path for path in held if re.fullmatch(r"/tmp/platen-office\.\w+", path)]


def count_files(server):
    return sum(len(names) for folder in folders_of(server) for _, _, names in os.walk(folder))


def is_ready(server):
    return server.ask("GET", "/readyz", {}, None).status == 200


def check_stopped_early():
    """While LibreOffice tries itself out, it writes where its program cleans up. On a busy machine the
    program may not come to that within the ten seconds that it has: then its successor does."""
    left, killed, seen = [], [], 0
    for round in range(12):
        server = Server()
        # The moments are told by the number of files that there are, or by the end of the self-tests.
        until(lambda: folders_of(server) and (count_files(server) >= 2 * round or is_ready(server)))
        folders = folders_of(server)
        seen += len(folders)
        server.stop()
        (killed if "event=worker.killed" in server.logs() else left).extend(path for path in folders if os.path.exists(path))
        server.close()
    ok("a server stopped at any moment leaves no temporary folder", seen >= 12 and not left, seen, left)
    Server().close()
    same("the next start removes the temporary folders of a killed program", [path for path in killed if os.path.exists(path)], [])


if "word-to-pdf" not in subprocess.run([PLATEN, "tools"], capture_output=True, text=True).stdout:
    print("1..0 # SKIP LibreOffice is not here")
    raise SystemExit(0)
office = Office()
check_ready(office)
check_formats(office)
check_names(office)
check_passwords(office)
check_no_documents(office)
check_bombs(office)
check_swept(office)
same("the server stops cleanly", office.server.close(), 0)
check_stopped_early()
done()
