"""60 kinds of damage, by what causes them in real life. Each takes the bytes of a document and a
random.Random, and returns the damaged bytes, or None where the kind does not apply."""

import base64
import binascii
import gzip
import quopri
import re
import zlib

STREAM = re.compile(rb"\bstream\r?\n(.*?)\r?\nendstream", re.S)
OBJECT = re.compile(rb"(?<!\d)(\d+) 0 obj\b.*?\bendobj", re.S)
LATIN = "latin-1"


# ---- Transfers

def http_headers(data, chance):
    """A program that saved the whole answer."""
    return (b"HTTP/1.1 200 OK\r\nDate: Tue, 03 Feb 2026 10:11:12 GMT\r\nContent-Type: application/pdf"
            b"\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(data)) + data


def http_chunks(data, chance):
    """The body of an answer with Transfer-Encoding: chunked, saved as it came."""
    size, out = chance.choice((1000, 4096, 8192)), b""
    for at in range(0, len(data), size):
        piece = data[at:at + size]
        out += b"%x\r\n" % len(piece) + piece + b"\r\n"
    return out + b"0\r\n\r\n"


def multipart_body(data, chance):
    """An upload of a form, saved as it came."""
    mark = b"------WebKitFormBoundary%016x" % chance.getrandbits(64)
    return (mark + b"\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nreport\r\n" + mark +
            b"\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n"
            b"Content-Type: application/pdf\r\n\r\n" + data + b"\r\n" + mark + b"--\r\n")


def lf_to_crlf(data, chance):
    """FTP in ASCII mode from Unix to Windows."""
    return data.replace(b"\n", b"\r\n")


def crlf_to_lf(data, chance):
    """FTP in ASCII mode from Windows to Unix."""
    return data.replace(b"\r\n", b"\n")


def cr_to_lf(data, chance):
    """A Macintosh program's line ends made those of Unix."""
    return data.replace(b"\r", b"\n")


def lf_to_cr(data, chance):
    return data.replace(b"\n", b"\r")


def cr_stripped(data, chance):
    """tr -d '\\r'"""
    return data.replace(b"\r", b"")


def seven_bits(data, chance):
    """A line that carried seven bits."""
    return bytes(byte & 127 for byte in data)


def block_padding(data, chance):
    """XMODEM fills its last block; the receiver repeated one block."""
    at = 128 * chance.randrange(1, len(data) // 128)
    out = data[:at] + data[at - 128:at] + data[at:]
    return out + b"\x1a" * (-len(out) % 128)


def resume_overlap(data, chance):
    """A download resumed too early: a piece is there twice."""
    at = chance.randrange(len(data) // 4, len(data) * 3 // 4)
    return data[:at] + data[max(0, at - chance.randrange(100, 5000)):]


def resume_gap(data, chance):
    """A download resumed too late: a piece is missing."""
    at = chance.randrange(len(data) // 4, len(data) * 3 // 4)
    return data[:at] + data[at + chance.randrange(100, 3000):]


def missing_pieces(data, chance):
    """A torrent that is not complete: pieces are zero."""
    size = max(256, min(16384, len(data) // 12))
    out = bytearray(data)
    for number in chance.sample(range(len(data) // size), 2):
        out[number * size:(number + 1) * size] = bytes(size)
    return bytes(out)


def packets_swapped(data, chance):
    size = 1460
    if len(data) < 6 * size:
        return None
    packets = [data[at:at + size] for at in range(0, len(data), size)]
    at = chance.randrange(len(packets) - 2)
    packets[at], packets[at + 1] = packets[at + 1], packets[at]
    return b"".join(packets)


def doubled_ff(data, chance):
    """Telnet's IAC, escaped and never unescaped."""
    return data.replace(b"\xff", b"\xff\xff")


def script_injected(data, chance):
    """A proxy that adds its script to whatever it carries."""
    script = (b"<script type=\"text/javascript\" src=\"http://192.0.2.1/toolbar.js?id=%d\"></script>\n"
              % chance.randrange(10 ** 6))
    at = chance.choice((0, len(data), chance.randrange(len(data))))
    return data[:at] + script + data[at:]


# ---- Mail

def mail_whole(data, chance):
    """The source of a mail, saved instead of its attachment."""
    mark = b"=_part_%08x" % chance.getrandbits(32)
    return (b"From: a@example.org\r\nTo: b@example.org\r\nSubject: contract\r\nMIME-Version: 1.0\r\n"
            b"Content-Type: multipart/mixed; boundary=\"" + mark + b"\"\r\n\r\n--" + mark +
            b"\r\nContent-Type: text/plain\r\n\r\nHere it is.\r\n\r\n--" + mark +
            b"\r\nContent-Type: application/pdf; name=\"a.pdf\"\r\nContent-Transfer-Encoding: base64"
            b"\r\n\r\n" + base64.encodebytes(data).replace(b"\n", b"\r\n") + b"\r\n--" + mark +
            b"--\r\n")


def base64_line_lost(data, chance):
    """Some lines of the base64 of an attachment did not arrive."""
    lines = base64.encodebytes(data).splitlines(True)
    for _ in range(chance.randint(1, 2)):
        del lines[chance.randrange(len(lines) // 4, len(lines) - 1)]
    return base64.decodebytes(b"".join(lines))


def quoted_printable(data, chance):
    return quopri.encodestring(data)


def uuencoded(data, chance):
    return b"begin 644 a.pdf\n" + b"".join(
        binascii.b2a_uu(data[at:at + 45]) for at in range(0, len(data), 45)) + b"`\nend\n"


def long_lines_broken(data, chance):
    """A mail server that breaks lines of more than 990 bytes."""
    out = []
    for line in data.split(b"\n"):
        while len(line) > 990:
            out.append(line[:990])
            line = line[990:]
        out.append(line)
    return b"\r\n".join(out)


def dots_doubled(data, chance):
    """SMTP's transparency, not undone."""
    changed = re.sub(rb"(?m)^\.", b"..", data)
    return changed if changed != data else None


def footer_added(data, chance):
    """A disclaimer at the end, and a virus scanner's words in front."""
    return (b"X-Virus-Scanned: yes\n\n" + data + b"\n-- \nThis message is confidential. If you are not "
            b"its recipient, delete it.\n" * 40)


# ---- Web servers and programs

def warning_in_front(data, chance):
    return (b"<br />\n<b>Warning</b>:  Cannot modify header information - headers already sent in "
            b"<b>/srv/www/index.php</b> on line <b>%d</b><br />\n" % chance.randrange(900)) * \
        chance.randint(1, 20) + data


def byte_order_mark(data, chance):
    """A template with a byte order mark, and the lines around it."""
    return b"\xef\xbb\xbf\r\n\r\n" + data + b"\r\n"


def gzipped(data, chance):
    """Content-Encoding: gzip, once or twice, not undone."""
    for _ in range(chance.randint(1, 2)):
        data = gzip.compress(data, mtime=0)
    return data


def page_appended(data, chance):
    """The download script goes on and sends its web page too."""
    return data + b"<!DOCTYPE html>\n<html><head><title>Download</title></head><body>\n" + \
        b"<div class=\"row\"><a href=\"/obj\">more</a></div>\n" * 60 + b"</body></html>\n"


def log_lines_inside(data, chance):
    """Standard error and standard output in one file."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        data = (data[:at] + b"2026-02-03 10:11:%02d WARN font cache is stale\n" %
                chance.randrange(60) + data[at:])
    return data


def nul_dropped(data, chance):
    return data.replace(b"\0", b"")


def nul_to_space(data, chance):
    return data.replace(b"\0", b" ")


def utf8(data, chance):
    return data.decode(LATIN).encode()


def utf8_twice(data, chance):
    return data.decode(LATIN).encode().decode(LATIN).encode()


def utf8_lossy(data, chance):
    """Read as UTF-8, with U+FFFD for what is none, and written again."""
    return data.decode("utf-8", "replace").encode()


def utf8_other_page(data, chance):
    """Taken for text in another code page."""
    return data.decode(chance.choice(("cp437", "mac_roman", "cp866", "koi8_r"))).encode()


def question_marks(data, chance):
    return data.decode(LATIN).encode("ascii", "replace")


def utf16(data, chance):
    return data.decode(LATIN).encode("utf-16")


def percent_escaped(data, chance):
    """application/x-www-form-urlencoded"""
    return b"file=" + b"".join(
        bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"%%%02X" % byte for byte in data)


def hex_digits(data, chance):
    text = data.hex().encode()
    return b"\\x" + text if chance.random() < .5 else re.sub(rb"(.{60})", rb"\1\n", text)


def json_string(data, chance):
    """A string of JSON, each byte above 126 as an escape."""
    out = "".join(char if 32 <= ord(char) < 127 and char not in '"\\' else
                  {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}.get(
                      char, f"\\u{ord(char):04x}") for char in data.decode(LATIN))
    return b'{"name":"a.pdf","data":"' + out.encode() + b'"}'


def trailing_blanks_cut(data, chance):
    """An editor that removes blanks at the ends of lines."""
    return re.sub(rb"[ \t]+(?=\n)", b"", data)


def tabs_expanded(data, chance):
    return data.replace(b"\t", b"        ")


# ---- Storage

def sectors_zero(data, chance):
    out = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = 512 * chance.randrange(len(data) // 512)
        out[at:at + 512] = bytes(len(out[at:at + 512]))
    return bytes(out)


def cluster_of_noise(data, chance):
    size = 4096 if len(data) > 40000 else 1024
    if len(data) < 3 * size:
        return None
    at = size * chance.randrange(len(data) // size)
    return data[:at] + chance.randbytes(len(data[at:at + size])) + data[at + size:]


def stale_cluster(data, chance):
    """A cluster with what was there before: text of another file."""
    size = 4096 if len(data) > 40000 else 1024
    if len(data) < 3 * size:
        return None
    at = size * chance.randrange(len(data) // size)
    line = b"12 0 obj\n<</Type/Annot/Rect[0 0 9 9]>>\nendobj\nfunction f(a) { return a + 1; }\n"
    return data[:at] + (line * 60)[:len(data[at:at + size])] + data[at + size:]


def sectors_swapped(data, chance):
    if len(data) < 3072:
        return None
    sectors = [data[at:at + 512] for at in range(0, len(data), 512)]
    a, b = chance.sample(range(len(sectors) - 1), 2)
    sectors[a], sectors[b] = sectors[b], sectors[a]
    return b"".join(sectors)


def bits_flipped(data, chance):
    out = bytearray(data)
    for _ in range(max(3, len(out) // 8000)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def stuck_bit(data, chance):
    """A cell of memory whose bit is always set: one byte of each 4096."""
    out, bit = bytearray(data), 1 << chance.randrange(8)
    for at in range(chance.randrange(min(4096, len(out))), len(out), 4096):
        out[at] |= bit
    return bytes(out)


def cut_half(data, chance):
    return data[:int(len(data) * chance.uniform(.4, .7))]


def cut_end(data, chance):
    return data[:int(len(data) * chance.uniform(.85, .995))]


def tail_of_zeros(data, chance):
    """Space that was reserved and never written."""
    at = int(len(data) * chance.uniform(.6, .95))
    return data[:at] + bytes(len(data) - at)


def head_lost(data, chance):
    return data[chance.choice((512, 1024, len(data) // 12)):]


def byte_added(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at:]


def byte_lost(data, chance):
    at = chance.randrange(len(data))
    return data[:at] + data[at + 1:]


# ---- Programs, and repair by others

def two_files(data, chance):
    """An upload that broke off, and the whole file behind it."""
    return data[:int(len(data) * chance.uniform(.2, .8))] + data


def offsets_shifted(data, chance):
    """A tool that edited the text of an object and left the table as it was."""
    found = re.search(rb"\d+ 0 obj", data)
    if not found:
        return None
    at = found.start()
    data = data[:at] + b"% edited by a program\n" * chance.randint(1, 9) + data[at:]
    return re.sub(rb"(startxref\s+)(\d+)", lambda m: m[1] + b"%d" % (int(m[2]) + 3), data)


def lengths_wrong(data, chance):
    changed = re.sub(rb"/Length (\d+)(?! \d+ R)", lambda m: b"/Length %d" % chance.choice(
        (0, int(m[1]) // 2, int(m[1]) + chance.randrange(1, 300), int(m[1]) * 2)), data)
    return changed if changed != data else None


def pages_lost(data, chance):
    """The nodes of the page tree are gone."""
    found = [m for m in OBJECT.finditer(data) if re.search(rb"/Type ?/Pages\b", m[0][:4000])]
    for m in found:
        data = data[:m.start()] + b" " * len(m[0]) + data[m.end():]
    return data if found else None


def streams_spoilt(data, chance):
    """Six bytes in the middle of every second stream."""
    out = bytearray(data)
    for m in STREAM.finditer(data):
        if m.end(1) - m.start(1) > 200 and chance.random() < .5:
            at = chance.randrange(m.start(1) + 50, m.end(1) - 50)
            out[at:at + 6] = chance.randbytes(6)
    return bytes(out)


def filter_kept(data, chance):
    """A program unpacked streams and left their filter and length."""
    def plain(m):
        try:
            return b"stream\n" + zlib.decompress(m[1]) + b"\nendstream" \
                if chance.random() < .5 else m[0]
        except zlib.error:
            return m[0]
    changed = STREAM.sub(plain, data)
    return changed if changed != data else None


def keywords_lost(data, chance):
    return re.sub(rb"\bend(obj|stream)\b", lambda m: b"" if chance.random() < .5 else m[0], data)


ALL = [kind for name, kind in list(globals().items())
       if callable(kind) and not name.startswith("_") and getattr(kind, "__module__", "") == __name__]
NAMES = {kind.__name__: kind for kind in ALL}


def damage(names, data, chance):
    """The kinds one after the other; None if one of them changes nothing."""
    for name in names:
        before = data
        try:
            data = NAMES[name](data, chance)
        except (ValueError, IndexError):
            return None  # too little is left of it
        if not data or data == before:
            return None
    return data
