import { test } from 'node:test';
import { usualStates } from './damaged-states.ts';
import { folderWithARow, startDamaged } from './damaged-start.ts';

test('what crashes and mounts leave most often starts again, or is refused with the remedy, and keeps every row', async (t) => {
  const whole = await folderWithARow(t);
  for (const state of usualStates)
    await t.test(`${state.path}: ${state.how}`, (own) => startDamaged(own, whole, state));
});
