import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { allConnectors } from '../../../../coordinator/ingest/connectors/all-connectors.ts';
import { unpack } from '../../../../coordinator/ingest/reading/unpack.ts';
import { failure, pieces, readAll, sourceOf, today } from '../read-source.ts';

const page = '<!DOCTYPE html>\n<html><head><title>Sign in, please</title></head>\n<body>You, there</body></html>\n';

test('every name is one word and taken once, so that it can be typed', () => {
  const names = allConnectors.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  for (const name of names) assert.match(name, /^[a-z][a-z0-9-]*$/);
});

for (const connector of allConnectors) {
  const provider = ['gpuhunt', 'skypilot'].includes(connector.name) ? 'aws' : null;

  test(`${connector.name}: a login page instead of the file is refused whole, by its name`, async () => {
    assert.match(await failure(connector, sourceOf('prices.2026-01-01', page, { provider })), /^prices\.2026-01-01/);
  });

  test(`${connector.name}: an empty file and an empty JSON are not prices of today`, async () => {
    assert.match(await failure(connector, sourceOf('empty', '', { provider })), /^empty/);
    assert.match(await failure(connector, sourceOf('empty', '[]', { provider })), /^empty/);
    assert.match(await failure(connector, sourceOf('empty', '{}', { provider })), /^empty/);
  });

  test(`${connector.name}: a gzip cut off gives an error and not the rows before the cut`, async () => {
    const cut = gzipSync(page.repeat(50)).subarray(0, 60);
    await assert.rejects(async () => {
      for await (const part of unpack({ name: 'cut.gz', content: pieces(cut, 16) })) {
        await readAll(connector, { ...part, asOf: today, provider, scope: 'test' });
      }
    }, /^FormatError: cut\.gz/);
  });
}
