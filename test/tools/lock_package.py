"""lock_package.py KIND PASSWORD IN OUT: encrypts an OOXML document as Office does ([MS-OFFCRYPTO] 2.3.4), with the AES of openssl.

KIND: standard (2.3.4.5, as Office 2007 does it), agile (2.3.4.10, as later versions do), or old, RC4, which has only its header."""

import base64
import hashlib
import struct
import subprocess
import sys

from compound_file import compound

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


def agile(password, data):
    spin, secret = spun("sha512", password, SPINS), bytes(range(100, 132))

    def sealed(block, value):
        key = hashlib.sha512(spin + bytes.fromhex(block)).digest()[:32]
        return base64.b64encode(aes(key, value, SALT)).decode()

    def cipher(salt):
        return (f'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" '
                f'hashAlgorithm="SHA512" saltValue="{base64.b64encode(salt).decode()}"')

    xml = (f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><encryption xmlns="http://schemas.microsoft.com/office/2006/'
           f'encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData {cipher(DATA_SALT)}/>'
           f'<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey '
           f'spinCount="{SPINS}" {cipher(SALT)} encryptedVerifierHashInput="{sealed("fea7d2763b4b9e79", INPUT)}" '
           f'encryptedVerifierHashValue="{sealed("d7aa0f6d3061344e", hashlib.sha512(INPUT).digest())}" '
           f'encryptedKeyValue="{sealed("146e0be7abacd0d6", secret)}"/></keyEncryptor></keyEncryptors></encryption>')
    body = b""
    for number in range(0, len(data), 4096):
        iv = hashlib.sha512(DATA_SALT + struct.pack("<I", number // 4096)).digest()[:16]
        body += aes(secret, data[number:number + 4096], iv)
    return struct.pack("<HHI", 4, 4, 0x40) + xml.encode(), body


def old(_, data):
    return struct.pack("<HHII", 3, 2, 4, 32) + struct.pack("<IIIIIIII", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + bytes(76), data


def main():
    kind, password, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    info, body = {"standard": standard, "agile": agile, "old": old}[kind](password, data)
    with open(target, "wb") as file:
        file.write(compound({"EncryptionInfo": info, "EncryptedPackage": struct.pack("<Q", len(data)) + body}))


main()
