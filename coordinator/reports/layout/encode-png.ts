import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A pixel is a palette index of one byte. */
const MAX_COLOURS = 256;

/**
 * A PNG with `width` pixels per row; `pixels` are indices into `palette` (each 0xRRGGBB, at most 256). Only the variant of
 * the format (ISO/IEC 15948) that a map of cells needs; PDF embeds it unchanged. Equal input gives equal bytes.
 */
export function encodePng(width: number, pixels: Uint8Array, palette: readonly number[]): Buffer {
  const height = pixels.length / width;
  if (!Number.isInteger(height) || height === 0)
    throw new RangeError(`${pixels.length} pixels are not whole rows of ${width}`);
  if (palette.length > MAX_COLOURS) throw new RangeError(`${palette.length} colours are more than ${MAX_COLOURS}`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, colours by palette; deflate, no filter, not interlaced.
  header.set([8, 3, 0, 0, 0], 8);
  // Each row begins with its filter: 0, none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
