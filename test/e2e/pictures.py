"""Pages of uploads and results as pictures."""

import io
import os
import subprocess
import tempfile
import threading

from PIL import Image

from platen import DRAWS, Server, done, ok, pdf, same, until, without_office
from uploads_client import begin, send

without_office()


def picture(answer):
    """(format, width, height), or the error."""
    if answer.status != 200:
        return answer.status, answer.error
    image = Image.open(io.BytesIO(answer.body))
    image.load()
    return image.format, *image.size


def page(server, key, upload, number, width=None, headers=None, kind="uploads"):
    return server.request("GET", f"/api/v1/{kind}/{upload}/pages/{number}.webp" + (f"?width={width}" if width else ""),
                          key, headers)


def locked(data):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as plain, tempfile.NamedTemporaryFile(suffix=".pdf") as out:
        plain.write(data)
        plain.flush()
        subprocess.run(["qpdf", "--encrypt", "open", "owner", "256", "--", plain.name, out.name], check=True)
        return out.read()


def check_pages(server, key):
    upload = send(server, key, "a.pdf", pdf(45))
    answer = server.request("GET", f"/api/v1/uploads/{upload}/document", key)
    same("the document's answer lists its pages, and equal consecutive ones as one entry",
         answer.json,
         {"pageCount": 45, "encrypted": False, "pages": [{"width": 612.0, "height": 792.0, "count": 45}]})
    answer = page(server, key, upload, 1)
    same("a page's picture is WebP, 160 pixels wide by default",
         picture(answer), ("WEBP", 160, 208))
    same("a page's picture has Content-Type image/webp",
         answer.headers["Content-Type"], "image/webp")
    same("a page's picture has Cache-Control private",
         answer.headers["Cache-Control"], "private, max-age=3600")
    etag = answer.headers["ETag"]
    answer = page(server, key, upload, 1, headers={"If-None-Match": etag})
    same("a page's picture with a matching If-None-Match is answered 304",
         (answer.status, answer.body), (304, b""))
    same("a page's picture has the width that was asked for",
         picture(page(server, key, upload, 45, 777)), ("WEBP", 777, 1006))
    ok("the pictures of two pages have distinct ETags",
       page(server, key, upload, 2).headers["ETag"] != etag)
    for number, width in ((46, None), (61, None), (99999, 500)):
        same(f"page {number} is answered 404",
             picture(page(server, key, upload, number, width)), (404, "not_found"))
    for width in (39, 2001, "x", "-5"):
        same(f"a picture with width {width} is refused",
             picture(page(server, key, upload, 1, width)), (400, "invalid_parameter"))
    for name in ("0.webp", "1.png", "x.webp", "1", ".webp", "-1.webp", "1e3.webp"):
        same(f"the page name {name} is answered 404",
             server.ask("GET", f"/api/v1/uploads/{upload}/pages/{name}", {"X-API-Key": key}, None).status, 404)
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    same("documents and pictures use no quota", used, 0)
    return upload


def check_words(server, key):
    """Where words are, and the outline."""
    upload = send(server, key, "b.pdf", pdf(25))
    answer = server.request("GET", f"/api/v1/uploads/{upload}/pages/21.json", key)
    same("a page's words are JSON", (answer.status, answer.headers["Content-Type"]), (200, "application/json"))
    same("of that page, with its size", (answer.json["page"], answer.json["width"], answer.json["height"]), (21, 612, 792))
    ok("lines have words with boxes", all(len(word["box"]) == 4 and word["text"] for line in answer.json["lines"] for word in line["words"]))
    again = server.request("GET", f"/api/v1/uploads/{upload}/pages/21.json", key, {"If-None-Match": answer.headers["ETag"]})
    same("words with a matching If-None-Match are answered 304", again.status, 304)
    ok("words and pictures have distinct ETags", page(server, key, upload, 21).headers["ETag"] != answer.headers["ETag"])
    same("the words of a page that is not there are answered 404",
         server.request("GET", f"/api/v1/uploads/{upload}/pages/26.json", key).status, 404)
    answer = server.request("GET", f"/api/v1/uploads/{upload}/outline", key)
    same("a document without an outline has an empty one", (answer.status, answer.json), (200, {"outline": []}))
    other = server.key(name="words")
    for what in ("pages/1.json", "outline"):
        same(f"another account's request for {what} is answered 404",
             server.request("GET", f"/api/v1/uploads/{upload}/{what}", other).status, 404)
    shut = send(server, key, "shut.pdf", locked(pdf(2)))
    for what in ("pages/1.json", "outline"):
        same(f"{what} of an encrypted document without a password is answered password_required",
             server.request("GET", f"/api/v1/uploads/{shut}/{what}", key).error, "password_required")
        answer = server.request("GET", f"/api/v1/uploads/{shut}/{what}", key, {"X-Input-Password": "open"})
        same(f"{what} of an encrypted document with its password is answered and not kept",
             (answer.status, answer.headers["Cache-Control"]), (200, "no-store"))


