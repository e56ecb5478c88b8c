import { crc32, deflateSync } from "node:zlib";

const [WIDTH, HEIGHT] = [480, 320];

/** Light on a wall: from, to, and its colour. */
const PARTS = [
  [150, 60, 330, 260, [244, 241, 234]],
  [205, 100, 275, 220, [217, 212, 200]],
  [205, 100, 275, 158, [122, 116, 104]],
] as const;

/** A phone's photo as PNG, drawn here so that every run uses the same one. */
export function photo(): Buffer {
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const part = PARTS.findLast(([left, top, right, end]) => x >= left && x < right && y >= top && y < end);
      const shade = 1 - (x + y) / 4_000;
      const [red, green, blue] = part?.[4] ?? [205 * shade, 168 * shade, 121 * shade];
      rows.set([red, green, blue], y * (WIDTH * 3 + 1) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  // Eight bits each of red, green and blue.
  head.set([8, 2], 8);
  const signature = Buffer.from("\u0089PNG\r\n\u001a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND")]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
