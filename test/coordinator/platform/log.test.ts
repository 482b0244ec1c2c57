import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../coordinator/platform/log.ts';

function written(level: string, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog(level, { write: (line) => void lines.push(line) }));
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

test('a value under the name of a secret is blanked at every level, and the logged object is not changed', () => {
  const fields = {
    password: 'p1',
    nested: { token: 't1', kept: 1, deeper: { authorization: 'Bearer b1' } },
    route: '/x',
  };
  const [line] = written('info', (log) => log.info(fields, 'a careless line'));
  assert.equal(line?.['password'], '[redacted]');
  assert.deepEqual(line['nested'], { token: '[redacted]', kept: 1, deeper: { authorization: '[redacted]' } });
  assert.equal(line['route'], '/x');
  assert.equal(fields.password, 'p1');
});

test('an error keeps its message, code and stack', () => {
  const [line] = written('info', (log) =>
    log.error({ err: Object.assign(new Error('gone'), { code: 'E1' }) }, 'failed'),
  );
  const { message, code, stack } = Object(line?.['err']);
  assert.deepEqual([message, code, typeof stack], ['gone', 'E1', 'string']);
});

test('lines below the level are not written, and time is ISO 8601', () => {
  const lines = written('warn', (log) => {
    log.info('no');
    log.warn('yes');
  });
  assert.equal(lines.length, 1);
  assert.match(String(lines[0]?.['time']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('the time of a line is that of its millisecond, also across a second, a day and a clock set back', (t) => {
  const instants = [
    '2026-11-27T23:59:59.007Z',
    '2026-11-27T23:59:59.070Z',
    '2026-11-27T23:59:59.999Z',
    '2026-11-28T00:00:00.000Z',
    '2026-11-27T23:59:58.100Z',
  ];
  t.mock.timers.enable({ apis: ['Date'] });
  const lines = written('info', (log) => {
    for (const instant of instants) {
      t.mock.timers.setTime(Date.parse(instant));
      log.info('at');
    }
  });
  assert.deepEqual(
    lines.map(({ time }) => time),
    instants,
  );
});
