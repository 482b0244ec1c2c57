import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { checked, readJson, readJsonLines } from '../../../../coordinator/ingest/reading/read-json.ts';
import { sourceOf } from '../read-source.ts';

const item = z.object({ price: z.number(), regions: z.array(z.object({ name: z.string() })) });

test('a document cut off is an error that names the file', async () => {
  await assert.rejects(
    readJson(sourceOf('a.json', '[{"price": 1}, {"pri')),
    /^FormatError: a\.json: is cut off or not JSON \(/,
  );
  await assert.rejects(readJson(sourceOf('a.json', 'gpu,price\n')), /a\.json: is cut off or not JSON/);
  await assert.rejects(readJson(sourceOf('a.json', ' \n')), /a\.json: is empty$/);
});

test('a document larger than the limit is not read further', async () => {
  await assert.rejects(
    readJson(sourceOf('a.json', `"${'x'.repeat(2 * 1024 ** 2)}"`), 1024 ** 2),
    /a\.json: is larger than 1 MiB/,
  );
});

test('bytes that are not UTF-8 are an error, a byte order mark is not', async () => {
  await assert.rejects(readJson(sourceOf('a.json', Buffer.from([0x22, 0xff, 0x22]))), /a\.json: is not UTF-8 text/);
  assert.deepEqual(await readJson(sourceOf('a.json', '\uFEFF{"a":1}')), { a: 1 });
});

test('what is not as the format has it is named by file, row and path', () => {
  const file = { name: 'a.json' };
  assert.throws(
    () => checked(file, item, { price: 1, regions: [{ name: 'x' }, { name: 2 }] }, 'Items[3]', 4),
    (error: Error) => error.message.startsWith('a.json, row 4: is not of this format: Items[3].regions[1].name: '),
  );
  assert.throws(() => checked(file, item, [], ''), /a\.json: is not of this format: the document: /);
});

test('JSON lines come with their numbers, empty ones are passed over, the last needs no line end', async () => {
  const rows = await Array.fromAsync(readJsonLines(sourceOf('a.jsonl', '{"a":"ä日"}\n\r\n[2]\n3')));
  assert.deepEqual(rows, [
    { number: 1, text: '{"a":"ä日"}', value: { a: 'ä日' } },
    { number: 3, text: '[2]', value: [2] },
    { number: 4, text: '3', value: 3 },
  ]);
});

test('a line that is not JSON is an error with its number', async () => {
  await assert.rejects(
    Array.fromAsync(readJsonLines(sourceOf('a.jsonl', '{"a":1}\n{"a":\n'))),
    /a\.jsonl, row 2: is cut off or not JSON/,
  );
});
