// A QR code of a text, as rows of dark and light modules (ISO/IEC 18004): bytes, the lowest level of error correction,
// one mask. It is drawn here so that a secret is not sent to anybody who draws it.
const MOST = 20;
const CORRECTION = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

/** Null for a text that is too long. */
export function toModules(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)];
  let version = 1;
  while (version <= MOST && 4 + countBits(version) + 8 * bytes.length > 8 * dataCodewords(version)) version += 1;
  if (version > MOST) return null;
  const grid = new Grid(version);
  grid.drawPatterns();
  grid.drawCodewords(withCorrection(version, toCodewords(version, bytes)));
  return grid.dark;
}

/** The dark modules as the path of an SVG. */
export const toPath = (modules: boolean[][]): string => modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");

const countBits = (version: number): number => (version < 10 ? 8 : 16);
const dataCodewords = (version: number): number => allCodewords(version) - CORRECTION[version]! * BLOCKS[version]!;

function allCodewords(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
  }
  return Math.floor((version >= 7 ? modules - 36 : modules) / 8);
}

function toCodewords(version: number, bytes: number[]): number[] {
  const bits: number[] = [];
  const add = (value: number, length: number): void => void bits.push(...Array.from({ length }, (_, at) => (value >>> (length - 1 - at)) & 1));
  add(0b0100, 4);
  add(bytes.length, countBits(version));
  bytes.forEach((byte) => add(byte, 8));
  const room = 8 * dataCodewords(version);
  add(0, Math.min(4, room - bits.length));
  add(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) add(pad, 8);
  return Array.from({ length: room / 8 }, (_, at) => bits.slice(8 * at, 8 * at + 8).reduce((byte, bit) => 2 * byte + bit, 0));
}

/** Blocks with their correction, mixed: the last ones may have a codeword more. */
function withCorrection(version: number, data: number[]): number[] {
  const [count, correction] = [BLOCKS[version]!, CORRECTION[version]!];
  const [all, divisor] = [allCodewords(version), toDivisor(correction)];
  const short = Math.floor(all / count) - correction;
  const shortBlocks = count - (all % count);
  const parts = Array.from({ length: count }, (_, at) => {
    const start = at * short + Math.max(0, at - shortBlocks);
    return data.slice(start, start + short + (at < shortBlocks ? 0 : 1));
  });
  const mixed: number[] = [];
  for (let at = 0; at <= short; at += 1) for (const part of parts) if (at < part.length) mixed.push(part[at]!);
  const remainders = parts.map((part) => toRemainder(part, divisor));
  for (let at = 0; at < correction; at += 1) for (const each of remainders) mixed.push(each[at]!);
  return mixed;
}

function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((other >>> bit) & 1) * one);
  return product;
}

function toDivisor(degree: number): number[] {
  const terms: number[] = [...Array<number>(degree - 1).fill(0), 1];
  for (let step = 0, root = 1; step < degree; step += 1, root = multiply(root, 2))
    for (let at = 0; at < degree; at += 1) terms[at] = multiply(terms[at]!, root) ^ (terms[at + 1] ?? 0);
  return terms;
}

function toRemainder(data: number[], divisor: number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((term, at) => (rest[at]! ^= multiply(term, factor)));
  }
  return rest;
}

class Grid {
  readonly size: number;
  readonly dark: boolean[][];
  private readonly isPattern: boolean[][];

  constructor(private readonly version: number) {
    this.size = 17 + 4 * version;
    [this.dark, this.isPattern] = [0, 1].map(() => Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false))) as [boolean[][], boolean[][]];
  }

  drawPatterns(): void {
    const { size } = this;
    for (let at = 0; at < size; at += 1) [[6, at], [at, 6]].forEach(([x, y]) => this.set(x!, y!, at % 2 === 0));
    [[3, 3], [size - 4, 3], [3, size - 4]].forEach(([x, y]) => this.drawSquare(x!, y!, 4, (ring) => ring !== 2 && ring !== 4));
    const places = this.alignments();
    const last = places.length - 1;
    places.forEach((x, column) => places.forEach((y, row) => {
      if (!((column === 0 && (row === 0 || row === last)) || (column === last && row === 0))) this.drawSquare(x, y, 2, (ring) => ring !== 1);
    }));
    this.drawFormat();
    this.drawVersion();
  }

  /** In pairs of columns from the right, up and down by turns; the mask changes every second module. */
  drawCodewords(codewords: number[]): void {
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
      for (let step = 0; step < this.size; step += 1) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.isPattern[y]![x]) continue;
          const bit = at < 8 * codewords.length ? (codewords[at >>> 3]! >>> (7 - (at & 7))) & 1 : 0;
          this.dark[y]![x] = (bit === 1) !== ((x + y) % 2 === 0);
          at += 1;
        }
      }
    }
  }

  private set(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y]![x] = isDark;
    this.isPattern[y]![x] = true;
  }

  private drawSquare(x: number, y: number, radius: number, isDark: (ring: number) => boolean): void {
    for (let dy = -radius; dy <= radius; dy += 1) for (let dx = -radius; dx <= radius; dx += 1) this.set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  }

  private alignments(): number[] {
    if (this.version === 1) return [];
    const count = Math.floor(this.version / 7) + 2;
    const step = Math.ceil((4 * this.version + 4) / (2 * count - 2)) * 2;
    return [6, ...Array.from({ length: count - 1 }, (_, at) => this.size - 7 - (count - 2 - at) * step)];
  }

  /** The lowest level of correction, and mask 0. */
  private drawFormat(): void {
    const bits = (remainder(0b01000, 10, 0x537) | (0b01000 << 10)) ^ 0x5412;
    const bit = (at: number): boolean => ((bits >>> at) & 1) === 1;
    for (let at = 0; at < 15; at += 1) {
      if (at < 8) this.set(8, at < 6 ? at : at + 1, bit(at));
      else this.set(at === 8 ? 7 : 14 - at, 8, bit(at));
      if (at < 8) this.set(this.size - 1 - at, 8, bit(at));
      else this.set(8, this.size - 15 + at, bit(at));
    }
    this.set(8, this.size - 8, true);
  }

  private drawVersion(): void {
    if (this.version < 7) return;
    const bits = (this.version << 12) | remainder(this.version, 12, 0x1f25);
    for (let at = 0; at < 18; at += 1) {
      const [far, near, isDark] = [this.size - 11 + (at % 3), Math.floor(at / 3), ((bits >>> at) & 1) === 1];
      this.set(far, near, isDark);
      this.set(near, far, isDark);
    }
  }
}

function remainder(value: number, degree: number, polynomial: number): number {
  let rest = value;
  for (let step = 0; step < degree; step += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * polynomial);
  return rest;
}
