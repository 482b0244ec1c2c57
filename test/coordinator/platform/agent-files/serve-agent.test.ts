import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { agentServer } from '../../../../coordinator/platform/agent-files/serve-agent.ts';
import { testApp } from '../../../support/app.ts';
import { root } from '../../../support/source-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpumark-agents-'));
after(() => rm(folder, { recursive: true, force: true }));
const { app, context } = await testApp({ after }, { environment: { AGENT_DIR: folder } });
const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Four letters, then the machine at byte 18 (System V ABI, ELF header); the rest is anything. */
function program(machine: number, bytes: number, filler: string): Buffer {
  const file = Buffer.alloc(bytes, filler);
  file.write('\x7fELF', 0, 'latin1');
  file.writeUInt16LE(machine, 18);
  return file;
}
const X64 = 62;
const ARM64 = 183;
const agent = program(X64, 300_001, 'agent ');
const sha256 = createHash('sha256').update(agent).digest('hex');
const arm = program(ARM64, 1000, 'arm ');
await writeFile(join(folder, 'gpumark-agent'), agent);
await mkdir(join(folder, 'arm64'));
await writeFile(join(folder, 'arm64', 'gpumark-agent'), arm);

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
/** Nobody reads the body: what the download holds is given back, as when a client hangs up. */
const statusOf = async (answer: Response): Promise<number> => {
  await answer.body?.cancel();
  return answer.status;
};
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

test('anybody gets the agent, whole, with its length, its hash as tag and the name to save it under', async () => {
  const answer = await get('/agent/linux-x64');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-length'), '300001');
  assert.equal(answer.headers.get('etag'), `"${sha256}"`);
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="gpumark-agent"');
  assert.deepEqual(await bytesOf(answer), agent);
});

test('the hash is a line that sha256sum -c reads, with the name of the file', async () => {
  const answer = await get('/agent/linux-x64.sha256');
  assert.equal(await answer.text(), `${sha256}  gpumark-agent\n`);
});

test('each processor type gets the program of its own', async () => {
  assert.deepEqual(await bytesOf(await get('/agent/linux-arm64')), arm);
});

test('who has it is told so, and an interrupted download goes on from where it was', async () => {
  assert.equal((await get('/agent/linux-x64', { 'if-none-match': `"${sha256}"` })).status, 304);
  const rest = await get('/agent/linux-x64', { range: 'bytes=299990-', 'if-range': `"${sha256}"` });
  assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, 'bytes 299990-300000/300001']);
  assert.deepEqual(await bytesOf(rest), agent.subarray(299_990));
  assert.equal(await statusOf(await get('/agent/linux-x64', { range: 'bytes=5-', 'if-range': '"other"' })), 200);
  assert.equal((await get('/agent/linux-x64', { range: 'bytes=300001-' })).status, 416);
});

test('a file that was replaced is handed out with its own hash', async (t) => {
  const place = join(folder, 'gpumark-agent');
  t.after(() => writeFile(place, agent));
  const newer = program(X64, 300_002, 'newer ');
  await writeFile(place, newer);
  const answer = await get('/agent/linux-x64');
  assert.equal(answer.headers.get('etag'), `"${createHash('sha256').update(newer).digest('hex')}"`);
  assert.deepEqual(await bytesOf(answer), newer);
});

test('404 with the remedy without a file, for one of another processor, another version, or no program at all', async (t) => {
  const place = join(folder, 'gpumark-agent');
  t.after(() => Promise.all([writeFile(place, agent), rm(`${place}.cdx.json`, { force: true })]));
  const refused = async (): Promise<void> => {
    const answer = await get('/agent/linux-x64');
    const body = (await answer.json()) as { error: { message: string } };
    assert.equal(answer.status, 404);
    assert.match(
      body.error.message,
      /no agent for linux-x64\. Its operator runs `make agent`, or puts .* AGENT_DIR\.$/,
    );
  };
  await rm(place);
  await refused();
  for (const other of [program(ARM64, 500, 'x'), Buffer.from('#!/bin/sh\nexit 0\n# of no version')]) {
    await writeFile(place, other);
    await refused();
  }
  await writeFile(place, agent);
  const bill = (said: string) => JSON.stringify({ metadata: { component: { version: said } } });
  await writeFile(`${place}.cdx.json`, bill('0.0.1'));
  await refused();
  await writeFile(`${place}.cdx.json`, bill(version));
  assert.equal(await statusOf(await get('/agent/linux-x64')), 200);
  assert.equal((await get('/agent/windows-x64')).status, 400);
});

test('the file of a release is found by the name that it has there', async (t) => {
  const place = join(folder, `gpumark-agent-${version}-linux-x64`);
  t.after(() => rm(place));
  const released = program(X64, 400, 'release ');
  await writeFile(place, released);
  assert.deepEqual(await bytesOf(await get('/agent/linux-x64')), released);
});

/** The server itself with few places; the test reads the body. */
const asks = (serve: ReturnType<typeof agentServer>, address: string) =>
  serve({ ...context, client: { address, country: null } }, { params: { file: 'linux-x64' }, headers: {} });

test('one address takes no more than its places, all take no more than there are, and each is given back at the end', async () => {
  const serve = agentServer({ all: 3, address: 2 });
  const busy = { kind: 'unavailable', retryAfterSeconds: 10 };
  const first = await asks(serve, '192.0.2.1');
  const second = await asks(serve, '192.0.2.1');
  await assert.rejects(asks(serve, '192.0.2.1'), busy);
  const other = await asks(serve, '192.0.2.2');
  await assert.rejects(asks(serve, '192.0.2.3'), busy);
  await first.body?.cancel();
  assert.deepEqual(await bytesOf(second), agent);
  await other.body?.cancel();
  const again = await Promise.all(['192.0.2.1', '192.0.2.1', '192.0.2.3'].map((address) => asks(serve, address)));
  assert.deepEqual(await Promise.all(again.map(statusOf)), [200, 200, 200]);
});

test('a download that takes longer than any should is cut, and its place is free', async () => {
  const serve = agentServer({ all: 1, address: 1 }, -1);
  const slow = await asks(serve, '192.0.2.1')
    .then((answer) => answer.arrayBuffer())
    .catch((error: Error) => error.message);
  assert.equal(slow, 'The download of the agent took too long.');
  assert.match(
    await asks(serve, '192.0.2.1')
      .then((answer) => answer.text())
      .catch((error: Error) => error.message),
    /took too long/,
  );
});
