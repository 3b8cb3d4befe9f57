"""crypt_kinds: documents whose streams are encrypted by several crypt filters (ISO 32000-2, 7.6.6), and
what is in their streams, read without a PDF library.

    crypt_kinds.py make CIPHER OUT KEYS...    CIPHER: V2, AESV2, AESV3; KEYS: entries of the encryption
                                              dictionary, such as /StmF/Identity. The password is "user".
    crypt_kinds.py look FILE                  the text of each stream that has one, by the filters and keys
                                              that the file has; ERR where there is none.
"""
import hashlib
import re
import subprocess
import sys
import zlib

import pdf_builder

USER = b"user"
PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
ID = b"0123456789abcdef"
OWNER = bytes(range(32))
FILE_KEY = bytes(range(32, 64))


def aes(key, vector, data, *options):
    return subprocess.run(["openssl", "enc", "-aes-%d-cbc" % (8 * len(key)), "-K", key.hex(), "-iv", vector.hex(),
                           *options], input=data, capture_output=True, check=True).stdout


def rc4(key, data):
    box, j, out = list(range(256)), 0, bytearray()
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def old_key(plain_metadata):
    digest = (USER + PADDING)[:32] + OWNER + b"\xfc\xff\xff\xff" + ID + (b"\xff" * 4 if plain_metadata else b"")
    for _ in range(51):
        digest = hashlib.md5(digest).digest()
    return digest


def object_key(cipher, key, number):
    if cipher == "AESV3":
        return key
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0" +
                       (b"sAlT" if cipher == "AESV2" else b"")).digest()


def encrypted(cipher, key, number, data):
    key = object_key(cipher, key, number)
    return rc4(key, data) if cipher == "V2" else b"0123456789ABCDEF" + aes(key, b"0123456789ABCDEF", data)


def decrypted(cipher, key, number, data):
    key = object_key(cipher, key, number)
    return rc4(key, data) if cipher == "V2" else aes(key, data[:16], data[16:], "-d")


def dictionary(cipher, keys):
    """The encryption dictionary, and the key."""
    plain = "/EncryptMetadata false" in keys
    common = "<</Filter/Standard/CF<</StdCF<</CFM/%s/AuthEvent/DocOpen>>>>%s/P -4" % (cipher, keys)
    if cipher != "AESV3":
        key = old_key(plain)
        check = hashlib.md5(PADDING + ID).digest()
        for i in range(20):
            check = rc4(bytes(byte ^ i for byte in key), check)
        return "%s/V 4/R 4/Length 128/O<%s>/U<%s>>>" % (common, OWNER.hex(), (check + bytes(16)).hex()), key
    zero, user = bytes(16), hashlib.sha256(USER + b"validate").digest() + b"validate" + b"key salt"
    owner = hashlib.sha256(b"owner" + b"validate" + user).digest() + b"validate" + b"key salt"
    wrapped = aes(hashlib.sha256(USER + b"key salt").digest(), zero, FILE_KEY, "-nopad")
    for_owner = aes(hashlib.sha256(b"owner" + b"key salt" + user).digest(), zero, FILE_KEY, "-nopad")
    perms = aes(FILE_KEY, zero, b"\xfc" + b"\xff" * 7 + (b"F" if plain else b"T") + b"adb0000", "-nopad")
    return "%s/V 5/R 5/Length 256/U<%s>/UE<%s>/O<%s>/OE<%s>/Perms<%s>>>" % (
        common, user.hex(), wrapped.hex(), owner.hex(), for_owner.hex(), perms.hex()), FILE_KEY


def filter_of(which, keys):
    found = re.search(r"/%s */(\w+)" % which, keys)
    return found[1] if found else None


def method(text, number, keys, attached, metadata):
    """Whether a stream is encrypted. `text`: its dictionary; `attached`, `metadata`: numbers."""
    if "/Crypt" in text.replace("/CryptFilter", ""):
        return filter_of("Name", text) == "StdCF"
    if number == metadata and "/EncryptMetadata false" in keys:
        return False
    streams = filter_of("StmF", keys)
    return (filter_of("EFF", keys) or streams if number in attached else streams) == "StdCF"


def make(cipher, path, *keys):
    keys = "".join(keys)
    encrypt, key = dictionary(cipher, keys)
    xmp = "<?xpacket begin=''?><x>%s metadata</x>"
    crypt = "/DecodeParms[%s null]/Filter[/Crypt/FlateDecode]"
    texts = {
        4: ("", b"BT /F1 24 Tf 30 30 Td ET % CONTENT text"),
        7: ("", b"ATTACHED text"),
        8: ("/Type/Metadata/Subtype/XML", (xmp % "DOCUMENT").encode()),
        9: ("/Type/Metadata/Subtype/XML", (xmp % "PAGE").encode()),
        10: ("/Filter/Crypt", b"IDENTITY text"),
        11: (crypt % "<</Name/StdCF>>", zlib.compress(b"NAMED text")),
        12: (crypt % "<</Type/CryptFilterDecodeParms/Name/Identity>>", zlib.compress(b"PLAIN text")),
        13: ("/Type/EmbeddedFile/Filter/FlateDecode", zlib.compress(b"RELATED text")),
    }
    objects = {
        1: "<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R/Names<</EmbeddedFiles<</Names[<61> 6 0 R]>>>>>>",
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Metadata 9 0 R"
           "/PieceInfo<</Test<</LastModified<>/Private[10 0 R 11 0 R 12 0 R]>>>>>>",
        5: encrypt,
        6: "<</Type/Filespec/F<612e747874>/EF<</F 7 0 R>>/RF<</F[<> 13 0 R]>>>>",
    }
    for number, (text, data) in texts.items():
        if method(text, number, keys, (7, 13), 8):
            data = encrypted(cipher, key, number, data)
        objects[number] = pdf_builder.stream(data, text)
    with open(path, "wb") as file:
        file.write(pdf_builder.document(objects, keys="/Encrypt 5 0 R/ID[<%s><%s>]" % (ID.hex(), ID.hex())))


def look(path):
    with open(path, "rb") as file:
        data = file.read()
    text = data.decode("latin-1")
    entry = re.search(r"<<(?:(?!endobj).)*/Filter */Standard.*?endobj", text, re.S)
    keys = entry[0] if entry else ""
    cipher = filter_of("CFM", keys)
    key = None if not entry else FILE_KEY if cipher == "AESV3" else old_key("/EncryptMetadata false" in keys)
    attached = [int(number) for group in re.findall(r"/[ER]F *<<(.*?)>>", text, re.S)
                for number in re.findall(r"(\d+) 0 R", group)]
    catalog, = [body for body in re.findall(r"obj\s(.*?)\sendobj", text, re.S) if re.search("/Type */Catalog", body)]
    metadata = int(re.search(r"/Metadata (\d+) 0 R", catalog)[1])
    for found in re.finditer(r"\n(\d+) 0 obj\s+(<<(?:(?!endobj).)*?>>)\s+stream\n", text, re.S):
        number, keys_of = int(found[1]), found[2]
        body = data[found.end():found.end() + int(re.search(r"/Length (\d+)", keys_of)[1])]
        try:
            if entry and method(keys_of, number, keys, attached, metadata):
                body = decrypted(cipher, key, number, body)
            if "/FlateDecode" in keys_of:
                body = zlib.decompress(body)
        except (subprocess.CalledProcessError, zlib.error):
            body = b"ERR text"
        for word in re.findall(rb"([A-Z]+) (?:text|metadata)", body):
            print(word.decode())


if __name__ == "__main__":
    {"make": make, "look": look}[sys.argv[1]](*sys.argv[2:])
