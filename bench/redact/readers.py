"""Looks for a secret in a document as somebody would who wants it: in every decoded stream, by programs that extract text, in what
earlier revisions, attachments and metadata say, in fonts, and in the pixels of pictures and of the drawn pages."""

import os
import re
import subprocess
import unicodedata
import zlib
from pictures import HIGH, WIDE, dots


def run(*command, data=None):
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=60)
        return done.stdout
    except subprocess.TimeoutExpired:
        return b""


def plain(value):
    """Text without what separates its letters."""
    return "".join(c for c in unicodedata.normalize("NFKC", value).casefold() if c.isalnum())


def says(value, secret):
    """Whether text has the secret, in either direction, with anything between its letters but other letters."""
    wanted = plain(secret)
    for given in (value, "".join(c for c in value if c not in "\x00")):
        found = plain(given)
        if wanted in found or wanted[::-1] in found:
            return True
    return False


def strings_of(data):
    """The strings of PDF syntax, decoded, one after the other, and those in hexadecimal."""
    out = []
    for found in re.finditer(rb"\((?:[^()\\]|\\.)*\)|<([0-9A-Fa-f\s]+)>", data, re.S):
        if found.group(1) is not None:
            digits = re.sub(rb"\s", b"", found.group(1))
            raw = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        else:
            raw = re.sub(rb"\\([0-7]{1,3}|.)", lambda m: bytes([int(m.group(1), 8) & 255]) if m.group(1)[:1] in b"01234567" else m.group(1),
                         found.group()[1:-1], flags=re.S)
        out.append(raw)
    return out


