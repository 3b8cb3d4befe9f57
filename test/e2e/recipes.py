"""Every command of docs/recipes.md, in a folder with the files that it names, against a real server. What
belongs to others, a bucket and its program, is played here."""

import email.message
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request

from platen import DRAWS, PLATEN, Server, done, multipart, ok, pdf, same, without_office

without_office()
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OCR = os.path.exists(os.path.join(os.path.dirname(PLATEN), "platen-ocr"))


def blocks():
    """The commands below each heading; the first ones are for all."""
    with open(os.path.join(ROOT, "docs/recipes.md"), encoding="utf-8") as page:
        parts = re.split(r"^## (.*)\n", page.read(), flags=re.M)
    found = {"": parts[0], **dict(zip(parts[1::2], parts[2::2]))}
    return {name: "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)) for name, text in found.items()}


def tell(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


class Shell:
    def __init__(self, server, key):
        self.folder = tempfile.mkdtemp(prefix="platen-recipes-")
        self.blocks = blocks()
        self.environment = {**os.environ, "PLATEN_URL": f"http://127.0.0.1:{server.port}", "PLATEN_KEY": key,
                            "PATH": self.folder + "/bin:" + os.environ["PATH"]}
        os.symlink(os.path.join(ROOT, "clients"), self.path("clients"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)

    def paste(self, heading):
        script = "set -u\n" + self.blocks[""] + self.blocks[heading]
        return subprocess.run(["sh", "-c", script], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              timeout=300, check=False)

    def run(self, heading):
        ran = self.paste(heading)
        ok(f"{heading}: the commands run", ran.returncode == 0 and not ran.stderr, ran)

    def scan(self, name, text):
        """A page that is nothing but a picture."""
        self.write("page.pdf", pdf(1, text))
        subprocess.run(["pdftoppm", "-r", "150", "-jpeg", "-singlefile", self.path("page.pdf"), self.path("page")], check=True,
                       timeout=60)
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        made = subprocess.run([PLATEN, "run", "jpg-to-pdf", self.path("page.jpg"), "-o", self.path(name)], check=False,
                              capture_output=True, text=True, timeout=120)
        if made.returncode or tell("pdftotext", self.path(name), "-").strip():
            raise RuntimeError(made)


def scan_folder(shell):
    shell.scan("scans/letter.pdf", "Letter 2026")
    shell.write("scans/half.pdf", b"%PDF-1.7\nhalf")
    ran = shell.paste("Scan folder")
    ok("Scan folder: a scan can be searched afterwards", "Letter" in tell("pdftotext", shell.path("archive/letter.pdf"), "-"), ran)
    same("and is moved; what fails stays", (os.listdir(shell.path("scans/done")), os.path.exists(shell.path("scans/half.pdf"))),
         (["letter.pdf"], True))
    ok("with the reason", ran.stderr.strip() != "", ran)
    shutil.rmtree(shell.path("scans"))


def mail_attachment(shell):
    message = email.message.EmailMessage()
    message["Subject"] = "report"
    message.set_content("Here it is.")
    message.add_attachment(pdf(3, pad=50000), maintype="application", subtype="pdf", filename="../../etc/report.pdf")
    message.add_attachment(b"hello", maintype="text", subtype="plain", filename="note.txt")
    shell.write("message.eml", message.as_bytes())
    shell.run("Mail attachment")
    made = os.listdir(shell.path("mail"))
    ok("Mail attachment: the attached PDF is kept", len(made) == 1 and "Pages:           3" in tell("pdfinfo", shell.path("mail", *made)),
       made)


class Bucket(http.server.BaseHTTPRequestHandler):
    """Objects by signed addresses, as S3 has them."""
    objects = {}

    def do_GET(self):
        data = self.objects.get(self.path) if "signature=good" in self.path else None
        self.send_response(200 if data else 403)
        self.send_header("Content-Length", str(len(data or b"")))
        self.end_headers()
        self.wfile.write(data or b"")

    def log_message(self, *words):
        pass


AWS = """#!/bin/sh
# The two commands of the bucket's program that the recipe uses.
case "$1 $2" in
"s3 presign") echo "http://localhost:PORT/${3#s3://}?signature=good" ;;
"s3 cp") [ "$3" = - ] && mkdir -p "$(dirname "bucket/${4#s3://}")" && cat >"bucket/${4#s3://}" ;;
*) exit 1 ;;
esac
"""


def s3_event(shell, port):
    Bucket.objects["/files/in/report.pdf?signature=good"] = pdf(5, pad=20000)
    shell.write("bin/aws", AWS.replace("PORT", str(port)).encode())
    os.chmod(shell.path("bin/aws"), 0o755)
    shell.write("event.json", json.dumps({"Records": [{"eventName": "ObjectCreated:Put", "s3": {
        "bucket": {"name": "files"}, "object": {"key": "in/report.pdf", "eTag": "0123abcd"}}}]}).encode())
    shell.run("S3 event")
    ok("S3 event: the result is in the other bucket",
       "Pages:           5" in tell("pdfinfo", shell.path("bucket/files-small/in/report.pdf")))


def invoice(shell, server, key):
    shell.write("invoice.pdf", pdf(1, "Invoice"))
    shell.write("terms.pdf", pdf(2, "Terms"))
    before = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    shell.run("Web shop invoice")
    shell.run("Web shop invoice")
    text = tell("pdftotext", "-layout", shell.path("invoice-4711.pdf"), "-").replace(" ", "")
    ok("Web shop invoice: terms and page numbers are in it", "Terms2" in text and "3/3" in text, text)
    same("reported twice, it is one job", server.request("GET", "/api/v1/usage", key).json["requests"]["used"], before + 1)


def inbox(shell):
    shell.scan("inbox/one.pdf", "ACME invoice of 2025, page")
    shell.scan("inbox/two.pdf", "Hello, page")
    shell.run("Paperless-style inbox")
    ok("Paperless-style inbox: filed by sender and year", os.path.exists(shell.path("filed/acme/2025/one.pdf")) and
       os.path.exists(shell.path("filed/unknown/undated/two.pdf")), [names for _, _, names in os.walk(shell.path("filed"))])
    same("and the inbox is empty", os.listdir(shell.path("inbox")), [])


def postman(shell):
    shell.run("n8n, Make and Postman")
    with open(shell.path("platen.postman_collection.json"), encoding="utf-8") as file:
        collection = json.load(file)
    description = json.loads(tell(PLATEN, "tools", "--openapi"))
    there = {(item["request"]["method"], "/" + "/".join(item["request"]["url"]["path"]))
             for folder in collection["item"] for item in folder["item"]}
    wanted = {(method.upper(), re.sub(r"\{(\w+)\}", r":\1", path)) for path, methods in description["paths"].items()
              for method in methods if method in ("get", "post", "put", "patch", "delete")}
    same("the collection has every address of the description", sorted(wanted ^ there), [])
    rotate = next(item for folder in collection["item"] for item in folder["item"]
                  if item["request"]["url"]["path"][-1:] == ["rotate"])["request"]
    on = {field["key"]: field for field in rotate["body"]["formdata"] if not field["disabled"]}
    same("needed fields are switched on, with values", (sorted(on), on["file"]["type"], on["degrees"]["value"]),
         (["degrees", "file"], "file", "90"))


def fill(value, known):
    """A value of Make's with what earlier modules gave: {{3.data.jobId}}."""
    def of(match):
        found = known
        for part in match[1].split("."):
            found = found[part]
        return str(found)
    return re.sub(r"{{([\w.]+)}}", of, value)


def send(module, known):
    """The HTTP request of a module of Make's."""
    mapper = module["mapper"]
    headers = {header["name"]: fill(header["value"], known) for header in mapper.get("headers", [])}
    body = None
    if mapper.get("bodyType") == "multipart_form_data":
        fields = [(field["key"], fill(field["value"], known)) for field in mapper["formDataFields"]]
        body, headers["Content-Type"] = multipart(fields=fields)
    request = urllib.request.Request(fill(mapper["url"], known), body, headers, method=mapper["method"].upper())
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


def make_scenario(server, key, port):
    with open(os.path.join(ROOT, "integrations/make/scenario.json"), encoding="utf-8") as file:
        scenario = json.load(file)
    same("Make: the modules are numbered in order", [module["id"] for module in scenario["flow"]], [1, 2, 3, 4, 5])
    known = {"1": {"file": f"http://localhost:{port}/files/in/report.pdf?signature=good"}}
    known["2"] = {variable["name"]: "" for variable in scenario["flow"][1]["mapper"]["variables"]}
    same("Make: the server and the key are at its beginning", sorted(known["2"]), ["key", "server"])
    known["2"] = {"server": f"http://127.0.0.1:{server.port}", "key": key}
    for module in scenario["flow"][2:4]:
        known[str(module["id"])] = {"data": json.loads(send(module, known))}
    data = send(scenario["flow"][4], known)
    ok("Make: the scenario's requests compress the file", known["4"]["data"]["status"] == "completed" and
       data.startswith(b"%PDF-"), known)


def main():
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Bucket))
    threading.Thread(target=web.serve_forever, daemon=True).start()
    server = Server("--allow-fetch", "127.0.0.0/8 ::1", "--fetch-http", "true")
    key = server.key()
    shell = Shell(server, key)
    same("docs/recipes.md has its recipes", [name for name, text in shell.blocks.items() if name and text],
         ["Scan folder", "Mail attachment", "S3 event", "Web shop invoice", "Paperless-style inbox", "n8n, Make and Postman"])
    if not DRAWS:
        done()
    mail_attachment(shell)
    s3_event(shell, web.server_address[1])
    invoice(shell, server, key)
    postman(shell)
    make_scenario(server, key, web.server_address[1])
    if OCR and DRAWS:
        scan_folder(shell)
        inbox(shell)
    web.shutdown()
    shutil.rmtree(shell.folder)
    server.close()
    done()


main()
