import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSite } from '../../attack/site.ts';
import { runHostileRequests } from './run.ts';

/** A hundredth of `make fuzz ONLY=hostile-requests`; delays are judged there alone. */
const STEPS = 2000;
const SEED = 'short form';

test('hostile requests over every operation get no 5xx that is not documented', async () => {
  const site = await openSite({ short: true });
  try {
    const { broken, answers } = await runHostileRequests(site, SEED, STEPS);
    assert.deepEqual(
      broken.filter((sentence) => !/after \d+ ms$/.test(sentence)),
      [],
      `seed "${SEED}"`,
    );
    assert.ok((answers['200'] ?? 0) > 0, 'some requests got far');
  } finally {
    await site.close();
  }
});
