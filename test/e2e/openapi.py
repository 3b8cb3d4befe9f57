"""/openapi.json is complete and true, and each of its examples works when it is pasted."""

import functools
import gzip
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zipfile

from PIL import Image

from contract import Contract
from platen import PLATEN, Server, done, ok, pdf, same

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = os.path.join(ROOT, "test/samples")
METHODS = ("get", "post", "put", "patch", "delete")


FORM = "multipart/form-data"


def check_older(server, document):
    answer = server.request("GET", "/openapi.json?version=3.0")
    older = answer.json
    text = json.dumps(older)
    same("?version=3.0 is OpenAPI 3.0 with the same paths",
         (answer.status, older["openapi"], sorted(older["paths"])), (200, "3.0.3", sorted(document["paths"])))
    form = form_of(Contract(older), older["paths"]["/api/v1/tools/pdf/rotate"]["post"])["schema"]["properties"]["file"]
    same("there a file is a binary string, as openapi-generator needs", (form["type"], form["format"], "anyOf" in form),
         ("string", "binary", False))
    ok("whose description names what may stand for it", "job:{jobId}" in form["description"], form)
    ok("it has none of the words that 3.0 lacks",
       not re.search(r'"(const|contentMediaType|webhooks|identifier)":|"type": \[|"examples": \[', text))
    refused = server.request("GET", "/openapi.json?version=2.0")
    same("another version is refused", (refused.status, refused.json["field"]), (400, "version"))


def form_of(contract, operation):
    return contract.resolve(operation.get("requestBody", {})).get("content", {}).get(FORM, {})


def operations(document):
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def check_complete(document, contract):
    with open(os.path.join(ROOT, "src/server/api/routes.c"), encoding="utf-8") as routes:
        table = re.findall(r'\{ "(\w+)", "([^"]+)"', routes.read())
    described = {(method.upper(), re.sub(r"\{\w+\}", "{}", path))
                 for path, method, _ in operations(document)}
    for method, path in table:
        if path.startswith("/assets/"):
            continue  # what the pages load is no part of the API
        plain = re.sub(r"\{\w+\}", "{}", path)
        there = ((method, plain) in described or
                 (method, plain.replace("/pdf/{}", "/pdf/rotate")) in described)
        ok(f"{method} {path} is described", there)
    for path, method, it in operations(document):
        texts = [it.get("summary"), it.get("description"), it.get("operationId"), it["tags"][0]]
        ok(f"{method} {path} has a summary, a description and a default response",
           all(texts) and "default" in it["responses"])
    ids = [it["operationId"] for _, _, it in operations(document)]
    same("operation ids are camelCase and unique",
         [name for name in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name) or
          ids.count(name) > 1], [])
    same("every named element has a description", sorted(undescribed(document, contract)), [])
    same("every operation with a body has an example", [], [
        path for path, _, it in operations(document) if "requestBody" in it
        and it["tags"] == ["Tools"] and not form_of(contract, it).get("examples")])


def undescribed(document, contract):
    """Where a schema, a field, a parameter, a header or an answer is not explained."""
    parts = document["components"]
    for kind in ("schemas", "parameters", "headers", "responses"):
        for name, node in parts[kind].items():
            if not node.get("description"):
                yield f"{kind} {name}"

    def walk(node, where):
        if isinstance(node, list):
            for i, one in enumerate(node):
                yield from walk(one, f"{where}/{i}")
        if not isinstance(node, dict):
            return
        kinds = ("properties", "headers", "responses")
        for kind in kinds if not where.endswith("/properties") else ():  # a field can be called so
            for name, one in node.get(kind, {}).items() if isinstance(node.get(kind), dict) else ():
                if not contract.resolve(one).get("description"):
                    yield f"{where}/{kind}/{name}"
        for one in node.get("parameters", []) if isinstance(node.get("parameters"), list) else ():
            if not contract.resolve(one).get("description"):
                yield f"{where}/parameters/{one.get('name')}"
        for name, one in node.items():
            if name not in ("examples", "example"):
                yield from walk(one, f"{where}/{name}")

    yield from walk(document, "")


