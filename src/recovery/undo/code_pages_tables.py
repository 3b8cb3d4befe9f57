#!/usr/bin/env python3
"""Prints code_pages_tables: the characters of the bytes from 128 on in each encoding. A byte that an
encoding does not define is the control character of the same number, as programs read it."""

PAGES = ("cp1252", "cp1250", "cp1251", "cp437", "cp850", "cp852", "cp866", "mac_roman", "koi8_r", "iso8859_2",
         "iso8859_5", "iso8859_7", "iso8859_9", "iso8859_15", "cp1253", "cp1254", "cp1257")


def point(page, byte):
    try:
        return ord(bytes([byte]).decode(page))
    except UnicodeDecodeError:
        return byte


print("#include <stdint.h>\n")
print(f"extern const uint16_t code_pages_tables[{len(PAGES)}][128];")
print(f"const uint16_t code_pages_tables[{len(PAGES)}][128] = {{")
for name in PAGES:
    print("{ " + ", ".join(str(point(name, byte)) for byte in range(128, 256)) + " },")
print("};")
