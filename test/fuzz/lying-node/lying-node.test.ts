import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { runLies } from './run-lies.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z'), logLevel: 'info' });

for (const seed of ['a node that lies', randomBytes(6).toString('hex')])
  test(`whatever one node sends, no other node’s state or figure changes (seed ${seed})`, async () => {
    const { violations, worlds, answers } = await runLies(app, { seed, steps: 750 });
    assert.deepEqual(violations, []);
    assert.ok(worlds >= 1 && [...answers.keys()].some((answer) => answer.endsWith('200')), 'some are its own to make');
  });
