import { suite, test } from 'node:test';
import { allStates } from './damaged-states.ts';
import { folderWithARow, startDamaged } from './damaged-start.ts';
import { IS_ROOT } from './fixture.ts';

suite('a damaged folder of the database starts, or is refused with the remedy, and keeps every row', () => {
  test('each state', async (t) => {
    const whole = await folderWithARow(t);
    for (const state of allStates)
      await t.test(`${state.path}: ${state.how}; ${state.refused === undefined ? 'starts' : 'refused'}`, (own) =>
        state.asRoot && !IS_ROOT ? own.skip('only root can make it') : startDamaged(own, whole, state),
      );
  });
});
