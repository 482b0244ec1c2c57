import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrixCodeObjects, matrixCubins, matrixPtxFiles } from '../support/built-images.ts';
import { matrixFamilies, probesOf, productsOf } from '../support/registry.ts';

const kernels = [...productsOf(...matrixFamilies), ...probesOf(...matrixFamilies)];
const entriesOf = (text: string): string[] =>
  [...text.matchAll(/^\.visible \.entry (\w+)\(/gm)].map((match) => String(match[1]));

test('every kernel of the registry is in an image, and the images hold no other', () => {
  const built = [
    ...[...matrixCubins.values(), ...matrixCodeObjects.values()].flatMap((image) => image.kernels),
    ...[...matrixPtxFiles.values()].flatMap(entriesOf),
  ];
  assert.deepEqual([...new Set(built)].toSorted(), kernels.toSorted());
  assert.equal(new Set(kernels).size, kernels.length);
});

test('the matrix images are for the listed architectures by their own headers', () => {
  assert.deepEqual(Object.fromEntries([...matrixCubins].map(([name, cubin]) => [name, cubin.sm])), {
    'matrix-sm_100a.cubin': 100,
    'matrix-sm_103a.cubin': 103,
    'matrix-sm_120a.cubin': 120,
    'matrix-sm_121a.cubin': 121,
    'matrix-sm_75.cubin': 75,
    'matrix-sm_80.cubin': 80,
    'matrix-sm_89.cubin': 89,
    'matrix-sm_90a.cubin': 90,
  });
  // EF_AMDGPU_MACH_AMDGCN_*, AMDGPUUsage of LLVM 22.
  assert.deepEqual(Object.fromEntries([...matrixCodeObjects].map(([name, object]) => [name, object.mach])), {
    'matrix-gfx1100.hsaco': 0x41,
    'matrix-gfx1101.hsaco': 0x46,
    'matrix-gfx1200.hsaco': 0x48,
    'matrix-gfx1201.hsaco': 0x4e,
    'matrix-gfx90a.hsaco': 0x3f,
    'matrix-gfx942.hsaco': 0x4c,
    'matrix-gfx950.hsaco': 0x4f,
  });
});

test('the PTX has the oldest version that supports its instructions, so that older drivers compile it, and contains its cubin’s kernels', () => {
  const heads = [...matrixPtxFiles].map(([name, text]) => [
    name,
    ...(/\.version (\S+)\n\.target (\S+)\n/.exec(text)?.slice(1) ?? []),
  ]);
  // NVFP4 by tcgen05 came with 8.7, which R570 has, the first driver of a B200; sm_103a with 8.8, sm_120a with 8.7, sm_121a with 8.8 (PTX manual).
  assert.deepEqual(heads, [
    ['matrix-sm_100a.ptx', '8.7', 'sm_100a'],
    ['matrix-sm_103a.ptx', '8.8', 'sm_103a'],
    ['matrix-sm_120a.ptx', '8.7', 'sm_120a'],
    ['matrix-sm_121a.ptx', '8.8', 'sm_121a'],
    ['matrix-sm_75.ptx', '6.5', 'sm_75'],
    ['matrix-sm_80.ptx', '7.0', 'sm_80'],
    ['matrix-sm_89.ptx', '8.4', 'sm_89'],
    ['matrix-sm_90a.ptx', '8.0', 'sm_90a'],
  ]);
  for (const [name, text] of matrixPtxFiles) {
    const cubin = matrixCubins.get(name.replace('.ptx', '.cubin'));
    assert.deepEqual(entriesOf(text).toSorted(), cubin?.kernels.toSorted(), name);
  }
});

test('a warp is converged where it allocates and frees tensor memory: those instructions are warp-wide, and one thread had diverged', () => {
  for (const [name, text] of matrixPtxFiles) {
    const lines = text.split('\n').map((line) => line.trim());
    const places = lines.flatMap((line, at) => (/tcgen05\.(alloc|dealloc)/.test(line) ? [at] : []));
    assert.equal(places.length > 0, /sm_10[03]a/.test(name), name);
    for (const at of places) {
      const before = lines.slice(0, at).findLast((line) => /^(bar\.warp|@|\$L|bra|bar\.|barrier)/.test(line));
      assert.match(before ?? '', /^bar\.warp\.sync/, `${name}: line ${at + 1}`);
    }
  }
});