def codes_of(file, pattern):
    with open(os.path.join(ROOT, file), encoding="utf-8") as text:
        return re.findall(pattern, text.read())


def check_strict(document, contract):
    """What generated clients rely on."""
    schemas = document["components"]["schemas"]
    table = codes_of("src/base/err.def", r'^ERR\(\w+, "(\w+)", (\d+)\)'.replace("^", "(?m)^"))
    same("ErrorCode lists the error codes of the server that have an HTTP status",
         sorted(schemas["ErrorCode"]["enum"]), sorted(name for name, status in table if status != "0"))
    names = dict(codes_of("src/base/err.def", r'ERR\((\w+), "(\w+)"'))
    may_fail = {names[one] for one in codes_of("src/sandbox/protocol/report.c", r"case ERR_(\w+):")}
    same("JobErrorCode lists the codes that a worker may return, and that of files that were not fetched",
         sorted(schemas["JobErrorCode"]["enum"]), sorted(may_fail - {"storage_full"} | {"fetch_failed"}))
    given = {"not_inspected", "ocr_not_installed"}  # of dry runs, and of what runs a job
    for folder, _, files in os.walk(os.path.join(ROOT, "src")):
        for file in files:
            if file.endswith(".c"):
                calls = codes_of(os.path.join(folder, file), r"(?s)\b(?:tool_warn|warn_places|reading_report_faults)\((.*?)\);")
                given |= {word for call in calls for word in re.findall(
                    r'"([a-z]+(?:_[a-z0-9]+)+|repaired|unwrapped)"', call)}
    same("WarningCode lists the warnings of the tools", sorted(schemas["WarningCode"]["enum"]),
         sorted(given))
    tools = {path.split("/")[5] for path in document["paths"] if "/tools/pdf/" in path}
    same("ToolName lists the tools", set(schemas["ToolName"]["enum"]), tools)
    for name in ("Job", "EndedJob", "EndedNotice"):
        mapping = schemas[name]["discriminator"]["mapping"]
        same(f"{name} is discriminated by its status",
             {node["$ref"] for node in schemas[name]["oneOf"]}, set(mapping.values()))
    for path, _, it in operations(document):
        for status, node in it["responses"].items():
            if status.startswith("2"):
                ok(f"{path} {status} is described in place and not by reference",
                   "$ref" not in node)
    loose = [where for where, node in nodes(document)
             if ("const" in node or "enum" in node) and "type" not in node]
    same("every enumeration has a type", loose, [])
    unfit = [where for where, node in nodes(document) if "default" in node
             and contract.schema_faults(node, node["default"])]
    same("every default value has its field's type", unfit, [])
    same("every array declares its items",
         [where for where, node in nodes(document) if node.get("type") == "array" and
          not node.get("items")], [])
    form = form_of(contract, document["paths"]["/api/v1/tools/pdf/merge"]["post"])["schema"]["properties"]["files"]
    same("a file is described as bytes, or as a reference to an earlier result, or as an address",
         [(form["type"], one.get("format"), one.get("pattern")) for one in form["items"]["anyOf"]],
         [("array", "binary", None), ("array", None, "^(job:|upload:|https?://)")])


def nodes(node, where=""):
    """Every object of the document but examples."""
    if isinstance(node, list):
        for i, one in enumerate(node):
            yield from nodes(one, f"{where}/{i}")
    elif isinstance(node, dict):
        yield where, node
        for name, one in node.items():
            if name not in ("examples", "example", "properties"):
                yield from nodes(one, f"{where}/{name}")
        for name, one in node.get("properties", {}).items() if isinstance(
                node.get("properties"), dict) else ():
            yield from nodes(one, f"{where}/{name}")


def uses_absent(example, document):
    """Whether an example names a tool that this build is without."""
    with open(os.path.join(ROOT, "src/tools/tools.def"), encoding="utf-8") as file:
        known = {tool.replace("_", "-") for tool in re.findall(r"TOOL\((\w+)", file.read())}
    there = {path.rsplit("/", 1)[1] for path in document["paths"] if "/tools/pdf/" in path}
    return any(f'"{tool}"' in (example if isinstance(example, str) else json.dumps(example))
               for tool in known - there)


