"""The API's description is complete, true, and each of its examples works when it is pasted."""

import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.parse

from PIL import Image

from contract import Contract
from platen import PLATEN, Server, done, ok, pdf, same

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLES = os.path.join(ROOT, "test/samples")
METHODS = ("get", "post", "delete")


def operations(document):
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, method, item[method]


def check_complete(document, contract):
    with open(os.path.join(ROOT, "src/api/routes.c"), encoding="utf-8") as routes:
        table = re.findall(r'\{ "(\w+)", "([^"]+)"', routes.read())
    described = {(method.upper(), re.sub(r"\{\w+\}", "{}", path))
                 for path, method, _ in operations(document)}
    for method, path in table:
        if path.startswith("/assets/"):
            continue  # what the pages load is no part of the API
        plain = re.sub(r"\{\w+\}", "{}", path)
        there = ((method, plain) in described or
                 plain == "/api/v1/tools/pdf/{}" and ("POST", "/api/v1/tools/pdf/rotate") in described)
        ok(f"{method} {path} is described", there)
    for path, method, it in operations(document):
        texts = [it.get("summary"), it.get("operationId"), it["tags"][0]]
        ok(f"{method} {path} says what it does and how it fails",
           all(texts) and "default" in it["responses"])
    bare = [f"{path} {name}" for path, _, it in operations(document) if "requestBody" in it
            for name, schema in
            it["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"].items()
            if not contract.resolve(schema).get("description")]
    same("every field of every form is explained", bare, [])
    same("every tool has an example", [], [
        path for path, _, it in operations(document) if "requestBody" in it
        and not it["requestBody"]["content"]["multipart/form-data"].get("examples")])


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
                    same(f"{name}: {title} is as its schema says",
                         contract.schema_faults(media["schema"], example["value"]), [])
    for path, _, it in operations(document):
        media = it.get("requestBody", {}).get("content", {}).get("multipart/form-data", {})
        for title, example in media.get("examples", {}).items():
            same(f"{path}: {title} is as its schema says",
                 contract.schema_faults(media["schema"], example["value"]), [])


def check_judge(contract, job):
    """The judge of all other tests can say no."""
    path = f"/api/v1/jobs/{job['jobId']}"
    headers = {"Content-Type": "application/json"}

    def judged(status=200, more=None, **change):
        body = json.dumps({**job, **change}).encode()
        return contract.faults("GET", path, status, {**headers, **(more or {})}, body)

    same("an answer that fits is let pass", judged(), [])
    ok("a status that is not described is a fault", judged(status=418))
    ok("a header that is not described is a fault", judged(more={"X-New": "1"}))
    ok("a header of the wrong type is a fault", judged(more={"Retry-After": "soon"}))
    ok("a value of the wrong type is a fault", judged(outputFile=7))
    ok("a value that is none of those there are is a fault", judged(status="done") and
       judged(**{"progress": 2}))
    ok("a body of another kind is a fault", judged(more={"Content-Type": "text/html"}))


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
    shutil.copy(os.path.join(SAMPLES, "damaged.pdf"), folder)
    for sample, name in (("docx", "letter"), ("xlsx", "costs"), ("pptx", "talk")):
        shutil.copy(os.path.join(SAMPLES, "office", f"plain.{sample}"),
                    os.path.join(folder, f"{name}.{sample}"))
    run(PLATEN, "run", "add-password", "report.pdf", "--password", "open sesame", "-o", "locked.pdf")
    run(PLATEN, "run", "jpg-to-pdf", "front.jpg", "-o", "pictures.pdf")
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out",
        "ada.pem", "-days", "30", "-subj", "/CN=Ada Example")
    run("openssl", "pkcs12", "-export", "-inkey", "key.pem", "-in", "ada.pem", "-out", "ada.p12",
        "-passout", "pass:open sesame")


