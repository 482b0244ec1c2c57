import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askEngine, candidatesOf } from './vendor-engine.ts';

test('cuBLASLt 11, 12 and 13 are distinguished by their version, and an algorithm is named by the parameters they have', async () => {
  const algorithms: string[] = [];
  for (const version of ['11.11.3', '12.6.4', '13.1.0']) {
    const { candidates } = await askEngine({ vendor: 'nvidia', types: ['fp16'], sim: { BLAS_VERSION: version } });
    assert.equal(candidates[0]?.details.version, version);
    assert.ok(candidates.every((one) => one.right && one.path === 'cublasLt' && one.details.simulated === true));
    algorithms.push(candidates[1]?.algorithm ?? '');
  }
  assert.equal(algorithms[0], 'algo 12 tile 21 stages 0 split_k 1 reduction 0 swizzle 0 custom 0');
  assert.equal(algorithms[1], `${algorithms[0]} inner 2 cluster 2`);
  assert.equal(algorithms[2], algorithms[1]);
});

test('cuBLASLt before 11.8 has no fp8', async () => {
  const old = await askEngine({ vendor: 'nvidia', types: ['fp8', 'bf16'], sim: { BLAS_VERSION: '11.4.2' } });
  assert.equal(old.reasons['fp8'], 'cuBLASLt 11.4.2 has no fp8, which came with 11.8');
  assert.equal(candidatesOf(old, 'bf16').length, 5);
});

// 0.2: its own numbers and shorter records. 0.3: its own numbers. 0.6: either, the simulated one by its patch level. Later: HIP's.
for (const version of ['0.2.0', '0.3.0', '0.6.0', '0.6.1', '0.7.0', '0.12.0', '1.1.0']) {
  test(`hipBLASLt ${version} is called with its own enumeration values`, async () => {
    const answer = await askEngine({
      vendor: 'amd',
      types: ['fp64', 'tf32', 'fp16', 'bf16', 'mixed'],
      sim: { BLAS_VERSION: version },
    });
    assert.deepEqual(answer.reasons, {});
    assert.deepEqual(candidatesOf(answer, 'tf32'), [0, 1, 2, 5, 6]);
    assert.deepEqual(
      answer.candidates.filter((one) => !one.right),
      [],
    );
    assert.deepEqual(
      answer.candidates.filter((one) => one.type === 'fp16').map((one) => one.algorithm),
      ['solution 1000', 'solution 1001', 'solution 1002', 'solution 1005', 'solution 1006'],
    );
    assert.equal(answer.candidates[0]?.details.version, version);
  });
}

test('the record layout of an early hipBLASLt with too few proposals is not guessed', async () => {
  const short = { vendor: 'amd', types: ['fp16'] } as const;
  const early = await askEngine({ ...short, sim: { BLAS_VERSION: '0.2.0', BLAS_FAULT: 'one-proposal' } });
  assert.match(early.reasons['fp16'] ?? '', /its answer of 1 is too short to tell how it is laid out$/);
  const later = await askEngine({ ...short, sim: { BLAS_VERSION: '0.7.0', BLAS_FAULT: 'one-proposal' } });
  assert.deepEqual(candidatesOf(later, 'fp16'), [0]);
});

test('fp8 is FNUZ on gfx942, OCP on gfx950 and gfx1200, and requires a new enough library', async () => {
  const fp8 = { vendor: 'amd', types: ['fp8', 'tf32'] } as const;
  for (const arch of ['gfx942', 'gfx950', 'gfx1200']) {
    const answer = await askEngine({ ...fp8, sim: { ARCH: arch, BLAS_VERSION: '1.0.0' } });
    const candidates = answer.candidates.filter((one) => one.type === 'fp8');
    assert.ok(candidates.length > 0 && candidates.every((one) => one.right), arch);
    assert.equal(candidatesOf(answer, 'tf32').length > 0, arch === 'gfx942');
  }
  const before = await askEngine({ ...fp8, sim: { ARCH: 'gfx950', BLAS_VERSION: '0.8.0' } });
  assert.match(before.reasons['fp8'] ?? '', /OCP format, which came with 0\.10$/);
  const first = await askEngine({ ...fp8, sim: { BLAS_VERSION: '0.3.0' } });
  assert.match(first.reasons['fp8'] ?? '', /has no fp8, which came with 0\.6$/);
});
