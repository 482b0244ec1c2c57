import assert from 'node:assert/strict';

/** A busy machine spoils some looks; what a cable, a shaper or a wire does stays as it is, so one good look is enough. */
const LOOKS = 15;

/** Looks until nothing is wrong. @throws with what the last look saw */
export async function lookUntil(look: () => Promise<string | null>): Promise<void> {
  let wrong = await look();
  for (let again = 1; again < LOOKS && wrong !== null; again += 1) wrong = await look();
  assert.equal(wrong, null);
}