def check_many(server, key, upload):
    """All at once, as a browser asks."""
    got = {}

    def ask(number):
        got[number] = picture(page(server, key, upload, number, 100))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(1, 46)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same("concurrent requests for all pages are all answered",
         {v for v in got.values()}, {("WEBP", 100, 130)})


def check_others(server, key, upload):
    other = server.key(name="other")
    same("another account's request for a page is answered 404",
         picture(page(server, other, upload, 1)), (404, "upload_not_found"))
    same("another account's request for the document is answered 404",
         server.request("GET", f"/api/v1/uploads/{upload}/document", other).error, "upload_not_found")
    same("a request for a page without a key is answered 401",
         page(server, None, upload, 1).status, 401)
    server.request("DELETE", f"/api/v1/uploads/{upload}", key)
    same("a page of a deleted upload is answered 404",
         picture(page(server, key, upload, 1)), (404, "upload_not_found"))


def check_kinds(server, key):
    upload = send(server, key, "locked.pdf", locked(pdf(2)))
    answer = server.request("GET", f"/api/v1/uploads/{upload}/document", key)
    same("an encrypted document without a password is answered password_required",
         (answer.status, answer.error), (422, "password_required"))
    same("a page of an encrypted document without a password is answered password_required",
         picture(page(server, key, upload, 1)), (422, "password_required"))
    answer = server.request("GET", f"/api/v1/uploads/{upload}/document", key, {"X-Input-Password": "open"})
    same("an encrypted document with its password is described",
         (answer.json["pageCount"], answer.json["encrypted"]), (2, True))
    same("a page of an encrypted document with its password is drawn",
         picture(page(server, key, upload, 2, headers={"X-Input-Password": "open"})), ("WEBP", 160, 208))
    drawn = page(server, key, upload, 2, headers={"X-Input-Password": "open"})
    same("a page of an encrypted document is not kept by browsers",
         (drawn.headers["Cache-Control"], drawn.headers["ETag"]), ("no-store", None))
    same("a page of an encrypted document is refused without a password after it was drawn",
         picture(page(server, key, upload, 2)), (422, "password_required"))
    same("a page of an encrypted document with a wrong password is answered wrong_password",
         picture(page(server, key, upload, 2, headers={"X-Input-Password": "no"})), (422, "wrong_password"))
    upload = send(server, key, "a.txt", b"only text")
    same("a page of a file that is not a PDF is answered 415",
         picture(page(server, key, upload, 1)), (415, "unsupported_file_type"))
    upload = send(server, key, "broken.pdf", b"%PDF-1.7 and nothing else")
    same("a page of a damaged file is answered corrupt_file",
         picture(page(server, key, upload, 1)), (422, "corrupt_file"))
    upload = begin(server, key, "a.pdf", 10).json["uploadId"]
    same("a page of an incomplete upload is answered 409",
         picture(page(server, key, upload, 1)), (409, "upload_not_complete"))


