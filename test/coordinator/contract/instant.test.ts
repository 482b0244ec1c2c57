import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instant } from '../../../coordinator/contract/wire.ts';

const messageOf = (value: unknown): string | undefined => instant.safeParse(value).error?.issues[0]?.message;

test('an instant without its offset says that one is needed, and a blank for an unescaped + says so', () => {
  for (const text of ['2026-11-28T12:00:00', '2026-11-28T12:00', '2026-11-28T12:00:00.5', '2026-11-28 12:00:00'])
    assert.match(messageOf(text) ?? '', /^has no offset: must be .*Z or .*\+01:00$/, text);
  // As URLSearchParams decodes ?from=2026-11-28T12:00:00+01:00
  const [decoded = ''] = new URLSearchParams('from=2026-11-28T12:00:00+01:00').values();
  for (const text of [decoded, '2026-11-28T12:00 0100', '2026-11-28T12:00:00.123 01:00'])
    assert.match(messageOf(text) ?? '', /^has a blank where its offset begins: in a query \+ is written %2B/, text);
  for (const text of ['yesterday', '2026-11-28', '2026-02-30T00:00:00Z', ''])
    assert.match(messageOf(text) ?? '', /^must be an ISO 8601 instant with its offset/, text);
  assert.match(messageOf(undefined) ?? '', /received undefined$/);
  for (const text of ['2026-11-28T12:00:00Z', '2026-11-28T12:00:00+01:00', '2026-11-28T12:00:00.123456-09:30'])
    assert.equal(messageOf(text), undefined, text);
});
