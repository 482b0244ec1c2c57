import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disassemble, findObjdump } from '../support/amd-disassembly.ts';
import { codeObjects, cubins, pathOfImage, ptxFiles, ptxOf } from '../support/built-images.ts';
import { loops, memoryAccesses, operation, pastFirstLevel, type SassInstruction } from '../support/sass.ts';

// Loads and stores of one tile, from kernels.h: 8 vectors are read, 8 written; the triad reads 4 + 4 and writes 4, a copy one. Where ptxas unrolls
// further, a loop has a multiple of that. gpumark_read stores one 8-byte sum per thread after its loop.
const perTile = {
  gpumark_read: { loads: 8, stores: 0, after: 1 },
  gpumark_write: { loads: 0, stores: 8, after: 0 },
  gpumark_copy: { loads: 1, stores: 1, after: 0 },
  gpumark_triad: { loads: 8, stores: 4, after: 0 },
};
const streams = Object.entries(perTile);

/** Loads and stores in total and those of 16 bytes. */
function counted(code: readonly SassInstruction[]) {
  const accesses = memoryAccesses(code);
  const ofKind = (kind: string) => accesses.filter((one) => one.kind === kind);
  const wide = (kind: string) => ofKind(kind).filter((one) => one.bits === 128).length;
  return {
    loads: ofKind('load').length,
    wideLoads: wide('load'),
    stores: ofKind('store').length,
    wideStores: wide('store'),
  };
}

for (const [name, cubin] of cubins) {
  test(`${name}: the stream kernels' loops hold 128-bit loads and stores only`, () => {
    for (const [kernel, tile] of streams) {
      const code = cubin.codeOf(kernel);
      const bodies = loops(code, cubin.sm).map(counted);
      const working = bodies.filter((body) => body.loads + body.stores > 0);
      assert.ok(working.length > 0, `${kernel} has no loop with accesses`);
      for (const body of working) {
        assert.deepEqual([body.wideLoads, body.wideStores], [body.loads, body.stores], kernel);
        const tiles = (body.loads + body.stores) / (tile.loads + tile.stores);
        assert.deepEqual([body.loads, body.stores], [tiles * tile.loads, tiles * tile.stores], kernel);
        assert.ok(Number.isInteger(tiles), `${kernel}: ${tiles} tiles in a loop`);
      }
      const all = counted(code);
      assert.deepEqual([all.loads - all.wideLoads, all.stores - all.wideStores], [0, tile.after], kernel);
    }
  });

  test(`${name}: the cache kernels read from the second-level cache, not the first`, () => {
    for (const [kernel, bits] of [
      ['gpumark_walk', 128],
      ['gpumark_chase', 64],
    ] as const) {
      const loads = memoryAccesses(cubin.codeOf(kernel)).filter((one) => one.kind === 'load');
      assert.ok(loads.length > 0);
      for (const load of loads)
        assert.deepEqual(load, { kind: 'load', bits, access: pastFirstLevel(cubin.sm) }, kernel);
    }
  });

  test(`${name}: the stream kernels' reads may use the first-level cache, unlike the cache kernels'`, () => {
    for (const access of memoryAccesses(cubin.codeOf('gpumark_read')).filter((one) => one.kind === 'load')) {
      assert.notEqual(access.access, pastFirstLevel(cubin.sm));
    }
  });

  test(`${name}: a launch alone touches no memory`, () => {
    const code = cubin.codeOf('gpumark_empty');
    assert.deepEqual(memoryAccesses(code), []);
    assert.ok(code.some((one) => one.operation === operation.branch));
  });
}

for (const [name, text] of ptxFiles) {
  test(`${name}: vectors of two 64-bit words in the stream kernels, .cg in the cache kernels`, () => {
    for (const [kernel, tile] of streams) {
      const body = ptxOf(text, kernel);
      const global = [...body.matchAll(/\b(ld|st)\.global(\S*)/g)].map(([, kind, rest]) => `${kind}${rest}`);
      const vectors = (kind: string) =>
        global.filter((one) => new RegExp(`^${kind}(\\.nc)?\\.v2\\.[buf]64$`).test(one)).length;
      assert.deepEqual([vectors('ld'), vectors('st')], [tile.loads, tile.stores], kernel);
      assert.equal(global.length, tile.loads + tile.stores + tile.after, `${kernel}: ${global.join(' ')}`);
    }
    for (const kernel of ['gpumark_walk', 'gpumark_chase']) {
      const loads = [...ptxOf(text, kernel).matchAll(/\bld\.global(\S*)/g)].map(([, rest]) => rest);
      assert.ok(loads.length > 0);
      for (const load of loads) assert.match(load ?? '', /^\.cg\./, kernel);
    }
  });
}

// How a load that all cores of the device agree on is written: past the caches that belong to one of them.
const ofDevice = {
  gfx90a: / glc$/,
  gfx942: / sc1$/,
  gfx950: / sc1$/,
  gfx1030: / glc dlc$/,
  gfx1100: / glc$/,
  gfx1101: / glc$/,
  gfx1200: / scope:SCOPE_DEV$/,
  gfx1201: / scope:SCOPE_DEV$/,
};

for (const name of codeObjects.keys()) {
  test(`${name}: 128-bit accesses in the stream kernels, device scope in the cache kernels`, async (t) => {
    const tool = await findObjdump(name);
    if ('missing' in tool) return t.skip(tool.missing);
    const kernels = await disassemble(tool.objdump, pathOfImage(name));
    const accessesOf = (kernel: string): string[] =>
      (kernels.get(kernel) ?? []).filter((line) => /^(global|flat|buffer|scratch)_(load|store)/.test(line));
    for (const [kernel, tile] of streams) {
      const lines = accessesOf(kernel);
      const wide = (kind: string) =>
        lines.filter((line) => new RegExp(`^global_${kind}_(dwordx4|b128) `).test(line)).length;
      assert.deepEqual([wide('load'), wide('store')], [tile.loads, tile.stores], `${name} ${kernel}`);
      assert.equal(lines.length, tile.loads + tile.stores + tile.after, `${name} ${kernel}`);
    }
    const scope = Object.entries(ofDevice).find(([arch]) => name === `${arch}.hsaco`)?.[1] ?? /^unknown$/;
    for (const kernel of ['gpumark_walk', 'gpumark_chase']) {
      const loads = accessesOf(kernel).filter((line) => line.includes('_load_'));
      assert.ok(loads.length > 0);
      // 8 bytes is the widest load with a scope (portable.h).
      for (const load of loads) assert.match(load, /^global_load_(dwordx2|b64) /, `${name} ${kernel}`);
      for (const load of loads) assert.match(load, scope, `${name} ${kernel}`);
    }
  });
}

for (const name of codeObjects.keys()) {
  test(`${name}: the products on the ordinary lanes keep their lines in the first-level cache: no step invalidates it`, async (t) => {
    const tool = await findObjdump(name);
    if ('missing' in tool) return t.skip(tool.missing);
    const code = await disassemble(tool.objdump, pathOfImage(name));
    for (const kernel of ['gpumark_sgemm', 'gpumark_dgemm']) {
      const body = code.get(kernel) ?? [];
      assert.ok(
        body.some((line) => line.startsWith('s_barrier')),
        `${kernel} has no barrier`,
      );
      // gfx10 and 11 say buffer_gl0_inv, gfx12 global_inv, CDNA buffer_inv and buffer_wbinvl1.
      assert.deepEqual(
        body.filter((line) => /^(buffer_gl[01]_inv|global_inv|buffer_inv|buffer_wbinv)/.test(line)),
        [],
        kernel,
      );
    }
  });
}