def check_jobs(server, key):
    job = server.run("rotate", [("a.pdf", pdf(3))], key, {"degrees": 90})
    same("a page of a result is drawn",
         picture(page(server, key, job["jobId"], 3, 80, kind="jobs")), ("WEBP", 80, 62))
    job = server.run("split", [("a.pdf", pdf(3))], key, {"pages": "1,2-3"})
    answer = server.request("GET", f"/api/v1/jobs/{job['jobId']}/document?output=2", key)
    same("the document of one of several outputs is described", answer.json["pageCount"], 2)
    answer = server.request("GET", f"/api/v1/jobs/{job['jobId']}/pages/2.webp?output=2&width=60", key)
    same("a page of one of several outputs is drawn", picture(answer), ("WEBP", 60, 78))
    server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)
    same("a page of a deleted job is answered job_not_found",
         server.request("GET", f"/api/v1/jobs/{job['jobId']}/pages/2.webp?output=2&width=60", key).error, "job_not_found")


def nameless(server):
    """The bytes of files without a name that the server has open: where it caches pictures."""
    total = 0
    for name in os.listdir(f"/proc/{server.process.pid}/fd"):
        try:
            path = f"/proc/{server.process.pid}/fd/{name}"
            total += os.stat(path).st_size if os.readlink(path).endswith(" (deleted)") else 0
        except OSError:
            pass  # closed meanwhile
    return total


def check_cache():
    """What is cached never exceeds page_cache, and goes with its document."""
    keep = 50000
    server = Server("--page-cache", str(keep))
    key = server.key()
    before = nameless(server)
    upload = send(server, key, "a.pdf", pdf(60))
    sent, most = 0, 0
    for number in range(1, 61):
        answer = page(server, key, upload, number, 1500)
        sent += len(answer.body)
        most = max(most, nameless(server) - before)
        if answer.status != 200:
            same("each page is drawn", answer.status, 200)
            break
    ok("the pictures drawn exceed the cache's limit by far", sent > 3 * keep, sent)
    largest = sent // 60 * 2
    ok("the cache keeps at most page_cache bytes and the picture drawn last",
       0 < most <= keep + largest, most)
    ok("the cache keeps at most page_cache bytes without further requests",
       until(lambda: nameless(server) - before <= keep), nameless(server) - before)
    same("a page that the cache dropped is drawn again",
         picture(page(server, key, upload, 1, 1500))[:2], ("WEBP", 1500))
    for _ in range(3):
        answer = page(server, key, upload, 1, 2001)
    same("a width out of range is refused before anything is cached", answer.status, 400)
    server.request("DELETE", f"/api/v1/uploads/{upload}", key)
    ok("the cache drops the pictures of a deleted upload",
       until(lambda: nameless(server) <= before), nameless(server), before)
    same("the server with a small cache stops cleanly", server.close(), 0)


def check_turns():
    """An account that asks without a pause does not keep another one waiting."""
    server = Server("--page-threads", "1")
    greedy, modest = server.key(name="greedy"), server.key(name="modest")
    upload, own = send(server, greedy, "a.pdf", pdf(100)), send(server, modest, "b.pdf", pdf(1))
    drawn, answered = [], threading.Event()

    def ask(first):
        for number in range(1, 101):
            if answered.is_set() or len(drawn) > 100:
                break
            drawn.extend([number] * (page(server, greedy, upload, number, 701 + first).status == 200))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(24)]
    for thread in threads:
        thread.start()
    ok("one account has pages drawn all the time", until(lambda: len(drawn) > 5), drawn)
    before = len(drawn)
    same("a page of another account is drawn", picture(page(server, modest, own, 1, 701))[:2], ("WEBP", 701))
    ok("after few of the first one's", len(drawn) - before < 20, len(drawn) - before)
    answered.set()
    for thread in threads:
        thread.join()
    same("the server stops", server.close(), 0)


def main():
    if not DRAWS:
        print("1..0 # SKIP nothing draws pages in this build")
        return
    check_cache()
    check_turns()
    server = Server()
    key = server.key()
    upload = check_pages(server, key)
    check_words(server, key)
    check_many(server, key, upload)
    check_others(server, key, upload)
    check_kinds(server, key)
    check_jobs(server, key)
    same("the server stops cleanly", server.close(), 0)
    done()


main()
