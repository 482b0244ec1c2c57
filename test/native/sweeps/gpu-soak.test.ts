// Checks that prove a card sound whatever its speed: the same product again and again, and patterns over its memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ofKind } from '../built-runner.ts';
import { backendOf, runOn, vendors } from '../simulated-gpus.ts';

const place = z.looseObject({ offset: z.string(), bits: z.string() });
const march = z.looseObject({
  bytes: z.number(),
  share_of_free_memory: z.number(),
  patterns: z.number(),
  terabytes_swept: z.number(),
  words_wrong: z.number(),
  bits_wrong: z.number(),
  bit_flips_per_terabyte: z.number(),
  places: z.array(place.extend({ address: z.string(), pattern: z.string(), pass: z.number() })),
});
const products = z.looseObject({
  type: z.string(),
  engine: z.string(),
  algorithm: z.string(),
  n: z.number(),
  repetitions: z.number(),
  bits_flipped: z.number(),
  terabytes_processed: z.number(),
  bit_flips_per_terabyte: z.number(),
  places: z.array(place),
});
const bitsOf = (hexadecimal: string): number => BigInt(hexadecimal).toString(2).replaceAll('0', '').length;

for (const vendor of vendors) {
  const run = (benchmark: string, FAULT = '') =>
    runOn({ drivers: [vendor], sim: { FAULT } }, ['run', '--device', backendOf[vendor], '--benchmarks', benchmark]);

  test(`${vendor}: the march writes and reads every pattern over 98 % of the free memory, and finds nothing`, async () => {
    const { result, exitCode } = await run('march');
    assert.equal(exitCode, 0);
    const { value, verified, details } = result('march_passes');
    const found = march.parse(details);
    assert.ok(verified === true && (value ?? 0) >= found.patterns);
    assert.deepEqual([found.words_wrong, found.bits_wrong, found.places], [0, 0, []]);
    // Each pass: written once, read and written twice.
    assert.ok(Math.abs(found.terabytes_swept - ((value ?? 0) * 5 * found.bytes) / 1e12) < 1e-12);
    // Whole tiles of 32 KiB, so that up to one of some 25 MiB, 0.13 %, is missing.
    assert.ok(found.share_of_free_memory > 0.978 && found.share_of_free_memory <= 0.98);
    assert.ok(found.bytes > 16 * 2 ** 20 && found.bytes % 32768 === 0);
  });

  test(`${vendor}: one flipped bit of memory is a wrong result, with its address and the bit`, async () => {
    const { result, exitCode, codes } = await run('march', 'flip-bit:gpumark_march');
    assert.deepEqual([exitCode, codes], [6, ['verification_failed']]);
    const { value, details } = result('march_passes');
    const found = march.parse(details);
    assert.ok(value === null && found.words_wrong > 0 && found.places.length > 0);
    for (const { offset, address, bits } of found.places) {
      assert.ok(Number(offset) < found.bytes && Number(offset) % 8 === 0 && BigInt(address) > BigInt(offset));
      assert.equal(bitsOf(bits), 1);
    }
  });

  test(`${vendor}: a product that is the same every time is counted as data processed without a flip`, async () => {
    const { result, exitCode } = await run('repeat');
    assert.equal(exitCode, 0);
    const { verified, details } = result('repeat_checks');
    const found = products.parse(details['products']);
    assert.ok(verified === true && found.type === 'bf16' && found.repetitions >= 8);
    assert.deepEqual([found.bits_flipped, found.bit_flips_per_terabyte, found.places], [0, 0, []]);
    // 256 cubed or more in bf16: three matrices of 2 bytes an element.
    const { n } = found;
    assert.ok(Math.abs(found.terabytes_processed - (found.repetitions * 3 * 2 * n * n) / 1e12) < 1e-12);
  });
}

const repeatOn = async (FAULT: string) => {
  const machine = { drivers: ['nvidia' as const], sim: { FAULT } };
  const run = await runOn(machine, ['run', '--device', 'cuda', '--benchmarks', 'repeat']);
  return { ...run, message: ofKind(run.events, 'error')[0]?.message ?? '' };
};

test('work on the ordinary lanes whose bits change is a wrong result', async () => {
  const { result, exitCode, message } = await repeatOn('flip-bit:gpumark_repeat');
  assert.equal(exitCode, 6);
  assert.equal(result('repeat_checks').value, null);
  assert.match(message, /repetitions of the same work gave other bits/);
});

test('bits that flip in a matrix product after its verification are counted, with their locations, and are a wrong result', async () => {
  const sound = products.parse((await repeatOn('')).result('repeat_checks').details['products']);
  assert.equal(sound.engine, 'own');
  // From the first comparison on, one bit of each product: the proof and the first repetition are right.
  const { result, exitCode, codes, message } = await repeatOn(`flip-bit:${sound.algorithm}>gpumark_compare`);
  assert.deepEqual([exitCode, codes], [6, ['verification_failed']]);
  const { value, details } = result('repeat_checks');
  assert.equal(value, null);
  assert.equal(details['different'], 0, 'the lanes are sound');
  const found = products.parse(details['products']);
  assert.equal(found.algorithm, sound.algorithm);
  assert.equal(found.bits_flipped, found.repetitions - 1);
  assert.ok(Math.abs(found.bit_flips_per_terabyte / (found.bits_flipped / found.terabytes_processed) - 1) < 1e-6);
  assert.ok(found.places.length > 0);
  for (const { offset, bits } of found.places) {
    assert.ok(Number(offset) < found.n ** 2 * 2 && Number(offset) % 8 === 0, offset);
    assert.equal(bitsOf(bits), 1);
  }
  // One of each batch of eight is known to differ.
  assert.match(
    message,
    new RegExp(`^repeat: ${found.repetitions / 8} of \\d+ repetitions of the same work gave other bits`),
  );
});
