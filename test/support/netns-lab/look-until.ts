import assert from 'node:assert/strict';

/** A busy machine spoils some checks; what a cable or a shaper does is constant, so one good check is enough. */
const LOOKS = 15;

/** Checks again until nothing is wrong. @throws with the result of the last check */
export async function lookUntil(look: () => Promise<string | null>): Promise<void> {
  let wrong = await look();
  for (let again = 1; again < LOOKS && wrong !== null; again += 1) wrong = await look();
  assert.equal(wrong, null);
}