def check_variants(contract, server, key, job):
    """A job has what its status says, and nothing of another's."""
    schema = {"$ref": "#/components/schemas/Job"}
    for name in ("outputs", "downloadUrl", "expiresAt", "durationMs"):
        less = {field: value for field, value in job.items() if field != name}
        ok(f"a completed job without {name} does not match the schema",
           contract.schema_faults(schema, less))
    failed = server.run("rotate", [("a.pdf", pdf())], key, {"degrees": 90, "pages": "9"})
    same("a failed job matches the schema", contract.schema_faults(schema, failed), [])
    same("a failed job has expiresAt", (failed["status"], "expiresAt" in failed), ("failed", True))
    ok("a failed job without an error code does not match the schema", contract.schema_faults(
        schema, {field: value for field, value in failed.items() if field != "error"}))


def check_examples_fit(document, contract):
    """Examples of answers are what their schemas say, those of forms too."""
    responses = [(name, node) for name, node in document["components"]["responses"].items()]
    responses += [(f"{path} {status}", contract.resolve(node)) for path, _, it in operations(document)
                  for status, node in it["responses"].items() if "$ref" not in node]
    for name, response in responses:
        for kind, media in response.get("content", {}).items():
            if kind == "application/json" and "schema" in media and name != "/openapi.json 200":
                ok(f"{name} has an example", bool(media.get("examples")))
            for title, example in media.get("examples", {}).items():
                if kind == "application/json":
                    value = contract.resolve(example)["value"]
                    if uses_absent(value, document):
                        continue
                    same(f"{name}: the example {title} matches its schema",
                         contract.schema_faults(media["schema"], value), [])
    for path, _, it in operations(document):
        media = form_of(contract, it)
        for title, example in media.get("examples", {}).items():
            same(f"{path}: the example {title} matches its schema",
                 contract.schema_faults(media["schema"], example["value"]), [])


def check_judge(contract, job):
    """The judge of all other tests can say no."""
    path = f"/api/v1/jobs/{job['jobId']}"
    headers = {"Content-Type": "application/json"}

    def judged(status=200, more=None, **change):
        body = json.dumps({**job, **change}).encode()
        return contract.faults("GET", path, status, {**headers, **(more or {})}, body)

    same("the test's validator accepts a correct answer", judged(), [])
    ok("the test's validator finds an undescribed status", judged(status=418))
    ok("the test's validator finds an undescribed header", judged(more={"X-New": "1"}))
    ok("the test's validator finds a header of the wrong type",
       judged(more={"Retry-After": "soon"}))
    ok("the test's validator finds a value of the wrong type", judged(outputFile=7))
    ok("the test's validator finds a value outside of an enumeration or range",
       judged(status="done") and
       judged(**{"progress": 2}))
    ok("the test's validator finds a body of another content type",
       judged(more={"Content-Type": "text/html"}))


# A form with a text field and a check box.
A_FORM = b"""<</Type/Catalog/Pages 2 0 R/AcroForm<</DA(/Helv 12 Tf 0 g)/Fields[4 0 R 5 0 R]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R 5 0 R]>>
<</Type/Annot/Subtype/Widget/F 4/T(name)/FT/Tx/Rect[20 150 200 170]>>
<</Type/Annot/Subtype/Widget/F 4/T(agree)/FT/Btn/Rect[20 120 32 132]/MK<</CA(4)/BC[0]>>>>
"""


