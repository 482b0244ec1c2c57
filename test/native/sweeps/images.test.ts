import assert from 'node:assert/strict';
import { execa } from 'execa';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeObjects, cubins, nativeFolder, ptxFiles } from '../support/built-images.ts';
import { registry } from '../support/registry.ts';

async function check(folder: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { exitCode, stdout } = await execa(join(folder, 'device/check-images.sh'), args, { reject: false, env });
  return { exitCode, stdout };
}

/** Copies sources and images, applies `change`, and returns the check's result. */
async function checkAfter(change: (folder: string) => Promise<void>, args: readonly string[] = [], env = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-images-'));
  try {
    for (const part of ['device', 'images']) {
      await cp(join(nativeFolder, part), join(folder, part), { recursive: true });
    }
    await change(folder);
    return await check(folder, args, env);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the committed images are built from the committed sources', async () => {
  const { exitCode, stdout } = await check(nativeFolder);
  assert.equal(exitCode, 0, stdout);
  assert.match(stdout, /^ok: 40 images/);
});

const damages: [string, RegExp, (folder: string) => Promise<void>][] = [
  [
    'a source',
    /FAILED sm_90\.cubin: made from other sources/,
    (folder) => appendFile(join(folder, 'device/fma.h'), '//'),
  ],
  [
    'the flags',
    /FAILED gfx942\.hsaco: made from other sources/,
    async (folder) => {
      const script = join(folder, 'device/build-images.sh');
      await writeFile(script, (await readFile(script, 'utf8')).replaceAll('-O3', '-O2'), { mode: 0o755 });
    },
  ],
  [
    'one bit of an image',
    /^FAILED sm_90\.cubin: not the file that MANIFEST names\n/,
    async (folder) => {
      const path = join(folder, 'images/sm_90.cubin');
      const image = await readFile(path);
      image.writeUInt8(image.readUInt8(5000) ^ 1, 5000);
      await writeFile(path, image);
    },
  ],
  ['a missing image', /^FAILED gfx950\.hsaco: missing\n/, (folder) => rm(join(folder, 'images/gfx950.hsaco'))],
  [
    'an unknown image',
    /^FAILED sm_70\.cubin: not an image/,
    (folder) => writeFile(join(folder, 'images/sm_70.cubin'), ''),
  ],
  [
    'a line less in the manifest',
    /^FAILED sm_60\.ptx: no line in MANIFEST\n/,
    async (folder) => {
      const path = join(folder, 'images/MANIFEST');
      await writeFile(path, (await readFile(path, 'utf8')).replace(/.* sm_60\.ptx .*\n/, ''));
    },
  ],
  ['no manifest', /^FAILED MANIFEST is missing\n/, (folder) => rm(join(folder, 'images/MANIFEST'))],
];
for (const [what, words, change] of damages) {
  test(`${what} is found, with the command that fixes it`, async () => {
    const { exitCode, stdout } = await checkAfter(change);
    assert.equal(exitCode, 1);
    assert.match(stdout, words);
    assert.match(stdout, /build them again: native\/device\/build-images\.sh/);
  });
}

test('a rebuild without the compilers names the missing ones, and fails', async () => {
  const absent = { NVCC: 'gpumark-no-nvcc', CLANG: 'gpumark-no-clang' };
  const { exitCode, stdout } = await checkAfter(async () => undefined, ['--rebuild'], absent);
  assert.equal(exitCode, 3);
  assert.match(stdout, /NOT REBUILT: 24 images need nvcc-13\.0\.88; here is none/);
  assert.match(stdout, /NOT REBUILT: 16 images need clang-22\.\d\.\d; here is none/);
});

test('the cubins are for the listed architectures by their own headers', () => {
  const stated = [...cubins].map(([name, cubin]) => [name, cubin.sm]);
  assert.deepEqual(
    stated.toSorted((a, b) => Number(a[1]) - Number(b[1])),
    [75, 80, 86, 89, 90, 100, 103, 120].map((sm) => [`sm_${sm}.cubin`, sm]),
  );
});

test('the code objects are for the listed architectures by their own headers', () => {
  // EF_AMDGPU_MACH_AMDGCN_*, AMDGPUUsage of LLVM 22.
  const machs = {
    gfx90a: 0x3f,
    gfx942: 0x4c,
    gfx950: 0x4f,
    gfx1030: 0x36,
    gfx1100: 0x41,
    gfx1101: 0x46,
    gfx1200: 0x48,
    gfx1201: 0x4e,
  };
  assert.deepEqual(
    Object.fromEntries([...codeObjects].map(([name, object]) => [name, object.mach])),
    Object.fromEntries(Object.entries(machs).map(([name, mach]) => [`${name}.hsaco`, mach])),
  );
  // AMD HSA, code object version 5: what ROCm 5.5 and later load.
  for (const { elf } of codeObjects.values()) assert.deepEqual([elf.abi, elf.abiVersion], [64, 3]);
});

test('every driver that the runner supports can compile the PTX (CUDA 11.4 has PTX 7.4, this is 6.3), for sm_60 and later', () => {
  assert.deepEqual([...ptxFiles.keys()], ['sm_60.ptx']);
  const text = ptxFiles.get('sm_60.ptx') ?? '';
  assert.deepEqual(/\.version (\S+)\n\.target (\S+)\n/.exec(text)?.slice(1), ['6.3', 'sm_60']);
});

test('every image holds every kernel of the list and no other', () => {
  const expected = registry.kernels.portable.toSorted();
  for (const [name, cubin] of cubins) assert.deepEqual(cubin.kernels.toSorted(), expected, name);
  for (const [name, object] of codeObjects) assert.deepEqual(object.kernels.toSorted(), expected, name);
  for (const [name, text] of ptxFiles) {
    const entries = [...text.matchAll(/^\.visible \.entry (\w+)\(/gm)].map((match) => String(match[1]));
    assert.deepEqual(entries.toSorted(), expected, name);
  }
});
