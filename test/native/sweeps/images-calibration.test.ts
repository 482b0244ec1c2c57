// Checks our decoding of NVIDIA's machine code with kernels of known content, compiled here for every architecture.
import assert from 'node:assert/strict';
import { execa } from 'execa';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cubins } from '../support/built-images.ts';
import { readCubin, type Cubin } from '../support/cubin.ts';
import { loops, memoryAccesses, operation, pastFirstLevel } from '../support/sass.ts';

const source = join(import.meta.dirname, '../support/calibration.cu');
const architectures = [...cubins.values()].map((cubin) => cubin.sm);
const compiled = new Map<number, Cubin>();
let absent: string | false = false;
let folder = '';

before(async () => {
  const { stdout, failed } = await execa('nvcc', ['--version'], { reject: false });
  // The numbers may be others in later versions, as may be the layout of a cubin.
  if (failed || !stdout.includes('release 13.0')) absent = 'no nvcc of CUDA 13.0';
  if (absent !== false) return;
  folder = await mkdtemp(join(tmpdir(), 'gpumark-sass-'));
  for (const sm of architectures) {
    const out = join(folder, `${sm}.cubin`);
    const target = `arch=compute_${sm},code=sm_${sm}`;
    await execa('nvcc', ['-O3', '-maxrregcount=24', '-gencode', target, '-cubin', '-o', out, source]);
    compiled.set(sm, readCubin(await readFile(out)));
  }
});
after(async () => {
  if (folder !== '') await rm(folder, { recursive: true });
});

/** A test per statement, over all architectures. */
function onEach(title: string, body: (cubin: Cubin) => void): void {
  test(title, (t) => {
    if (absent !== false) return t.skip(absent);
    assert.equal(compiled.size, architectures.length);
    for (const cubin of compiled.values()) body(cubin);
  });
}

onEach('the architecture in the header is the one compiled for', (cubin) => {
  assert.equal(compiled.get(cubin.sm), cubin);
});

onEach('loads and stores of 8 to 128 bits are distinguished', (cubin) => {
  for (const bits of [8, 16, 32, 64, 128]) {
    const found = memoryAccesses(cubin.codeOf(`access_${bits}`));
    assert.deepEqual(
      found.map(({ kind, bits: width }) => [kind, width]),
      [
        ['load', bits],
        ['store', bits],
      ],
      `sm_${cubin.sm}`,
    );
  }
});

onEach('.cg is the same as device scope and differs from every load that the first-level cache may answer', (cubin) => {
  const accessOf = (kernel: string): number | undefined => memoryAccesses(cubin.codeOf(kernel))[0]?.access;
  for (const kernel of ['load_cg', 'load_gpu'])
    assert.equal(accessOf(kernel), pastFirstLevel(cubin.sm), `sm_${cubin.sm}`);
  for (const kernel of ['load_plain', 'load_ca', 'load_nc', 'load_sys']) {
    assert.notEqual(accessOf(kernel), pastFirstLevel(cubin.sm), `sm_${cubin.sm} ${kernel}`);
  }
});

onEach('a loop and its multiply-adds are found, each type by its own number', (cubin) => {
  const kinds: Record<string, readonly number[]> = {
    add_fp32: [operation.fp32],
    add_fp64: [operation.fp64],
    add_fp16: [operation.fp16Pair, operation.fp16PairOther],
    add_fp32_pair: [operation.fp32Pair],
  };
  const known = new Set(Object.values(kinds).flat());
  for (const [kernel, own] of Object.entries(kinds)) {
    if (kernel === 'add_fp32_pair' && (cubin.sm < 100 || cubin.sm >= 120)) continue;
    // ptxas may put several turns, and what is left over from them, into loops of their own.
    const bodies = loops(cubin.codeOf(kernel), cubin.sm).map((body) => body.filter((one) => known.has(one.operation)));
    const working = bodies.filter((body) => body.length > 0);
    assert.ok(working.length > 0, `sm_${cubin.sm} ${kernel}`);
    for (const body of working) {
      assert.equal(body.length % 8, 0, `sm_${cubin.sm} ${kernel}: ${body.length}`);
      for (const one of body)
        assert.ok(own.includes(one.operation), `sm_${cubin.sm} ${kernel}: ${one.opcode.toString(16)}`);
    }
  }
});

onEach('spilled registers show as stack and as local loads and stores, and in no other kernel', (cubin) => {
  for (const kernel of cubin.kernels) {
    const code = cubin.codeOf(kernel);
    const local = [operation.loadLocal, operation.storeLocal].map(
      (wanted) => code.filter((one) => one.operation === wanted).length,
    );
    const frame = cubin.frames.get(kernel) ?? NaN;
    if (kernel === 'spills')
      assert.ok(frame > 0 && local.every((count) => count > 0), `sm_${cubin.sm}: ${frame}, ${local.join(', ')}`);
    else assert.deepEqual([frame, ...local], [0, 0, 0], `sm_${cubin.sm} ${kernel}`);
  }
});
