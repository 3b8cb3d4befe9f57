"""Makes signed.pdf, unlisted.pdf and rights.pdf: python3 signed_make.py FOLDER. Needs the openssl
program.

signed.pdf has a signature field whose parent is another field, signed by a key that is thrown away;
pdfsig finds the signature valid, also that of unlisted.pdf, whose form lists no field. rights.pdf has a usage-rights dictionary (/Perms /UR3) of the same
make, which no field holds: it is no signature."""

import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
from pdf_builder import BINARY, document

ROOM = 4096  # hex digits


def cms(data):
    with tempfile.TemporaryDirectory() as folder:
        def openssl(*words, **more):
            return subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True,
                                  **more).stdout

        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", "key", "-out", "crt", "-subj", "/CN=Sample signer", "-days", "36500")
        return openssl("cms", "-sign", "-binary", "-md", "sha256", "-signer", "crt", "-inkey", "key",
                       "-outform", "DER", input=data)


def make(catalog, extra):
    signature = (b"<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached"
                 b" /ByteRange [0 %s %s %s] /Contents <%s> >>"
                 % (b"#" * 9, b"#" * 9, b"#" * 9, b"0" * ROOM))
    objects = [b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
               b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [7 0 R] >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
               signature, *extra]
    out = bytearray(document(objects, comment=BINARY))
    begin = out.index(b"/Contents <") + len(b"/Contents ")
    end = begin + ROOM + 2
    for number in (begin, end, len(out) - end):
        at = out.index(b"#" * 9)
        out[at:at + 9] = b"%9d" % number
    value = cms(bytes(out[:begin] + out[end:])).hex().encode()
    out[begin + 1:begin + 1 + len(value)] = value
    return bytes(out)


def main():
    field = [b"<< /T (form) /Kids [7 0 R] >>",
             b"<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Parent 6 0 R /V 5 0 R"
             b" /P 3 0 R /F 132 /Rect [0 0 0 0] >>"]
    plain = [b"<< /T (form) /Kids [7 0 R] >>",
             b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Parent 6 0 R /V (Ann)"
             b" /P 3 0 R /F 4 /Rect [20 20 120 40] >>"]
    for name, data in (
            ("signed.pdf", make(b"/AcroForm << /Fields [6 0 R] /SigFlags 3 >>", field)),
            ("unlisted.pdf", make(b"/AcroForm << /Fields [] /SigFlags 3 >>", field)),
            ("rights.pdf", make(b"/AcroForm << /Fields [6 0 R] >> /Perms << /UR3 5 0 R >>", plain))):
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(data)


main()