def prepare(folder):
    """The files that the examples name."""
    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    def run(*words):
        subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=60)

    put("report.pdf", pdf(7))
    put("appendix.pdf", pdf(2, "Appendix"))
    for name, color in (("front.jpg", "red"), ("back.jpg", "blue")):
        picture = io.BytesIO()
        Image.new("RGB", (320, 200), color).save(picture, "JPEG", dpi=(96, 96))
        put(name, picture.getvalue())
    for name in ("signature.png", "initials.png"):
        picture = io.BytesIO()
        Image.new("RGBA", (160, 60), (20, 32, 46, 128)).save(picture, "PNG")
        put(name, picture.getvalue())
    subprocess.run([sys.executable, os.path.join(ROOT, "test/tools/pdf_builder.py"),
                    os.path.join(folder, "form.pdf")], input=A_FORM, check=True, timeout=60)
    shutil.copy(os.path.join(SAMPLES, "damaged.pdf"), folder)
    for sample, name in (("docx", "letter"), ("xlsx", "costs"), ("pptx", "talk")):
        shutil.copy(os.path.join(SAMPLES, "office", f"plain.{sample}"),
                    os.path.join(folder, f"{name}.{sample}"))
    put("own.css", b"h1 { color: #036 }")
    put("invoice-7.html", b"<!doctype html><title>Invoice</title><h1>Seven</h1>")
    put("page.md", b"# One\n\nText with $x^2$.\n\n![the front](front.jpg)\n")
    put("page.html", b'<!doctype html><title>A page</title><h1>One</h1><img src="front.jpg" alt="the front">')
    with zipfile.ZipFile(os.path.join(folder, "site.zip"), "w") as site:
        site.writestr("index.html", "<!doctype html><title>A site</title><h1>One</h1>")
    run(PLATEN, "run", "add-password", "report.pdf", "--password", "open sesame", "-o", "locked.pdf")
    run(PLATEN, "run", "jpg-to-pdf", "front.jpg", "-o", "pictures.pdf")
    run("qpdf", "report.pdf", "--add-attachment", "letter.docx", "--key=draft.docx", "--filename=draft.docx",
        "--", "annexed.pdf")
    run(PLATEN, "run", "jpg-to-pdf", "front.jpg", "-o", "scan.pdf")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
        "ada.pem", "-days", "30", "-subj", "/CN=Ada Example")
    run("openssl", "pkcs12", "-export", "-inkey", "key.pem", "-in", "ada.pem", "-out", "ada.p12",
        "-passout", "pass:open sesame")


def check_commands(server, key, document):
    """Pastes every command of the reference, which has those of the guide."""
    folder = tempfile.mkdtemp(prefix="platen-examples-")
    prepare(folder)
    reference = subprocess.check_output([os.path.join(ROOT, "docs/api.py"), PLATEN], text=True)
    blocks = re.findall(r"^```sh\n(.*?)^```", reference, re.M | re.S)
    # The host of the example with an address is one of this machine here.
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None
    origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    tools = {path.rsplit("/", 1)[1] for path in document["paths"] if "/tools/" in path}
    env = {**os.environ, "KEY": key, "JOB": "", "DOWNLOAD_URL": ""}
    n_jobs = 0
    for block in blocks:
        tool = re.search(r"/tools/pdf/([\w-]+)", block)
        if not block.startswith("curl") or tool and tool[1] not in tools or uses_absent(block, document):
            continue  # a build without the tool
        what = " ".join(block.replace("\\\n", " ").split())
        ran = subprocess.run(["sh", "-ec", "curl() { command curl -sS --fail-with-body \"$@\"; }\n" +
                              block.replace("localhost:8080", f"127.0.0.1:{server.port}")
                              .replace("https://example.com", f"http://127.0.0.1:{origin.server_port}")],
                             cwd=folder, env=env, capture_output=True, text=True, timeout=60)
        if not ok(what, ran.returncode == 0, ran):
            continue
        answer = json.loads(ran.stdout) if ran.stdout.startswith("{") else {}
        env["DOWNLOAD_URL"] = answer.get("downloadUrl", env["DOWNLOAD_URL"])
        if not tool or "jobId" not in answer:
            continue
        env["JOB"] = answer["jobId"]
        job = server.wait(answer["jobId"], key).json
        same(f"the job of the example of {tool[1]} is completed", job["status"], "completed")
        same(f"the result of the example of {tool[1]} can be downloaded",
             server.download(job.get("downloadUrl", "/")).status, 200)
        n_jobs += 1
    origin.shutdown()
    ok("every tool has an example that ran", n_jobs >= len(tools), n_jobs, len(tools))
    shutil.rmtree(folder)


