// NVFP4, MXFP4 and MXFP8: which devices have them, by which engine, and that a wrong product is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleQuickMark } from '../../../agent/kernels/assemble-quick-mark.ts';
import { quickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { ofKind } from '../built-runner.ts';
import { backendOf, runOn } from '../simulated-gpus.ts';
import { simFolder } from './vendor-engine.ts';

const types = ['nvfp4', 'mxfp4', 'mxfp8'] as const;
type Type = (typeof types)[number];
type Units = Record<Type, string | null>;

async function multiply(architecture: string, sim: Record<string, string> = {}, benchmarks: readonly Type[] = types) {
  const vendor = architecture.startsWith('sm_') ? 'nvidia' : 'amd';
  const machine = { drivers: [vendor], sim: { ARCH: architecture, MEMORY_MIB: '64', ...sim } } as const;
  const names = benchmarks.map((type) => `gemm_${type}`).join();
  const run = await runOn({ ...machine, drivers: [vendor] }, [
    'run',
    '--device',
    backendOf[vendor],
    '--benchmarks',
    names,
  ]);
  return { run, result: (type: Type) => run.result(`${type}_tflops`) };
}

// PTX manual, "mma.sync" with .block_scale: sm_120a and 121a; "tcgen05.mma" with .block_scale: sm_100a and 103a. CDNA 4 instruction set: UE8M0 scales alone.
const own: Record<string, Units> = {
  sm_120: { nvfp4: 'mma.sync', mxfp4: 'mma.sync', mxfp8: 'mma.sync' },
  gfx950: { nvfp4: null, mxfp4: 'mfma', mxfp8: 'mfma' },
  sm_100: { nvfp4: 'tcgen05', mxfp4: 'tcgen05', mxfp8: 'tcgen05' },
  sm_103: { nvfp4: 'tcgen05', mxfp4: 'tcgen05', mxfp8: 'tcgen05' },
  sm_90: { nvfp4: null, mxfp4: null, mxfp8: null },
};

for (const [architecture, units] of Object.entries(own)) {
  test(`${architecture}: our block-scaled products are verified, and those that the hardware lacks are reported as absent`, async () => {
    const { run, result } = await multiply(architecture);
    assert.equal(run.exitCode, 0, JSON.stringify(ofKind(run.events, 'error')));
    for (const type of types) {
      const { value, verified, engine, details, reason } = result(type);
      if (units[type] === null) {
        assert.deepEqual([value, details['absence']], [null, 'hardware'], type);
        assert.match(reason ?? '', /has no matrix instructions for/, type);
        continue;
      }
      assert.ok((value ?? 0) > 0 && verified === true, `${type}: ${reason}`);
      assert.deepEqual([engine, details['path']], ['own', units[type]], type);
      assert.partialDeepStrictEqual(details['verification'], { elements_wrong: 0, elements_by_host_wrong: 0 }, type);
    }
    const device = run.devices[0]?.device_id ?? '';
    const entry = quickMarkTestResult.parse(assembleQuickMark(run.events, device));
    for (const type of types) assert.equal(entry[`${type}_tflops`], result(type).value, type);
  });
}

// cuBLASLt has UE4M3 scales for 4 bits and UE8M0 for 8; hipBLASLt has UE8M0 for both, since 1.0.
const libraries: Record<string, { units: Units; sim: Record<string, string> }> = {
  sm_100: { units: { nvfp4: 'cublasLt', mxfp4: 'own', mxfp8: 'cublasLt' }, sim: {} },
  gfx950: { units: { nvfp4: null, mxfp4: 'hipblasLt', mxfp8: 'hipblasLt' }, sim: { BLAS_VERSION: '1.0.0' } },
};
const blasOf = async (architecture: string) => ({
  GPUMARK_BLAS_PATH: await simFolder(`blas-${architecture.startsWith('sm_') ? 'nvidia' : 'amd'}`),
});

for (const [architecture, { units, sim }] of Object.entries(libraries)) {
  test(`${architecture}: the vendor's library multiplies with block scales, from the addresses and in the layout that it requires`, async () => {
    const { run, result } = await multiply(architecture, { ...sim, ...(await blasOf(architecture)) });
    assert.equal(run.exitCode, 0, JSON.stringify(ofKind(run.events, 'error')));
    for (const type of types) {
      const { value, verified, engine, details, reason } = result(type);
      if (units[type] === null) assert.equal(value, null, type);
      else if (units[type] === 'own') assert.equal(engine, 'own', type);
      else {
        assert.ok((value ?? 0) > 0 && verified === true, `${type}: ${reason}`);
        assert.deepEqual([engine, details['path']], ['vendor', units[type]], type);
      }
    }
  });
}

test('a library without block scales is not used for them, and the reason is reported', async () => {
  const { result } = await multiply('gfx950', { BLAS_VERSION: '0.12.0', ...(await blasOf('gfx950')) }, ['mxfp8']);
  assert.equal(result('mxfp8').engine, 'own');
  const engines = result('mxfp8').details['engines'] as Record<string, Record<string, unknown>>;
  assert.match(String(engines['vendor']?.['reason']), /^hipBLASLt 0\.12\.0 has no block scales, which came with 1\.0/);
});

test('a wrong product of the library is found and named, and ours is the headline', async () => {
  const sim = { BLAS_FAULT: 'wrong-result:nvfp4', ...(await blasOf('sm_120')) };
  const { run, result } = await multiply('sm_120', sim, ['nvfp4']);
  assert.deepEqual([result('nvfp4').engine, result('nvfp4').verified], ['own', true]);
  const engines = result('nvfp4').details['engines'] as Record<string, Record<string, unknown>> | undefined;
  assert.match(JSON.stringify(engines?.['vendor']), /elements of the product are off by more than the error bound/);
  assert.equal(run.exitCode, 0);
  const alone = await runOn({ drivers: ['nvidia'], sim: { ARCH: 'sm_120', MEMORY_MIB: '64', ...sim } }, [
    'run',
    '--device',
    'cuda',
    '--benchmarks',
    'gemm_nvfp4',
    '--engine',
    'vendor',
  ]);
  assert.equal(alone.result('nvfp4_tflops').value, null);
  assert.equal(alone.exitCode, 6);
});
