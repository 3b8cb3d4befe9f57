// QR codes (ISO/IEC 18004) of addresses: bytes, error correction level L, versions 1 to 20.

/** Codewords of data, correction codewords of a block, and blocks of both sizes, of level L by version. */
const VERSIONS = [[19, 7, 1, 0], [34, 10, 1, 0], [55, 15, 1, 0], [80, 20, 1, 0], [108, 26, 1, 0], [136, 18, 2, 0], [156, 20, 2, 0], [194, 24, 2, 0], [232, 30, 2, 0], [274, 18, 2, 2],
  [324, 20, 4, 0], [370, 24, 2, 2], [428, 26, 4, 0], [461, 30, 3, 1], [523, 22, 5, 1], [589, 24, 5, 1], [647, 28, 1, 5], [721, 30, 5, 1], [795, 28, 3, 4], [861, 28, 3, 5]];
/** Middles of the alignment patterns by version. */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58], [6, 34, 62], [6, 26, 46, 66], [6, 26, 48, 70],
  [6, 26, 50, 74], [6, 30, 54, 78], [6, 30, 56, 82], [6, 30, 58, 86], [6, 34, 62, 90]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++, x = (x << 1) ^ (x & 128 ? 0x11d : 0)) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
}
const times = (a, b) => (a && b ? EXP[LOG[a] + LOG[b]] : 0);

/** The correction codewords of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i++) generator = [...generator, 0].map((one, j) => one ^ times(generator[j - 1] || 0, EXP[i]));
  const rest = [...data, ...new Array(count).fill(0)];
  data.forEach((_, i) => {
    const factor = rest[i];
    generator.forEach((one, j) => (rest[i + j] ^= times(one, factor)));
  });
  return rest.slice(data.length);
}

/** The codewords of a text, data and correction, in the order of the code. @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const [most, fix, small, large] = VERSIONS[version - 1];
  const bits = [];
  const put = (value, length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, most * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < most * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = Array.from({ length: most }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(""), 2));
  const each = Math.floor(most / (small + large));
  const blocks = [];
  for (let i = 0, from = 0; i < small + large; i++) {
    const length = each + (i >= small ? 1 : 0);
    blocks.push(data.slice(from, (from += length)));
  }
  const fixes = blocks.map((one) => correction(one, fix));
  const mixed = (lists) => Array.from({ length: Math.max(...lists.map((one) => one.length)) }, (_, i) => lists.flatMap((one) => (i < one.length ? [one[i]] : []))).flat();
  return [...mixed(blocks), ...mixed(fixes)];
}

const MASKS = [(x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2];

/** Bits with their BCH correction. */
function bch(value, generator, shift) {
  let rest = value << shift;
  for (let i = 31 - Math.clz32(rest); i >= shift; i--) if (rest & (1 << i)) rest ^= generator << (i - shift);
  return (value << shift) | rest;
}

/** How hard a code is to read: the four rules of 7.8.3. @param {number[][]} grid */
function penalty(grid) {
  const size = grid.length;
  let sum = 0;
  for (const lines of [grid, grid.map((_, x) => grid.map((row) => row[x]))])
    for (const line of lines) {
      const text = line.join("");
      for (const run of text.match(/0{5,}|1{5,}/g) || []) sum += run.length - 2;
      sum += 40 * ((text.match(/(?=10111010000|00001011101)/g) || []).length);
    }
  for (let y = 0; y + 1 < size; y++)
    for (let x = 0; x + 1 < size; x++) if (grid[y][x] === grid[y][x + 1] && grid[y][x] === grid[y + 1][x] && grid[y][x] === grid[y + 1][x + 1]) sum += 3;
  const dark = grid.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** What does not depend on the text: finders, timing, alignment, version. @param {number} version */
function frame(version) {
  const size = version * 4 + 17;
  const grid = Array.from({ length: size }, () => new Array(size).fill(-1));
  const set = (x, y, is) => x >= 0 && y >= 0 && x < size && y < size && (grid[y][x] = Number(is));
  const rings = (cx, cy, reach, dark) => {
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) set(cx + x, cy + y, dark.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(x, y, 4, [0, 1, 3]);
  const middles = ALIGNED[version - 1];
  const last = middles[middles.length - 1];
  for (const y of middles) for (const x of middles) if (!((x === 6 && (y === 6 || y === last)) || (y === 6 && x === last))) rings(x, y, 2, [0, 2]);
  for (let i = 8; i < size - 8; i++) grid[6][i] = grid[i][6] = 1 - (i % 2);
  const about = bch(version, 0x1f25, 12);
  for (let i = 0; i < 18 && version >= 7; i++) {
    set(Math.floor(i / 3), size - 11 + (i % 3), (about >> i) & 1);
    set(size - 11 + (i % 3), Math.floor(i / 3), (about >> i) & 1);
  }
  for (let i = 0; i < 9; i++) for (const [x, y] of [[i, 8], [8, i], [size - 1 - Math.min(i, 7), 8], [8, size - 1 - Math.min(i, 7)]]) if (grid[y][x] < 0) grid[y][x] = 0;
  grid[size - 8][8] = 1;
  return grid;
}

/** Level and mask, twice. */
function format(grid, mask) {
  const size = grid.length;
  const bits = bch((1 << 3) | mask, 0x537, 10) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const is = (bits >> i) & 1;
    if (i < 6) grid[i][8] = is;
    else if (i < 8) grid[i + 1][8] = is;
    else if (i === 8) grid[8][7] = is;
    else grid[8][14 - i] = is;
    if (i < 8) grid[8][size - 1 - i] = is;
    else grid[size - 15 + i][8] = is;
  }
}

/**
 * The modules of a text's code, by rows, 1 for dark; null if the text is too long for version 20.
 * @param {string} text @returns {number[][] | null}
 */
export function qrModules(text) {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([most], i) => bytes.length + (i < 9 ? 2 : 3) <= most) + 1;
  if (!version) return null;
  const plain = frame(version);
  const size = plain.length;
  const bits = codewords(bytes, version).flatMap((one) => Array.from({ length: 8 }, (_, i) => (one >> (7 - i)) & 1));
  const places = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - i : i;
        if (plain[y][x] < 0) places.push([x, y]);
      }
  }
  /** @type {{grid: number[][], score: number} | undefined} */
  let best;
  MASKS.forEach((mask, n) => {
    const grid = plain.map((row) => [...row]);
    places.forEach(([x, y], i) => (grid[y][x] = (bits[i] || 0) ^ Number(mask(x, y) === 0)));
    format(grid, n);
    const score = penalty(grid);
    if (!best || score < best.score) best = { grid, score };
  });
  return best?.grid ?? null;
}

/** A code drawn with its quiet zone; null if the text is too long. @param {string} text @param {number} scale pixels of a module */
export function qrPicture(text, scale = 4) {
  const modules = qrModules(text);
  if (!modules) return null;
  const size = (modules.length + 8) * scale;
  const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = "#000";
  modules.forEach((row, y) => row.forEach((dark, x) => dark && pen.fillRect((x + 4) * scale, (y + 4) * scale, scale, scale)));
  return canvas;
}
