import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import wabt from 'wabt';

const folder = join(import.meta.dirname, '../../../../coordinator/platform/http');

test('scan-json.wasm is scan-json.wat assembled', async () => {
  const path = join(folder, 'scan-json.wasm');
  const assembler = await wabt();
  const module = assembler.parseWat('scan-json.wat', readFileSync(join(folder, 'scan-json.wat'), 'utf8'), {
    simd: true,
  });
  module.validate();
  const assembled = Buffer.from(module.toBinary({}).buffer);
  module.destroy();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, assembled);
  assert.ok(readFileSync(path).equals(assembled), 'assemble it: UPDATE_GOLDEN=1 node --test on this file');
});
