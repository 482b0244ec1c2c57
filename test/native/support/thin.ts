import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProven } from '../../support/proof.ts';

/**
 * Every case runs if native/ or the simulated driver has changed since all tests passed; otherwise one of each kind is
 * enough.
 */
export const isThin = isProven('native');

/** All cases; or, if one of each kind is enough, representative ones, and a test that reports their number. */
export function casesOf<Case>(
  all: readonly Case[],
  standsForOthers: (one: Case, at: number) => boolean,
): readonly Case[] {
  if (!isThin) return all;
  const some = all.filter(standsForOthers);
  test(`${some.length} of ${all.length} cases: native/ is as it was at the last full run; FULL=1 runs all`, () => {
    assert.ok(some.length > 0);
  });
  return some;
}
