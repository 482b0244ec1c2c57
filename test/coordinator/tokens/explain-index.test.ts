import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { run } from '../../support/run-program.ts';
import { catalogueReading, noRealDays, rawDays, usageReading } from './real-days.ts';
import { store } from './stored-observations.ts';

/** Half up of a / b with four decimals. */
const quotient = (a: bigint, b: bigint): string => {
  const digits = ((2n * a * 10_000n + b) / (2n * b)).toString().padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
};
const MILLIONTHS = 10n ** 12n;
/** USD per million in units of 10^-12. */
const scaled = (text: string): bigint => {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.slice(0, 12).padEnd(12, '0'));
};

describe('explain-index', { skip: noRealDays }, async () => {
  const app = await testApp({ after }, { now: new Date('2026-08-23T06:00:00Z') });
  await store(app, ...rawDays().flatMap((day) => [usageReading(day), catalogueReading(day)]));
  const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
  const explain = (...argv: string[]) => run(['ingest', 'explain-index', ...argv], environment);

  for (const token of ['expenditure', 'open_expenditure', 'closed_expenditure'])
    test(`prints every paid item of ${token}; their sum is the published figure`, async () => {
      const { code, stdout, stderr } = await explain('2026-08-10', '--token', token);
      assert.deepEqual([code, stderr], [0, '']);
      const published = /on 2026-08-10: (\d+\.\d{4})/.exec(stdout)?.[1];
      const lines = [
        ...stdout.matchAll(/^[\d.]+ +([\d.]+) % +(\d+) +(\d+) +([\d.]+) +([\d.]+) +(\d{4}-\d\d-\d\d) +(\S+)$/gm),
      ];
      assert.ok(lines.length > 50, String(lines.length));
      let [money, tokens, share] = [0n, 0n, 0];
      for (const [, ofMoney = '', input = '', output = '', priceIn = '', priceOut = ''] of lines) {
        money += BigInt(input) * scaled(priceIn) + BigInt(output) * scaled(priceOut);
        tokens += BigInt(input) + BigInt(output);
        share += Number(ofMoney);
      }
      assert.equal(quotient(money, tokens * MILLIONTHS), published);
      assert.ok(Math.abs(share - 100) < 2, String(share));
      assert.match(stdout, new RegExp(`= ${published?.replace('.', '\\.')} USD per million`));
      assert.match(stdout, /coverage 0\.\d{6}/);
    });

  test('names what has no price and what is free', async () => {
    const { stdout } = await explain('2026-08-10');
    assert.match(stdout, /without a price: \d+/);
    assert.match(stdout, /free, not counted: 19/);
    assert.match(stdout, /:batch$/m);
  });

  test('prints the links behind a price index; they lead from the day before to the published figure', async () => {
    const { stdout } = await explain('2026-08-10', '--token', 'token_price');
    const differences = [...stdout.matchAll(/^2026-\d\d-\d\d +-?[\d.]+ +-?[\d.]+ +(-?[\d.]+)$/gm)].map(([, text]) =>
      Number(text),
    );
    // From 2026-07-30 to the day before.
    assert.equal(differences.length, 11);
    const [, before, after] = /^2026-08-09: ([\d.]+), .* = ([\d.]+)$/m.exec(stdout) ?? [];
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
    assert.ok(Math.abs(Number(before) * Math.exp(mean) - Number(after)) < 1e-4);
    assert.equal(/on 2026-08-10: ([\d.]+)/.exec(stdout)?.[1], after);
  });

  test('and restate-index refuse a day or an index that there is not, and name the remedy', async () => {
    for (const [argv, message] of [
      [['explain-index', '2026-13-01'], /day must be YYYY-MM-DD/],
      [['explain-index', '2026-08-10', '--token', 'gpt'], /--token: must be one of expenditure/],
      [['explain-index', '2020-01-01'], /expenditure has not been computed for 2020-01-01/],
      [['restate-index', '2026-08-10'], /--reason: say why/],
      [['restate-index', '2020-01-01', '--reason', 'x'], /No index has been computed for 2020-01-01/],
    ] as const) {
      const { code, stderr } = await run(['ingest', ...argv], environment);
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
    }
    const same = await run(['ingest', 'restate-index', '2026-08-10', '--reason', 'to see'], environment);
    assert.deepEqual([same.code, same.stdout], [0, '2026-08-10: the figures come out as they are published\n']);
  });
});
