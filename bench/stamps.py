"""What watermarks, page numbers and signatures cost: whole programs, on a document of 1,000 scans and 100 MB."""

import os
import shutil
import subprocess

from bench import PLATEN, sized, table, write_scan

PAGES = sized(1000)
MB = 1_000_000


def run(*words):
    """CPU milliseconds and peak memory in MB of a program and all it started."""
    child = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"stamps: {words[0]} ended with status {status}")
    return (used.ru_utime + used.ru_stime) * 1e3, used.ru_maxrss / 1024


def programs(folder, scans, out):
    """Names to command lines that write `out`."""
    platen = (PLATEN, "run")
    mark = os.path.join(folder, "mark.pdf")
    write_scan(os.path.join(folder, "page.pdf"), 1, 100)
    run(*platen, "watermark", os.path.join(folder, "page.pdf"), "--text", "Confidential", "-o", mark)
    yield "qpdf, rewrite", ("qpdf", scans, out)
    yield "platen, rotate", (*platen, "rotate", scans, "--degrees", 90, "-o", out)
    yield "platen, watermark", (*platen, "watermark", scans, "--text", "Confidential", "-o", out)
    yield "platen, watermark in Chinese", (*platen, "watermark", scans, "--text", "机密文件", "-o", out)
    yield "platen, watermark, tiles", (*platen, "watermark", scans, "--text", "Confidential",
                                       "--position", "tile", "-o", out)
    yield "qpdf, overlay", ("qpdf", scans, "--overlay", mark, "--repeat=1", "--", out)
    if shutil.which("pdftk"):
        yield "pdftk, stamp", ("pdftk", scans, "stamp", mark, "output", out)
    yield "platen, page-numbers", (*platen, "page-numbers", scans, "--format",
                                   "Page {n} of {total}", "-o", out)


def signers(folder, scans, out):
    """The same with signatures: ours, and poppler's if there is certutil for its store of keys."""
    key, p12, nss = (os.path.join(folder, name) for name in ("key.pem", "key.p12", "nss"))
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Bench", "-days", 2,
        "-keyout", key, "-out", key + ".crt")
    run("openssl", "pkcs12", "-export", "-inkey", key, "-in", key + ".crt", "-name", "bench",
        "-passout", "pass:", "-out", p12)
    yield "platen, sign", (PLATEN, "run", "sign", scans, "--signerName", "Bench", "--certificate", p12,
                           "--visible", "false", "-o", out)
    if shutil.which("pk12util"):
        os.mkdir(nss)
        run("certutil", "-N", "--empty-password", "-d", nss)
        run("pk12util", "-i", p12, "-d", nss, "-W", "")
        yield "pdfsig, sign", ("pdfsig", scans, out, "-add-signature", "-nick", "bench", "-nssdir", nss)


def stamps(folder, rounds):
    scans, out = os.path.join(folder, "scans.pdf"), os.path.join(folder, "stamped.pdf")
    write_scan(scans, PAGES, MB // 10)
    lines = dict(programs(folder, scans, out)) | dict(signers(folder, scans, out))
    best, grown = {}, {}
    for _ in range(rounds):  # what is compared takes turns
        for name, words in lines.items():
            best[name] = min(best.get(name, (1e9, 0)), run(*words))
            grown[name] = (os.path.getsize(out) - os.path.getsize(scans)) / 1e3
            os.unlink(out)
    rewrite = best["qpdf, rewrite"][0]
    table(f"Something on each of {PAGES:,} pages, 0.1 MB each. CPU of the whole program: platen's is that of "
          "`platen run` with all it starts, verdict on the result included.",
          ["", "CPU ms", "of a rewrite", "peak MB", "grows by kB"],
          [[name, f"{cpu:.0f}", f"{cpu / rewrite:.2f} x", f"{peak:.1f}", f"{grown[name]:.0f}"]
           for name, (cpu, peak) in best.items()])
    os.unlink(scans)