def disclosed(data):
    """Bytes without elements of markup, with characters in place of numbers of XML and of escapes of addresses and scripts."""
    data = re.sub(rb"\x1b[A-Za-z]{2,5}\x1b|<[^<>]{1,200}>", b"", data)
    data = re.sub(rb"&#(\d{1,5});", lambda m: chr(int(m.group(1))).encode("utf-8", "ignore"), data)
    return re.sub(rb"(?:%|\\x|\\\\?u00)([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), data)


def spelled(secret):
    """The spellings of several words in names of files and addresses."""
    return {secret.replace(" ", by) for by in (" ", "", "_", "-", ".", "+")}


def in_bytes(data, secret):
    spellings = {form for one in (secret, secret.upper(), secret.lower()) for form in spelled(one)}
    texts = [s[2:].decode("utf-16-be", "ignore").encode("utf-8", "ignore") for s in strings_of(data) if s[:2] == b"\xfe\xff"]
    plainer = b"\n".join(map(disclosed, [data, *texts]))
    if any(one.encode() in plainer for one in spellings):
        return True
    for one in spellings:
        for encoding in ("latin-1", "utf-8", "utf-16-be", "utf-16-le"):
            try:
                raw = one.encode(encoding)
            except UnicodeEncodeError:
                continue
            if raw in data or raw.hex().encode() in data.lower():
                return True
    strings = strings_of(data)
    joined = b"".join(strings)
    return says(joined.decode("latin-1"), secret) or any(
        s[:2] == b"\xfe\xff" and says(s[2:].decode("utf-16-be", "ignore"), secret) for s in strings)


def inflated(data):
    """The data of all streams that deflate packed, also of those that no object refers to."""
    out = []
    for found in re.finditer(rb"stream\r?\n", data):
        try:
            unpack = zlib.decompressobj()
            out.append(unpack.decompress(data[found.end():]))
        except zlib.error:
            pass
    return out


def streams(path, secret, work):
    with open(path, "rb") as file:
        data = file.read()
    if in_bytes(data, secret) or any(in_bytes(one, secret) for one in inflated(data)):
        return True
    out = os.path.join(work, "qdf.pdf")
    run("qpdf", "--qdf", "--object-streams=disable", "--decode-level=all", path, out)
    with open(out, "rb") as file:
        return in_bytes(file.read(), secret)


def extractors(path, secret, work):
    texts = [run("pdftotext", *mode, path, "-") for mode in ([], ["-layout"], ["-raw"], ["-htmlmeta", "-nodiag"], ["-tsv"])]
    texts += [run("mutool", "draw", "-q", "-F", form, "-o", "-", path) for form in ("text", "trace", "stext.json")]
    trace = "".join(chr(int(code, 16)) for code in re.findall(r'unicode="(?:U\+)?([0-9a-fA-F]+)"', texts[-2].decode("utf-8", "ignore")))
    shown = "".join(re.findall(r'unicode="(.)"', texts[-2].decode("utf-8", "ignore")))
    return any(says(re.sub(r"<[^>]*>", " ", one.decode("utf-8", "ignore")), secret) or says(one.decode("utf-8", "ignore"), secret)
               for one in texts) or says(shown, secret) or says(trace, secret)


def metadata(path, secret, work):
    texts = [run("exiftool", "-a", "-u", "-g1", "-ee", path), run("pdfinfo", "-custom", path), run("pdfinfo", "-meta", path),
             run("pdfinfo", "-js", path), run("pdfinfo", "-dests", path), run("pdfinfo", "-url", path), run("pdfinfo", "-struct-text", path)]
    return any(says(one.decode("utf-8", "ignore"), secret) for one in texts)


def attachments(path, secret, work):
    folder = os.path.join(work, "attached")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    listed = run("pdfdetach", "-list", path)
    run("pdfdetach", "-saveall", "-o", folder, path)
    found = says(listed.decode("utf-8", "ignore"), secret)
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        found = found or in_bytes(data, secret) or (data[:5] == b"%PDF-" and any(in_bytes(one, secret) for one in [data, *inflated(data)]))
    return found


def revisions(path, secret, work):
    with open(path, "rb") as file:
        data = file.read()
    ends = [found.end() for found in re.finditer(rb"%%EOF", data)][:-1]
    for end in ends:
        older = os.path.join(work, "older.pdf")
        with open(older, "wb") as file:
            file.write(data[:end] + b"\n")
        if extractors(older, secret, work):
            return True
    return False


def fonts(path, secret, work):
    """Letters that nothing but the secret has, in maps, names and procedures of fonts."""
    out = os.path.join(work, "qdf.pdf")
    run("qpdf", "--qdf", "--object-streams=disable", "--decode-level=all", path, out)
    with open(out, "rb") as file:
        data = file.read()
    rare = {c for c in secret if c in "QZJKVYqzjkvy" or ord(c) > 127}
    mapped = set()
    for block in re.findall(rb"begincmap.*?endcmap", data, re.S):
        for code in re.findall(rb"<[0-9A-Fa-f]+>\s*<([0-9A-Fa-f]+)>", block):
            mapped |= {c for c in bytes.fromhex(code.decode()).decode("utf-16-be", "ignore") if c in rare}
    for names in re.findall(rb"/Differences\s*\[(.*?)\]", data, re.S):
        mapped |= {c for c in rare if re.search(b"/" + re.escape(c.encode()) + rb"[\s/\]]", names + b" ")}
    return len(mapped) >= 2


def raster(data):
    """Width, height and gray values of a picture as netpbm writes it."""
    found = re.match(rb"(P[456])\s+(?:#[^\n]*\n)?(\d+)\s+(\d+)\s+", data)
    if not found:
        return None
    kind, wide, high, at = found.group(1), int(found.group(2)), int(found.group(3)), found.end()
    if kind == b"P4":
        line = (wide + 7) // 8
        return wide, high, [0 if data[at + y * line + x // 8] >> (7 - x % 8) & 1 else 255 for y in range(high) for x in range(wide)]
    at += len(re.match(rb"\d+\s", data[at:]).group())
    step = 3 if kind == b"P6" else 1
    return wide, high, [sum(data[at + i * step:at + (i + 1) * step]) // step for i in range(wide * high)]


def shows(picture, area, secret):
    """Whether the pattern of the secret is in an area of a picture: left, top, width, height; dark or light, or mostly."""
    wide, _, values = picture
    left, top, width, height = area
    got = [[values[int(top + (y + 0.5) * height / 8) * wide + int(left + (x + 0.5) * width / 8)] for x in range(8)] for y in range(8)]
    same = sum((got[y][x] < 128) == dots(secret)[y][x] for y in range(8) for x in range(8))
    return len({v < 128 for row in got for v in row}) == 2 and (same >= 56 or same <= 8)


def pictures(path, secret, work):
    folder = os.path.join(work, "pictures")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    run("pdfimages", path, os.path.join(folder, "i"))
    found = False
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            picture = raster(file.read())
        if picture and picture[:2] == (WIDE, HIGH):
            found = found or shows(picture, (0, 0, 32, 32), secret)
    out = os.path.join(work, "qdf.pdf")
    run("qpdf", "--qdf", "--object-streams=disable", "--decode-level=all", path, out)
    with open(out, "rb") as file:
        data = file.read()
    # Thumbnails, alternates and what nothing draws: any data of the picture's size.
    for found_at in re.finditer(rb"stream\n", data):
        for size, step in ((WIDE * HIGH, 1), (WIDE * HIGH * 3, 3)):
            raw = data[found_at.end():found_at.end() + size]
            if data[found_at.end() + size:found_at.end() + size + 10].strip().startswith(b"endstream"):
                found = found or shows((WIDE, HIGH, [raw[i * step] * (255 if max(raw) == 1 else 1) for i in range(WIDE * HIGH)]),
                                       (0, 0, 32, 32), secret)
    return found


def drawn(path, secret, work):
    out = os.path.join(work, "page.ppm")
    for command in (["pdftoppm", "-r", "72", "-singlefile", path, out[:-4]], ["mutool", "draw", "-q", "-r", "72", "-o", out, path, "1"]):
        if os.path.exists(out):
            os.unlink(out)
        run(*command)
        if not os.path.exists(out):
            continue
        with open(out, "rb") as file:
            picture = raster(file.read())
        if picture and picture[0] >= 272 and picture[1] >= 240 and shows(picture, (72, 104, 128, 128), secret):
            return True
    return False


READERS = {"streams": streams, "extractors": extractors, "metadata": metadata, "attachments": attachments, "revisions": revisions,
           "fonts": fonts}
SEEING = {"pictures": pictures, "drawn": drawn}


def leaks(path, secret, by, work, every=False):
    """The name of the first reader that finds the secret, or of all that do."""
    found = []
    for name, reader in (SEEING if by == "box" else READERS).items():
        if reader(path, secret, work):
            found.append(name)
            if not every:
                break
    return found
