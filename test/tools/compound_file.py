"""compound_file: compound files ([MS-CFB]) with a few streams."""

import struct

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
SECTOR = 512
LEAST = 4096  # shorter streams would be in another place: they are filled up with zeros


def entry(name, kind, start, size, right=FREE, child=FREE):
    text = name.encode("utf-16le")
    return (text + bytes(64 - len(text)) + struct.pack("<HBBIII", len(text) + 2, kind, 1, FREE, right, child)
            + bytes(36) + struct.pack("<IQ", start, size))


def compound(streams):
    """The bytes of a file with at most three streams, by their names, the shortest name first. After the header: the FAT, the
    directory, and the streams."""
    data = [stream + bytes(max(0, LEAST - len(stream))) for stream in streams.values()]
    sectors = [-(-len(stream) // SECTOR) for stream in data]
    n_fat = 1 + (sum(sectors) + 2) // (SECTOR // 4 - 1)
    fat, entries = [FAT] * n_fat + [END], b""
    for number, (name, stream) in enumerate(streams.items()):
        start, last = len(fat), number + 1 == len(data)
        fat += list(range(start + 1, start + sectors[number])) + [END]
        entries += entry(name, 2, start, len(data[number]), FREE if last else number + 2)
    fat += [FREE] * (n_fat * SECTOR // 4 - len(fat))
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, n_fat, n_fat, 0, LEAST, END, 0, END, 0)
    head += struct.pack("<109I", *range(n_fat), *[FREE] * (109 - n_fat))
    directory = entry("Root Entry", 5, END, 0, child=1) + entries
    directory += bytes(SECTOR - len(directory))
    body = b"".join(stream + bytes(-len(stream) % SECTOR) for stream in data)
    return head + struct.pack(f"<{len(fat)}I", *fat) + directory + body
