import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { describe, test, type TestContext } from 'node:test';
import { runProgram } from '../../../coordinator/commands/program.ts';
import { progressLine } from '../../../coordinator/commands/progress-line.ts';
import { marketCommands } from '../market/market-commands.ts';

/** What both streams of a command write, in their order. */
function streams(isTTY: boolean): { stdout: Writable; stderr: Writable & { isTTY: boolean }; written: string[] } {
  const written: string[] = [];
  const stream = (): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text: string | Buffer, _, done) => {
        written.push(String(text));
        done();
      },
    });
  return { stdout: stream(), stderr: Object.assign(stream(), { isTTY }), written };
}

/** The lines that a terminal shows after all of it: `\r` goes to the first column, `ESC [2K` empties the line. */
function screen(written: readonly string[]): string[] {
  const lines = [''];
  let column = 0;
  for (const [part] of written.join('').matchAll(/\r|\n|\p{Cc}\[2K|\P{Cc}+/gu)) {
    const line = lines.at(-1) ?? '';
    if (part === '\u001B[2K') lines[lines.length - 1] = ' '.repeat(column);
    else if (part === '\r') column = 0;
    else if (part === '\n') {
      lines.push('');
      column = 0;
    } else {
      lines[lines.length - 1] = line.slice(0, column).padEnd(column) + part + line.slice(column + part.length);
      column += part.length;
    }
  }
  return lines.map((line) => line.trimEnd());
}

/** A clock that moves on by so much each time it is looked at. */
function clock(stepMs: number): () => Date {
  let time = Date.parse('2026-11-20T12:00:00Z');
  return () => new Date((time += stepMs));
}

describe('the line itself', () => {
  const lineOf = (name: string, isTTY = true, stepMs = 1000) => {
    const { stderr, written } = streams(isTTY);
    return { progress: progressLine({ stderr, now: clock(stepMs) }, name), written };
  };

  test('says how many megabytes of how many, and the share; without a size the megabytes alone', () => {
    const { progress, written } = lineOf('prices.csv');
    progress.show(1_500_000, 3_000_000);
    assert.deepEqual(screen(written), ['prices.csv: 1.5 of 3.0 MB (50 %)']);
    progress.show(2_990_000, 3_000_000);
    assert.deepEqual(screen(written), ['prices.csv: 3.0 of 3.0 MB (99 %)']);
    progress.show(12_340_000, null);
    assert.deepEqual(screen(written), ['prices.csv: 12.3 MB']);
  });

  test('has at most 80 columns, whatever the name, and keeps its end', () => {
    for (const name of [
      `/data/${'folder/'.repeat(30)}prices.csv`,
      `/価格/${'情報'.repeat(60)}prices.csv`,
      'p\n\u001B[1mprices.csv',
    ]) {
      const { progress, written } = lineOf(name);
      progress.show(99_999_900_000, 99_999_900_000);
      const [line = '', ...others] = screen(written);
      assert.deepEqual(others, []);
      assert.match(line, /prices\.csv: 99999\.9 of 99999\.9 MB \(100 %\)$/);
      // Chinese letters are two columns wide.
      const columns = Array.from(line).reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 2 : 1), 0);
      assert.ok(columns <= 80, `${columns} columns: ${line}`);
    }
  });

  test('is written five times a second at most', () => {
    const { progress, written } = lineOf('prices.csv', true, 50);
    for (let step = 1; step <= 40; step += 1) progress.show(step * 1e6, 40e6);
    // 40 looks at the clock are 2 s.
    assert.equal(written.length, 10);
  });

  test('is gone after clear; clear writes nothing if nothing stands', () => {
    const { progress, written } = lineOf('prices.csv');
    progress.clear();
    assert.deepEqual(written, []);
    progress.show(1e6, 2e6);
    progress.clear();
    assert.deepEqual(screen(written), ['']);
    const before = written.length;
    progress.clear();
    assert.equal(written.length, before);
  });

  test('is not there if stderr is not a terminal', () => {
    const { progress, written } = lineOf('prices.csv', false);
    progress.show(1e6, 2e6);
    progress.clear();
    assert.deepEqual(written, []);
  });
});

describe('of the command', () => {
  const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
  const good = `${head}\n${'2025-03-10,Lambda,H100 SXM,8,on_demand,2.5\n'.repeat(20_000)}`;

  async function ran(t: TestContext, isTTY: boolean, name: string, content: string, url?: (path: string) => string) {
    const market = await marketCommands(t);
    const path = await market.file(name, content);
    const place = url?.(path) ?? path;
    const { stdout, stderr, written } = streams(isTTY);
    const code = await runProgram(['ingest', 'observations', place, '--allow-private-addresses'], {
      environment: { LOG_LEVEL: 'silent', ...market.environment },
      // Each piece of a file is a reason to write the line.
      now: clock(250),
      randomBytes,
      stdin: Readable.from([]),
      stdout,
      stderr,
      onStop: () => undefined,
      exit: () => undefined,
    });
    return { code, path, place, written };
  }

  test('it is shown while a file is read, and nothing of it is left beside what became of the file', async (t) => {
    const { code, path, written } = await ran(t, true, 'prices.csv', good);
    const shown = written.filter((text) => / of \d\.\d MB \(\d+ %\)$/.test(text));
    assert.ok(shown.length > 1, `${shown.length} times`);
    assert.deepEqual([code, screen(written)], [0, [`${path}: 20000 read, 20000 kept (2025-03-10)`, '']]);
  });

  test('nor beside an error', async (t) => {
    const { code, path, written } = await ran(t, true, 'prices.csv', `${good}"2025`);
    assert.ok(written.some((text) => / MB \(/.test(text)));
    assert.equal(code, 1);
    const [line, ...rest] = screen(written);
    assert.ok(line?.startsWith(`${path}, row 20001: `), line ?? 'nothing');
    assert.deepEqual(rest, ['']);
  });

  test('it is not shown if stderr is not a terminal', async (t) => {
    const { written, path } = await ran(t, false, 'prices.csv', good);
    assert.deepEqual(written, [`${path}: 20000 read, 20000 kept (2025-03-10)\n`]);
  });

  test('it shows an address without the key in it', async (t) => {
    const server = createServer((_, response) => response.end(good)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/prices.csv?key=secret`;
    const { code, written } = await ran(t, true, 'unused.csv', '', () => url);
    assert.equal(code, 0);
    assert.ok(written.some((text) => /\/prices\.csv: \d+\.\d/.test(text)));
    assert.doesNotMatch(written.join(''), /secret/);
  });
});
