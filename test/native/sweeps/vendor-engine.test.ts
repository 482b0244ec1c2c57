import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askEngine, candidatesOf, typesOf } from './vendor-engine.ts';

const vendors = ['nvidia', 'amd'] as const;

for (const vendor of vendors) {
  test(`${vendor}: every algorithm of every type gives A * B^T, whichever of m, n and k is the largest`, async () => {
    const shapes = [
      [40, 72, 64],
      [96, 24, 64],
      [33, 16, 192],
    ] as const;
    for (const shape of shapes) {
      const types = typesOf[vendor];
      const { candidates, reasons } = await askEngine({ vendor, types, shape });
      assert.deepEqual(reasons, {});
      assert.deepEqual(new Set(candidates.map((one) => one.type)), new Set(types));
      assert.deepEqual(
        candidates.filter((one) => !one.right),
        [],
        `at ${shape.join(' x ')}`,
      );
    }
  });

  test(`${vendor}: duplicate proposals and those that report a failure are not tried`, async () => {
    // The library lists 7: the 4th repeats the 2nd, the 5th says that it is not supported.
    const answer = await askEngine({ vendor, types: ['fp16'] });
    assert.deepEqual(candidatesOf(answer, 'fp16'), [0, 1, 2, 5, 6]);
    assert.equal(new Set(answer.candidates.map((one) => one.algorithm)).size, 5);
    assert.deepEqual(new Set(answer.candidates.map((one) => one.details.proposed)), new Set([5]));
  });

  test(`${vendor}: a library’s workspace is as it requests, and at most a 64th of the memory`, async () => {
    const small = await askEngine({ vendor, types: ['fp16'] });
    // 64 MiB / 64
    assert.ok(small.candidates.every((one) => one.details.workspace_limit_bytes === 1 << 20));
    assert.deepEqual(
      small.candidates.map((one) => one.details.workspace_bytes),
      [0, 4096, 8192, 65536, 0],
    );
    const large = await askEngine({ vendor, types: ['fp16'], sim: { MEMORY_MIB: '16384' } });
    const expected = vendor === 'nvidia' ? 32 : 128;
    assert.equal(large.candidates[0]?.details.workspace_limit_bytes, expected << 20);
  });

  test(`${vendor}: a wrong element is detected, and only in its type`, async () => {
    const { candidates } = await askEngine({
      vendor,
      types: ['fp16', 'mixed'],
      sim: { BLAS_FAULT: 'wrong-result:mixed' },
    });
    assert.ok(candidates.every((one) => one.right === (one.type === 'fp16')));
    assert.ok(candidates.some((one) => one.type === 'mixed'));
  });

  test(`${vendor}: the first proposal is not assumed to be the best`, async () => {
    const { candidates } = await askEngine({ vendor, types: ['bf16'], sim: { BLAS_FAULT: 'best-is-not-first' } });
    const [first, ...others] = candidates.map((one) => one.seconds);
    assert.ok(first !== undefined && others.length > 0 && others.every((seconds) => seconds < first));
  });

  test(`${vendor}: a type that the library lacks gives a reason, and does not affect the others`, async () => {
    const none = await askEngine({ vendor, types: ['fp16', 'bf16'], sim: { BLAS_FAULT: 'not-supported:bf16' } });
    assert.equal(candidatesOf(none, 'fp16').length, 5);
    assert.match(
      none.reasons['bf16'] ?? '',
      /has no algorithm for bf16 .*GetHeuristic answers \w+_NOT_SUPPORTED \(\d+\)$/,
    );
    const empty = await askEngine({ vendor, types: ['fp16'], sim: { BLAS_FAULT: 'no-heuristics' } });
    assert.match(empty.reasons['fp16'] ?? '', /has no algorithm for fp16 of this shape on (sm_90|gfx942)$/);
  });

  test(`${vendor}: a product that fails to start is an error with the call's name and the status's`, async () => {
    const { error } = await askEngine({ vendor, types: ['fp16'], sim: { BLAS_FAULT: 'fails-to-run' } });
    assert.match(
      error?.error ?? '',
      /^(cublas|hipblas)LtMatmul failed: (CUBLAS|HIPBLAS)_STATUS_EXECUTION_FAILED \(\d+\)$/,
    );
  });
}

test('fp32 stays off the matrix units, tf32 on them, whatever the library proposes', async () => {
  const answer = await askEngine({ vendor: 'nvidia', types: ['fp32', 'tf32', 'fp16'] });
  // The last proposal multiplies with HMMA for fp32 and with FMA for tf32.
  assert.deepEqual(candidatesOf(answer, 'fp32'), [0, 1, 2, 5]);
  assert.deepEqual(candidatesOf(answer, 'tf32'), [0, 1, 2, 5]);
  assert.deepEqual(candidatesOf(answer, 'fp16'), [0, 1, 2, 5, 6]);
});

test('fp8 details state 16-bit output, scales of 1 and fast accumulation', async () => {
  const cuda = await askEngine({ vendor: 'nvidia', types: ['fp8'] });
  assert.partialDeepStrictEqual(cuda.candidates[0]?.details, {
    output_type: 'bf16',
    scales: '1',
    fast_accumulation: true,
  });
  const hip = await askEngine({ vendor: 'amd', types: ['fp8'] });
  assert.partialDeepStrictEqual(hip.candidates[0]?.details, { output_type: 'bf16', scales: '1' });
  assert.equal(hip.candidates[0]?.details['fast_accumulation'], undefined);
});

test('hipBLASLt’s fp32 counts only if it cannot run on matrix units', async () => {
  for (const arch of ['gfx90a', 'gfx942', 'gfx950']) {
    const { reasons } = await askEngine({ vendor: 'amd', types: ['fp32'], sim: { ARCH: arch } });
    assert.match(
      reasons['fp32'] ?? '',
      /on the matrix units of gfx\w+, and this figure is that of the ordinary lanes$/,
    );
  }
  const rdna = await askEngine({ vendor: 'amd', types: ['fp32'], sim: { ARCH: 'gfx1100' } });
  assert.ok(rdna.candidates.length === 5 && rdna.candidates.every((one) => one.right));
});

test('a device without a type has no figure for it', async () => {
  const ampere = await askEngine({ vendor: 'nvidia', types: ['fp8', 'tf32'], sim: { ARCH: 'sm_80' } });
  assert.match(ampere.reasons['fp8'] ?? '', /no algorithm for fp8 .* on sm_80/);
  assert.ok(candidatesOf(ampere, 'tf32').length > 0);
  const turing = await askEngine({ vendor: 'nvidia', types: ['tf32'], sim: { ARCH: 'sm_75' } });
  assert.match(turing.reasons['tf32'] ?? '', /no algorithm for tf32 .* on sm_75/);
  const cdna2 = await askEngine({ vendor: 'amd', types: ['fp8', 'tf32', 'bf16'], sim: { ARCH: 'gfx90a' } });
  assert.equal(cdna2.reasons['fp8'], 'gfx90a has no fp8');
  assert.match(cdna2.reasons['tf32'] ?? '', /^gfx90a has no matrix instructions/);
  assert.ok(candidatesOf(cdna2, 'bf16').length > 0);
});
