"""lock_package.py KIND PASSWORD IN OUT: encrypts an OOXML document as Office does ([MS-OFFCRYPTO] 2.3.4), with the AES of openssl.

KIND: standard (2.3.4.5, as Office 2007 does it), agile (2.3.4.10, as later versions do; agile-sha1 and agile-sha384: its digest;
agile-unsealed: without dataIntegrity; agile-changed: one byte of the stream is another than the HMAC is of), or old, RC4, which has only
its header."""

import base64
import hashlib
import hmac
import struct
import subprocess
import sys

from compound_file import LEAST, compound

SALT, DATA_SALT, INPUT = bytes(range(16)), bytes(range(16, 32)), b"sixteen of bytes"
SPINS = 1000


def aes(key, data, iv=None):
    mode = ["-aes-%d-%s" % (8 * len(key), "cbc" if iv else "ecb"), "-K", key.hex(), "-nosalt", "-nopad"]
    data += bytes(-len(data) % 16)
    return subprocess.run(["openssl", "enc", *mode, *(["-iv", iv.hex()] if iv else [])], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def spun(kind, password, spins):
    digest = hashlib.new(kind, SALT + password.encode("utf-16le")).digest()
    for number in range(spins):
        digest = hashlib.new(kind, struct.pack("<I", number) + digest).digest()
    return digest


def standard(password, data):
    last = hashlib.sha1(spun("sha1", password, 50000) + bytes(4)).digest()
    key = hashlib.sha1(bytes(0x36 ^ byte for byte in last + bytes(44))).digest()[:16]
    name = "Microsoft Enhanced RSA and AES Cryptographic Provider\0".encode("utf-16le")
    header = struct.pack("<IIIIIIII", 0x24, 0, 0x660E, 0x8004, 128, 0x18, 0, 0) + name
    check = hashlib.sha1(INPUT).digest()
    info = struct.pack("<HHII", 3, 2, 0x24, len(header)) + header + struct.pack("<I", 16) + SALT + aes(key, INPUT)
    info += struct.pack("<I", 20) + aes(key, check)
    return info, aes(key, data)


def agile(password, data, kind="sha512", seal=True, changed=False):
    spin, secret = spun(kind, password, SPINS), bytes(range(100, 132))

    def digest(text):
        return hashlib.new(kind, text).digest()


    def sealed(block, value):
        key = (digest(spin + bytes.fromhex(block)) + b"6" * 32)[:32]
        return base64.b64encode(aes(key, value, SALT)).decode()

    def cipher(salt):
        return (f'saltSize="16" blockSize="16" keyBits="256" hashSize="{hashlib.new(kind).digest_size}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" '
                f'hashAlgorithm="{kind.upper()}" saltValue="{base64.b64encode(salt).decode()}"')

    body = b""
    for number in range(0, len(data), 4096):
        iv = digest(DATA_SALT + struct.pack("<I", number // 4096))[:16]
        body += aes(secret, data[number:number + 4096], iv)
    hmac_key = bytes(range(hashlib.new(kind).digest_size))
    stream = struct.pack("<Q", len(data)) + body
    value = hmac.new(hmac_key, stream + bytes(max(0, LEAST - len(stream))), kind).digest()

    def sealed_by(block, text):
        return base64.b64encode(aes(secret, text, digest(DATA_SALT + bytes.fromhex(block))[:16])).decode()

    integrity = (f'<dataIntegrity encryptedHmacKey="{sealed_by("5fb2ad010cb9e1f6", hmac_key)}" '
                 f'encryptedHmacValue="{sealed_by("a0677f02b22c8433", value)}"/>') if seal else ""
    if changed:
        body = body[:-1] + bytes([body[-1] ^ 1])
    xml = (f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><encryption xmlns="http://schemas.microsoft.com/office/2006/'
           f'encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData {cipher(DATA_SALT)}/>'
           f'{integrity}<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey '
           f'spinCount="{SPINS}" {cipher(SALT)} encryptedVerifierHashInput="{sealed("fea7d2763b4b9e79", INPUT)}" '
           f'encryptedVerifierHashValue="{sealed("d7aa0f6d3061344e", digest(INPUT))}" '
           f'encryptedKeyValue="{sealed("146e0be7abacd0d6", secret)}"/></keyEncryptor></keyEncryptors></encryption>')
    return struct.pack("<HHI", 4, 4, 0x40) + xml.encode(), body


def old(_, data):
    return struct.pack("<HHII", 3, 2, 4, 32) + struct.pack("<IIIIIIII", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + bytes(76), data


KINDS = {
    "standard": standard, "agile": agile, "old": old,
    "agile-sha1": lambda *args: agile(*args, kind="sha1"),
    "agile-sha384": lambda *args: agile(*args, kind="sha384"),
    "agile-unsealed": lambda *args: agile(*args, seal=False),
    "agile-changed": lambda *args: agile(*args, changed=True),
}


def main():
    kind, password, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    info, body = KINDS[kind](password, data)
    with open(target, "wb") as file:
        file.write(compound({"EncryptionInfo": info, "EncryptedPackage": struct.pack("<Q", len(data)) + body}))


main()