def check_messages(server, document):
    """Examples of refusals are what the server says, but for numbers."""
    examples = {one["value"]["error"]: one["value"]
                for node in document["components"]["responses"].values()
                for one in node["content"]["application/json"]["examples"].values()
                if "value" in one and "requestId" in one["value"]}
    key, file, turn = server.key("pro"), [("report.pdf", pdf())], {"degrees": "90"}
    job = server.run("rotate", file, key, turn)
    text = [("report.txt", b"some text")]
    nobody = "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
    once = {"Idempotency-Key": "k"}
    server.submit("rotate", file, key, turn, once)
    url = urllib.parse.urlsplit(job["downloadUrl"])
    said = [server.submit("rotate", file, key),
            server.submit("rotate", file, key, {"degree": "90"}),
            server.submit("rotate", file, key, {"degrees": "45"}),
            server.submit("merge", file, key),
            server.submit("rotate", file * 2, key, turn),
            server.submit("rotate", file, None, turn),
            server.submit("rotate", file, "pk_" + "a" * 48, turn),
            server.submit("shred", file, key),
            server.request("GET", f"/api/v1/jobs/{nobody}", key),
            server.request("GET", "/api/v1/nothing", key),
            server.submit("rotate", file, key, {"degrees": "180"}, once),
            server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": "text/plain"}, b"a"),
            server.request("POST", "/api/v1/tools/pdf/rotate", key,
                           {"Content-Type": "multipart/form-data; boundary=x"}, b"a"),
            server.submit("rotate", text, key, turn),
            server.request("GET", url.path + "?expires=1&signature=2"),
            server.request("GET", f"{url.path}?{url.query}", None, {"Range": "bytes=99999999-"}),
            server.request("DELETE", "/api/v1/jobs", key)]

    def plain(message):
        return re.sub(r"\d+", "N", message)

    for answer in said:
        shown = examples.pop(answer.error)
        same(f"the example of {answer.error} has the message that the server sends",
             (plain(shown["message"]), shown.get("field")),
             (plain(answer.json["message"]), answer.json.get("field")))
    same("every error code has an example, or is among those that a test server cannot cause",
         set(examples), {
        "forbidden", "job_not_completed", "job_expired", "file_too_large", "quota_exceeded",
        "rate_limited", "too_many_jobs", "too_many_streams", "overloaded", "unavailable", "shutting_down", "storage_full",
        "request_timeout", "internal_error"})


