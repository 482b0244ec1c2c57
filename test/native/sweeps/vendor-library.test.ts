import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askEngine, simFolder } from './vendor-engine.ts';

const vendors = ['nvidia', 'amd'] as const;
const names = { nvidia: 'libcublasLt.so', amd: 'libhipblaslt.so' } as const;
const files = { nvidia: 'libcublasLt.so.13', amd: 'libhipblaslt.so.0' } as const;

for (const vendor of vendors) {
  const types = ['fp16'] as const;

  test(`${vendor}: a machine without the library lists the places searched`, async () => {
    const sim: Record<string, string> = vendor === 'nvidia' ? { CUDA_HOME: '/nowhere/cuda' } : {};
    const { candidates, reasons } = await askEngine({ vendor, types, folders: [vendor], sim });
    assert.deepEqual(candidates, []);
    const reason = reasons['fp16'] ?? '';
    assert.ok(reason.startsWith(`no ${names[vendor]} was found (looked in the loader's path, `), reason);
    assert.ok(reason.includes(vendor === 'nvidia' ? '/nowhere/cuda/lib64' : '/opt/rocm/lib'), reason);
  });

  test(`${vendor}: the current folder is not looked at`, async () => {
    const cwd = await simFolder(`blas-${vendor}`);
    assert.deepEqual((await askEngine({ vendor, types, folders: [vendor], cwd })).candidates, []);
    const named = await askEngine({ vendor, types, folders: [vendor], cwd, sim: { GPUMARK_BLAS_PATH: files[vendor] } });
    assert.match(named.reasons['fp16'] ?? '', /it does not name a lib\w+\.so by its absolute path$/);
  });

  test(`${vendor}: GPUMARK_BLAS_PATH names a folder or a file, and no other place is searched`, async () => {
    const folder = await simFolder(`blas-${vendor}`);
    for (const path of [folder, `${folder}/${files[vendor]}`]) {
      const { candidates } = await askEngine({ vendor, types, folders: [vendor], sim: { GPUMARK_BLAS_PATH: path } });
      assert.equal(candidates[0]?.details.library_path, `${folder}/${files[vendor]}`);
      assert.equal(candidates[0]?.details.library, files[vendor]);
    }
    const wrong = await askEngine({ vendor, types, sim: { GPUMARK_BLAS_PATH: '/nowhere' } });
    assert.match(wrong.reasons['fp16'] ?? '', /^GPUMARK_BLAS_PATH is \/nowhere, so no other place is searched/);
  });

  test(`${vendor}: a library without some of its calls, or none at all, is skipped for the next`, async () => {
    const [broken, whole] = [await simFolder('blas-incomplete'), await simFolder(`blas-${vendor}`)];
    const only = await askEngine({ vendor, types, folders: [vendor, 'blas-incomplete'] });
    assert.match(
      only.reasons['fp16'] ?? '',
      /is usable: lib\S+: it has no (cublas|hipblas)LtMatmulDescCreate \(looked in /,
    );
    const next = await askEngine({
      vendor,
      types,
      folders: [vendor],
      sim: { GPUMARK_BLAS_PATH: `${broken}:${whole}` },
    });
    assert.equal(next.candidates[0]?.details.library_path, `${whole}/${files[vendor]}`);
  });

  test(`${vendor}: a library that does not start with this driver leaves its status's name`, async () => {
    const { reasons } = await askEngine({ vendor, types, sim: { BLAS_FAULT: 'create-fails' } });
    assert.match(reasons['fp16'] ?? '', /LtCreate answers (CUBLAS|HIPBLAS)_STATUS_NOT_INITIALIZED \(1\)/);
  });
}

test('a hipBLASLt of another HIP runtime than the one in use is not called', async () => {
  const { reasons } = await askEngine({ vendor: 'amd', types: ['fp16'], folders: ['amd-7', 'blas-amd'] });
  assert.match(
    reasons['fp16'] ?? '',
    /it is linked with another HIP runtime, \S+libamdhip64\.so\.6, than the one in use, libamdhip64\.so\.7/,
  );
});
