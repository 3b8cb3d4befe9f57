"""Real documents, converted by us and by soffice, one line each. Run by hand:

    test/office/corpus.py build/platen FOLDER [KEEP]

A line: the file, how our job ended, its pages, its milliseconds, and soffice's pages. What soffice
converts and we do not is marked. KEEP: a folder for both results."""

import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from platen import Server  # noqa: E402

TOOLS = {"doc": "word", "docx": "word", "odt": "word", "rtf": "word", "txt": "word",
         "xls": "excel", "xlsx": "excel", "ods": "excel", "csv": "excel",
         "ppt": "ppt", "pptx": "ppt", "odp": "ppt"}
SOFFICE = "/usr/lib/libreoffice/program/soffice"
SECONDS = 60


def pages(path):
    said = subprocess.run(["pdfinfo", path], capture_output=True, text=True).stdout
    found = [line.split()[1] for line in said.splitlines() if line.startswith("Pages:")]
    return int(found[0]) if found else 0


def by_soffice(path, folder, profile):
    """Pages of its result, 0 if it gives none, -1 if it hangs."""
    result = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".pdf")
    if os.path.exists(result):
        os.remove(result)
    try:
        subprocess.run([SOFFICE, "--headless", f"-env:UserInstallation=file://{profile}",
                        "--convert-to", "pdf", "--outdir", folder, path], timeout=SECONDS,
                       capture_output=True, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return -1, result
    return pages(result), result


def by_us(server, key, path, keep):
    tool = TOOLS[path.rsplit(".", 1)[1].lower()] + "-to-pdf"
    with open(path, "rb") as file:
        data = file.read()
    start = time.monotonic()
    answer = server.submit(tool, [(os.path.basename(path), data)], key)
    if answer.status != 202:
        return answer.error, 0, 0, ""
    job = server.wait(answer.json["jobId"], key).json
    took = round((time.monotonic() - start) * 1000)
    if job["status"] != "completed":
        return job["error"], 0, took, job["message"]
    with open(keep, "wb") as file:
        file.write(server.download(job["downloadUrl"]).body)
    warned = ", ".join(warning["code"] for warning in job["warnings"])
    return "completed", job["outputs"][0]["pages"], took, warned


def main():
    corpus = sys.argv[2]
    keep = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    profile = tempfile.mkdtemp()
    os.makedirs(os.path.join(keep, "soffice"), exist_ok=True)
    server = Server("--job-timeout", f"{SECONDS}s")
    key = server.key()
    worse = 0
    for name in sorted(os.listdir(corpus)):
        if name.rsplit(".", 1)[-1].lower() not in TOOLS:
            continue
        path = os.path.join(corpus, name)
        theirs, _ = by_soffice(path, os.path.join(keep, "soffice"), profile)
        end, ours, took, more = by_us(server, key, path, os.path.join(keep, name + ".pdf"))
        mark = ""
        if theirs > 0 and end != "completed":
            mark, worse = "WORSE", worse + 1
        elif theirs > 0 and theirs != ours:
            mark = "pages differ"
        print(f"{name:60.60} {end:24} {ours:4} {took:6} {theirs:4} {mark:12} {more}", flush=True)
    server.close()
    print(f"{worse} that soffice converts and we do not")


main()
