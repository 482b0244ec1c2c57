import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attack, Finding } from '../attack.ts';
import { callerFrom } from '../tenant.ts';
import type { Site } from '../site.ts';

/** Reads the figures of the service as a stranger, and the files of the coordinator as another user of its machine. */
export const attack: Attack = {
  title: 'read /metrics through a proxy, or the keys and reports as another user of the machine',
  run: async (site) => [...(await metrics(site)), ...(await files(site))],
};

const disguises: Record<string, string>[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-real-ip': '127.0.0.1' },
  { host: 'gpumark.example' },
  { via: '1.1 inside', authorization: 'Bearer undefined' },
];

async function metrics({ baseUrl, hostile }: Site): Promise<Finding[]> {
  const stranger = callerFrom(baseUrl, '127.66.0.1');
  const findings: Finding[] = [];
  for (const headers of disguises) {
    const answer = await stranger.call('GET', '/metrics', { headers });
    findings.push({
      tried: `/metrics with ${Object.keys(headers).join(', ')}`,
      answer: `${answer.status}`,
      held: answer.status === 404 && !String(answer.body).includes('http_request'),
    });
  }
  await stranger.close();
  const signedIn = await hostile.call('GET', '/metrics', { headers: { 'x-forwarded-for': '198.51.100.7' } });
  findings.push({ tried: '/metrics as a customer', answer: `${signedIn.status}`, held: signedIn.status === 404 });
  return findings;
}

async function files({ dataDir }: Site): Promise<Finding[]> {
  const places = [dataDir, join(dataDir, 'postgres'), join(dataDir, 'artifacts')];
  const modes = await Promise.all(places.map(async (path) => (await stat(path)).mode & 0o777));
  const seen = modes.map((mode) => mode.toString(8)).join(', ');
  const names = await readdir(dataDir);
  const loose: string[] = [];
  for (const name of names) {
    const entry = await stat(join(dataDir, name));
    if (entry.isFile() && (entry.mode & 0o077) !== 0) loose.push(name);
  }
  return [
    {
      tried: 'enter or list DATA_DIR, its database and its reports as another user',
      answer: `modes ${seen}`,
      // As root the group of the database's user may pass, and not look.
      held: modes.every((mode) => (mode & 0o067) === 0 && (mode & 0o010) <= (process.getuid?.() === 0 ? 0o010 : 0)),
    },
    {
      tried: `read the ${names.length} entries of DATA_DIR`,
      answer: `${loose.join(', ') || 'none'} open`,
      held: loose.length === 0,
    },
  ];
}