def check_commands(server, key, document):
    """Pastes every command of docs/api.md."""
    folder = tempfile.mkdtemp(prefix="platen-examples-")
    prepare(folder)
    with open(os.path.join(ROOT, "docs/api.md"), encoding="utf-8") as text:
        blocks = re.findall(r"^```sh\n(.*?)^```", text.read(), re.M | re.S)
    tools = {path.rsplit("/", 1)[1] for path in document["paths"] if "/tools/" in path}
    env = {**os.environ, "KEY": key, "JOB": "", "DOWNLOAD_URL": ""}
    n_jobs = 0
    for block in blocks:
        tool = re.search(r"/tools/pdf/([\w-]+)", block)
        if not block.startswith("curl") or tool and tool[1] not in tools:
            continue  # a build without the tool
        what = " ".join(block.replace("\\\n", " ").split())
        ran = subprocess.run(["sh", "-ec", "curl() { command curl -sS --fail-with-body \"$@\"; }\n" +
                              block.replace("localhost:8080", f"127.0.0.1:{server.port}")],
                             cwd=folder, env=env, capture_output=True, text=True, timeout=60)
        if not ok(what, ran.returncode == 0, ran):
            continue
        answer = json.loads(ran.stdout) if ran.stdout.startswith("{") else {}
        env["DOWNLOAD_URL"] = answer.get("downloadUrl", env["DOWNLOAD_URL"])
        if not tool or "jobId" not in answer:
            continue
        env["JOB"] = answer["jobId"]
        job = server.wait(answer["jobId"], key).json
        same(f"... and the job of {tool[1]} is completed", job["status"], "completed")
        same("... with its result", server.download(job.get("downloadUrl", "/")).status, 200)
        n_jobs += 1
    ok("there were examples of all tools", n_jobs >= len(tools), n_jobs, len(tools))
    shutil.rmtree(folder)


def check_pages(server):
    """The pages load nothing that is not here, and may not."""
    for path in ("/", "/docs", "/pricing"):
        page = server.request("GET", path)
        text = page.body.decode()
        same(f"{path} is there", page.status, 200)
        ok(f"{path} may load and run only what is ours",
           "default-src 'none'" in page.headers["Content-Security-Policy"])
        ok(f"{path} has no blank left", "{{" not in text)
        seen, queue = set(), re.findall(r'(?:src|href)="(/assets/[^"]+)"', text)
        while queue:
            asset = queue.pop()
            seen.add(asset)
            got = server.ask("GET", asset, {}, None)
            same(f"{path} loads {asset}", got.status, 200)
            queue += [found for found in ("/assets/" + name for name in
                                          re.findall(r'from "\./([^"]+)"', got.body.decode()))
                      if found not in seen]
            ok(f"{asset} names no other host",
               not re.search(r'(?:src|href|url|from|import)\W{1,3}https?://', got.body.decode()))
        ok(f"{path} names no other host", not re.search(r'(?:src|href)="https?:', text))
    got = server.ask("GET", "/assets/style.css", {}, None)
    same("an asset that is known is not sent again", server.ask(
        "GET", "/assets/style.css", {"If-None-Match": got.headers["ETag"]}, None).status, 304)
    same("the templates are no assets", server.ask("GET", "/assets/page.html", {}, None).status, 404)
    plans = server.request("GET", "/pricing").body.decode()
    ok("the plans are those of the configuration",
       "<b>team</b>" not in plans and "&lt;b&gt;team&lt;/b&gt;" in plans and "1.5 GB" in plans
       and "12,345" in plans and "9 thalers" in plans, plans)
    start = server.request("GET", "/").body.decode()
    ok("the start page lists the tools and says where it is",
       "/docs#rotate" in start and f"127.0.0.1:{server.port}/api/v1/tools" in start)


def main():
    folder = tempfile.mkdtemp(prefix="platen-openapi-")
    conf = os.path.join(folder, "platen.conf")
    with open(conf, "w", encoding="utf-8") as file:
        file.write("[plan <b>team</b>]\nrequests_per_month = 12345\nbytes_per_month = 1500M\n"
                   "price = 9 thalers\n")
    server = Server("--config", conf)
    key = server.key()
    document = server.request("GET", "/openapi.json").json
    contract = Contract(document)
    check_complete(document, contract)
    check_examples_fit(document, contract)
    check_judge(contract, server.run("rotate", [("a.pdf", pdf())], key, {"degrees": 90}))
    check_commands(server, key, document)
    check_pages(server)
    same("the server named in it is this one", urllib.parse.urlsplit(document["servers"][0]["url"]).port,
         server.port)
    server.close()
    shutil.rmtree(folder)
    done()


main()
