import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listAttacks } from './list-attacks.ts';
import { runAttack } from './run-attack.ts';
import { openSite, type Site } from './site.ts';

/** The short form: the same attacks with a hundredth of the load, all on one coordinator but for those with settings of their own. */
suite('known attacks fail, and the innocent tenant gets only right answers meanwhile', async () => {
  const attacks = await listAttacks();
  const plain = attacks.filter(({ attack }) => attack.environment === undefined);
  const special = attacks.filter(({ attack }) => attack.environment !== undefined);
  suite('on one coordinator', () => {
    let site: Site | undefined;
    test('a fresh coordinator with two customers', async () => {
      site = await openSite({ short: true });
    });
    for (const { name, attack } of plain)
      test(`${name}: ${attack.title}`, async () => {
        assert.ok(site);
        assert.deepEqual((await runAttack(name, attack, site)).broken, []);
      });
    test('the coordinator stops in good order', () => site?.close());
  });
  for (const { name, attack } of special)
    test(`${name}: ${attack.title}`, async () => {
      const site = await openSite({ short: true, ...(attack.environment && { environment: attack.environment }) });
      try {
        assert.deepEqual((await runAttack(name, attack, site)).broken, []);
      } finally {
        await site.close();
      }
    });
});
