import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Attack } from './attack.ts';
import { startInnocent, type RunningInnocent } from './innocent.ts';
import { listAttacks } from './list-attacks.ts';
import { runAttack } from './run-attack.ts';
import { openSite, type Site } from './site.ts';

/** The short form: the same attacks with a hundredth of the load, all on one coordinator but for those with settings of their own. */
suite('known attacks fail, and the innocent tenant gets only right answers meanwhile', async () => {
  const attacks = (await listAttacks()).filter(({ attack }) => attack.long === undefined);
  const plain = attacks.filter(({ attack }) => attack.environment === undefined);
  suite('on one coordinator', () => {
    let site: Site | undefined;
    let innocent: RunningInnocent | undefined;
    test('a fresh coordinator with two customers, one of them at work', async () => {
      site = await openSite({ short: true });
      innocent = await startInnocent(site);
    });
    for (const { name, attack } of plain)
      test(`${name}: ${attack.title}`, async () => {
        assert.ok(site && innocent);
        assert.deepEqual((await runAttack(name, attack, site, innocent)).broken, []);
      });
    test('the coordinator stops in good order', async () => {
      await innocent?.stop();
      await site?.close();
    });
  });
  for (const { name, attack } of attacks.filter((one) => !plain.includes(one)))
    test(`${name}: ${attack.title}`, () => alone(name, attack));
});

async function alone(name: string, attack: Attack): Promise<void> {
  const site = await openSite({ short: true, ...(attack.environment && { environment: attack.environment }) });
  const innocent = await startInnocent(site);
  try {
    assert.deepEqual((await runAttack(name, attack, site, innocent)).broken, []);
  } finally {
    await innocent.stop();
    await site.close();
  }
}
