import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { encodePng } from '../../../../coordinator/reports/layout/encode-png.ts';

const palette = [0x000000, 0xff8000, 0x0040ff];
const pixels = Uint8Array.from([0, 1, 2, 2, 1, 0]);

/** Chunks of a PNG by type, their checksums checked. */
function chunksOf(png: Buffer): Map<string, Buffer> {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body));
    chunks.set(body.subarray(0, 4).toString('latin1'), body.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

test('a picture of three by two pixels holds its size, palette and rows', () => {
  const chunks = chunksOf(encodePng(3, pixels, palette));
  assert.deepEqual([...chunks.keys()], ['IHDR', 'PLTE', 'IDAT', 'IEND']);
  assert.deepEqual([...(chunks.get('IHDR') ?? [])], [0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
  assert.deepEqual([...(chunks.get('PLTE') ?? [])], [0, 0, 0, 0xff, 0x80, 0, 0, 0x40, 0xff]);
  assert.deepEqual([...inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))], [0, 0, 1, 2, 0, 2, 1, 0]);
});

test('another reader sees the same pixels', () => {
  const { width, height, data } = PNG.sync.read(encodePng(3, pixels, palette));
  assert.deepEqual([width, height], [3, 2]);
  assert.deepEqual(
    [...data],
    [...pixels].flatMap((at) => [...rgb(palette[at] ?? 0), 0xff]),
  );
});

const rgb = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

test('pixels that are not whole rows, or too many colours, are refused', () => {
  assert.throws(() => encodePng(4, pixels, palette), RangeError);
  assert.throws(() => encodePng(3, new Uint8Array(0), palette), RangeError);
  assert.throws(
    () =>
      encodePng(
        3,
        pixels,
        Array.from({ length: 257 }, () => 0),
      ),
    RangeError,
  );
});
