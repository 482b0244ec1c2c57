import assert from 'node:assert/strict';
import { execa } from 'execa';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { built } from '../built-runner.ts';

// What the runner promises: Debian 10 and RHEL 8 have 2.28.
const floor = 28;
const native = join(import.meta.dirname, '../../../native');

/** The minor number of the newest glibc 2 version that the file refers to. */
async function glibcOf(path: string): Promise<number> {
  const { stdout } = await execa('readelf', ['-V', '-W', path]);
  const versions = [...stdout.matchAll(/\bGLIBC_2\.(\d+)/g)].map((match) => Number(match[1]));
  assert.notEqual(versions.length, 0, `${path} refers to no version of glibc`);
  return Math.max(...versions);
}

for (const name of ['gpumark-runner', 'gpumark-runner-faulty', 'unit-tests', 'floor-check'] as const) {
  test(`${name} needs no glibc newer than 2.${floor}, and no other library`, async (t) => {
    const path = await built(name);
    const newest = await glibcOf(path);
    assert.ok(newest <= floor, `${path} needs glibc 2.${newest}: see native/src/compat/forward.S`);
    t.diagnostic(`needs glibc 2.${newest} or newer`);
    const { stdout } = await execa('readelf', ['-d', '-W', path]);
    const needed = [...stdout.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map((match) => match[1] ?? '');
    // Named although they are empty in newer glibcs: the older ones have threads and dlopen there.
    for (const library of ['libc.so.6', 'libpthread.so.0', 'libdl.so.2']) assert.ok(needed.includes(library), library);
    for (const library of needed) assert.match(library, /^(lib(c|m|dl|pthread)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/);
  });
}

test('the version read is the real one: a program without the forwards needs the version that this system links against', async (t) => {
  const { stdout: own } = await execa('getconf', ['GNU_LIBC_VERSION']);
  const minor = Number(/ 2\.(\d+)/.exec(own)?.[1]);
  if (minor < 34) return t.skip(`glibc 2.${minor} gives a program's start no version newer than the floor`);
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-floor-'));
  try {
    await writeFile(join(folder, 'plain.cpp'), 'int main() { return 0; }\n');
    await execa('g++', ['-o', join(folder, 'plain'), join(folder, 'plain.cpp')]);
    // __libc_start_main@GLIBC_2.34
    const newest = await glibcOf(join(folder, 'plain'));
    assert.ok(newest >= 34 && newest <= minor, `2.${newest}`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Every line says ok; what runs at the end of the program ran once. */
function assertSound(stdout: string): void {
  const lines = stdout.split('\n');
  assert.deepEqual(lines.slice(-2), ['destroyed 1', 'finished']);
  for (const line of lines.slice(0, -2)) assert.match(line, /^ok: /);
  assert.equal(lines.length, 14);
}

test('constructors, exceptions, threads, waits, dlopen, files and libm work through the old versions', async () => {
  assertSound((await execa(await built('floor-check'))).stdout);
});

test('on aarch64 the floor holds and the same works, under an emulator', async (t) => {
  const compiler = 'aarch64-linux-gnu-g++';
  const sysroot = '/usr/aarch64-linux-gnu';
  for (const tool of [compiler, 'qemu-aarch64-static']) {
    if ((await execa('which', [tool], { reject: false })).exitCode !== 0) return t.skip(`${tool} is not installed`);
  }
  const target = 'build/aarch64/floor-check';
  const make = ['make', '-s', '-C', native, `CXX=${compiler}`, 'BUILD=build/aarch64', target];
  await execa('flock', [join(native, 'build/lock'), ...make]);
  assert.ok((await glibcOf(join(native, target))) <= floor);
  const { stdout } = await execa('qemu-aarch64-static', ['-L', sysroot, join(native, target)]);
  assertSound(stdout);
});
