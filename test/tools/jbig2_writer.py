"""jbig2_writer: one-bit pictures as JBIG2 (ITU-T T.88) as PDF has it, in the forms that programs write: a generic region with arithmetic
or fax codes, and symbols of a dictionary, which may be in the globals that several pictures share. Black is 1."""
import struct

# Table E.1: the estimate of probability, and the states after the more and the less probable symbol; where both change places.
QE = [0x5601, 0x3401, 0x1801, 0x0AC1, 0x0521, 0x0221, 0x5601, 0x5401, 0x4801, 0x3801, 0x3001, 0x2401, 0x1C01, 0x1601, 0x5601, 0x5401,
      0x5101, 0x4801, 0x3801, 0x3401, 0x3001, 0x2801, 0x2401, 0x2201, 0x1C01, 0x1801, 0x1601, 0x1401, 0x1201, 0x1101, 0x0AC1, 0x09C1,
      0x08A1, 0x0521, 0x0441, 0x02A1, 0x0221, 0x0141, 0x0111, 0x0085, 0x0049, 0x0025, 0x0015, 0x0009, 0x0005, 0x0001, 0x5601]
MORE = [1, 2, 3, 4, 5, 38, 7, 8, 9, 10, 11, 12, 13, 29, *range(15, 46), 45, 46]
LESS = [1, 6, 9, 12, 29, 33, 6, 14, 14, 14, 17, 18, 20, 21, 14, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
        32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 46]
TURNED = {0, 6, 14}


class Arithmetic:
    """The arithmetic coder of annex E. A context is any key."""

    def __init__(self):
        self.a, self.c, self.count = 0x8000, 0, 12
        self.out, self.byte = bytearray(), None
        self.state, self.likely = {}, {}

    def put(self, context, bit):
        index, likely = self.state.get(context, 0), self.likely.get(context, 0)
        self.a -= QE[index]
        if bit == likely:
            if self.a & 0x8000:
                self.c += QE[index]
                return
            smaller = self.a < QE[index]
            self.state[context] = MORE[index]
        else:
            smaller = self.a >= QE[index]
            self.state[context] = LESS[index]
            if index in TURNED:
                self.likely[context] = 1 - likely
        if smaller:
            self.a = QE[index]
        else:
            self.c += QE[index]
        while not self.a & 0x8000:
            self.a, self.c, self.count = self.a << 1, self.c << 1, self.count - 1
            if self.count == 0:
                self.put_byte()

    def put_byte(self):
        if self.byte is not None and self.byte != 0xFF and self.c >= 0x8000000:
            self.byte += 1
            self.c &= 0x7FFFFFF
        if self.byte is not None:
            self.out.append(self.byte)
        shift = 20 if self.byte == 0xFF else 19
        self.byte, self.count = self.c >> shift, 7 if shift == 20 else 8
        self.c &= (1 << shift) - 1

    def end(self):
        most = self.c + self.a
        self.c |= 0xFFFF
        if self.c >= most:
            self.c -= 0x8000
        for _ in range(2):
            self.c <<= self.count
            self.put_byte()
        self.out.append(self.byte)
        return bytes(self.out) + (b"\xac" if self.byte == 0xFF else b"\xff\xac")

    def bits(self, name, previous, bits):
        for bit in bits:
            self.put((name, previous), bit)
            previous = previous << 1 | bit if previous < 256 else (previous << 1 | bit) & 511 | 256

    def integer(self, name, value):
        """Annex A.2; None is the value that is out of band."""
        if value is None:
            return self.bits(name, 1, [1, 0, 0, 0])
        size, low = abs(value), 0
        for prefix, width in (([0], 2), ([1, 0], 4), ([1, 1, 0], 6), ([1, 1, 1, 0], 8), ([1, 1, 1, 1, 0], 12)):
            if size < low + (1 << width):
                break
            low += 1 << width
        return self.bits(name, 1, [int(value < 0), *prefix, *(size - low >> i & 1 for i in reversed(range(width)))])

    def identity(self, value, width):
        previous = 1
        for i in reversed(range(width)):
            self.put(("IAID", previous), value >> i & 1)
            previous = previous << 1 | value >> i & 1

    def bitmap(self, rows):
        """6.2.5: template 0 with the adaptive pixels where they are by default."""
        def at(x, y):
            return rows[y][x] if y >= 0 and 0 <= x < len(rows[y]) else 0
        for y, row in enumerate(rows):
            for x, bit in enumerate(row):
                context = 0
                for dx, dy in [(i, -2) for i in range(-2, 3)] + [(i, -1) for i in range(-3, 4)] + [(i, 0) for i in range(-4, 0)]:
                    context = context << 1 | at(x + dx, y + dy)
                self.put(("GB", context), bit)


ADAPTIVE = struct.pack("8b", 3, -1, -3, -1, 2, -2, -2, -2)


def segment(number, kind, data, page=1, refers=()):
    """7.2: the header of a segment, and its data."""
    return struct.pack(">IBB", number, kind, len(refers) << 5) + bytes(refers) + struct.pack(">BI", page, len(data)) + data


def page(rows):
    return segment(10, 48, struct.pack(">IIIIBH", len(rows[0]), len(rows), 0, 0, 0, 0))


def region(rows):
    return struct.pack(">IIIIB", len(rows[0]), len(rows), 0, 0, 0)


def generic(rows):
    coder = Arithmetic()
    coder.bitmap(rows)
    return page(rows) + segment(11, 38, region(rows) + b"\0" + ADAPTIVE + coder.end())


def fax(rows, codes):
    """`codes`: the rows as fax codes (ITU-T T.6)."""
    return page(rows) + segment(11, 38, region(rows) + b"\1" + codes)


def dictionary(symbols):
    """7.4.2: bitmaps of one size, as a segment of the globals."""
    coder = Arithmetic()
    coder.integer("IADH", len(symbols[0]))
    for i, rows in enumerate(symbols):
        coder.integer("IADW", 0 if i else len(rows[0]))
        coder.bitmap(rows)
    coder.integer("IADW", None)
    coder.integer("IAEX", 0)
    coder.integer("IAEX", len(symbols))
    return segment(0, 0, b"\0\0" + ADAPTIVE + struct.pack(">II", len(symbols), len(symbols)) + coder.end(), page=0)


def text(rows, symbols, lines):
    """7.4.3: the symbols of dictionary() at places. `lines`: the y of each, and the x and the symbol's number of those on it."""
    coder, wide, before, first = Arithmetic(), len(symbols[0][0]), 0, 0
    width = (len(symbols) - 1).bit_length()
    coder.integer("IADT", 0)
    for y, line in lines:
        coder.integer("IADT", y - before)
        before = y
        for i, (x, number) in enumerate(line):
            if i:
                coder.integer("IADS", x - end)
            else:
                coder.integer("IAFS", x - first)
                first = x
            coder.identity(number, width)
            end = x + wide - 1
        coder.integer("IADS", None)
    return page(rows) + segment(11, 6, region(rows) + b"\0\x10" + struct.pack(">I", sum(len(line) for _, line in lines)) + coder.end(), refers=[0])