def check_pages(server):
    """The pages load nothing that is not here, and may not."""
    for path in ("/", "/docs", "/pricing"):
        page = server.request("GET", path)
        text = page.body.decode()
        same(f"{path} is answered 200", page.status, 200)
        ok(f"{path} has a Content-Security-Policy with default-src 'none'",
           "default-src 'none'" in page.headers["Content-Security-Policy"])
        ok(f"{path} has no unfilled place of its template", "{{" not in text)
        seen, queue = set(), re.findall(r'(?:src|href)="(/assets/[^"]+)"', text)
        while queue:
            asset = queue.pop()
            seen.add(asset)
            got = server.ask("GET", asset, {}, None)
            same(f"{path} loads {asset}", got.status, 200)
            folder = asset.rpartition("/")[0] + "/"
            queue += [found for found in (folder + name for name in
                                          re.findall(r'(?:from |import\(|lazy\()"\./([^"]+)"',
                                                     got.body.decode("utf-8", "replace")))
                      if found not in seen and found not in queue]
            ok(f"{asset} loads nothing from another host",
               not re.search(r'(?:src|href|url|from|import)\W{1,3}https?://', got.body.decode("utf-8", "replace")))
        ok(f"{path} loads nothing from another host", not re.search(r'(?:src|href)="https?:', text))
    folder = re.search(r'href="(/assets/[^/"]+/)style.css"', text).group(1)
    got = server.ask("GET", folder + "style.css", {}, None)
    same("an asset with a matching If-None-Match is answered 304", server.ask(
        "GET", folder + "style.css", {"If-None-Match": got.headers["ETag"]}, None).status, 304)
    ok("an asset at the address of this version is immutable",
       "immutable" in got.headers["Cache-Control"], got.headers["Cache-Control"])
    same("an asset at the address of another version is sent with no-cache", server.ask(
        "GET", "/assets/older/style.css", {}, None).headers["Cache-Control"], "no-cache")
    plain = server.ask("GET", "/openapi.json", {}, None)
    packed = server.ask("GET", "/openapi.json", {"Accept-Encoding": "gzip, br"}, None)
    same("/openapi.json is compressed for a client that accepts gzip",
         (packed.headers["Content-Encoding"], gzip.decompress(packed.body)), ("gzip", plain.body))
    ok("compressed /openapi.json has at most a fifth of its size",
       5 * len(packed.body) <= len(plain.body), len(packed.body), len(plain.body))
    ok("compressed /openapi.json has its own ETag, and Vary",
       packed.headers["ETag"] != plain.headers["ETag"] and
       "Accept-Encoding" in packed.headers["Vary"], packed.headers)
    same("compressed /openapi.json with a matching If-None-Match is answered 304",
         server.ask("GET", "/openapi.json", {
        "Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}, None).status, 304)
    packed = server.ask("GET", folder + "style.css", {"Accept-Encoding": "br, gzip"}, None)
    same("an asset is compressed for a client that accepts gzip",
         (packed.headers["Content-Encoding"], gzip.decompress(packed.body)), ("gzip", got.body))
    same("a template is not served as an asset",
         server.ask("GET", folder + "page.html", {}, None).status, 404)
    plans = server.request("GET", "/pricing").body.decode()
    ok("the page of plans lists the configured plans, escaped",
       "<b>team</b>" not in plans and "&lt;b&gt;team&lt;/b&gt;" in plans and "1.5 GB" in plans
       and "12,345" in plans and "9 thalers" in plans, plans)
    ok("the page of plans shows their prices",
       "$9.99" in plans and "$29.99" in plans and "Price a month" in plans,
       plans)
    ok("the page of plans shows how many jobs a minute a plan allows, where one has a limit", "Jobs a minute" in plans and
       "<td>1,234</td>" in plans and plans.count("<td>\u2013</td>") == 2, plans)
    bare = Server("--show-prices", "false")
    try:
        plans = bare.request("GET", "/pricing").body.decode()
    finally:
        bare.close()
    ok("the page of plans without prices shows none", "$" not in plans and "Price" not in plans and
       "on request" not in plans and "business" in plans and "50,000" in plans and
       plans.count("<th scope=\"col\">") == 4 and "a minute" not in plans, plans)
    start = server.request("GET", "/").body.decode()
    ok("the start page links the tools and names the server's address",
       "/docs#rotate" in start and f"127.0.0.1:{server.port}/api/v1/tools" in start)


def main():
    folder = tempfile.mkdtemp(prefix="platen-openapi-")
    conf = os.path.join(folder, "platen.conf")
    with open(conf, "w", encoding="utf-8") as file:
        file.write("[plan <b>team</b>]\nrequests_per_month = 12345\nbytes_per_month = 1500M\n"
                   "price = 9 thalers\njobs_per_minute = 1234\n")
    server = Server("--config", conf, "--allow-fetch", "127.0.0.1", "--fetch-http", "true")
    key = server.key()
    document = server.request("GET", "/openapi.json").json
    contract = Contract(document)
    check_complete(document, contract)
    check_older(server, document)
    check_examples_fit(document, contract)
    check_judge(contract, server.run("rotate", [("a.pdf", pdf())], key, {"degrees": 90}))
    check_strict(document, contract)
    check_variants(contract, server, key, server.run("rotate", [("a.pdf", pdf())], key, {"degrees": 90}))
    check_commands(server, key, document)
    check_messages(server, document)
    text = document["info"]["description"]
    ok("examples of the guide name the address that was called, and no other server",
       f"curl -N -H \"X-API-Key: $KEY\" http://127.0.0.1:{server.port}/api/v1/jobs" in text
       and "localhost:8080" not in json.dumps(document))
    etag = server.request("GET", "/openapi.json").headers["ETag"]
    again = server.request("GET", "/openapi.json", None, {"If-None-Match": etag})
    same("/openapi.json with a matching If-None-Match is answered 304",
         (again.status, again.body, again.headers["ETag"]), (304, b"", etag))
    check_pages(server)
    same("/openapi.json names this server",
         urllib.parse.urlsplit(document["servers"][0]["url"]).port,
         server.port)
    server.close()
    shutil.rmtree(folder)
    done()


main()
