import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Finding } from '../attack.ts';
import { dialRaw, headOf, type Raw } from '../raw.ts';
import type { Site } from '../site.ts';

const RESULTS = '/api/gpu-mark/v1/agent/results';
const BODY_BYTES = 8 << 20;
const PER_ADDRESS = 11;
const SHORT_BODY_BYTES = 4 << 20;
/** Seconds: the grace of BODY_GRACE_SECONDS twice, and the sweep between. */
const PATIENCE_MS = 14_000;

/** Announces large bodies and stops one byte short of them, so that the memory for bodies is taken. */
export const attack: Attack = {
  title: 'fill the memory for request bodies with bodies that never end',
  run: async (site) => {
    const made = await site.hostile.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
    const { token } = made.body as { token: string };
    const innocent = await site.innocent.call('POST', '/api/gpu-mark/v1/jobs', {
      body: { benchmarks: ['quick_mark'] },
    });
    const upload = () =>
      site.innocent.call('POST', RESULTS, {
        bearer: (innocent.body as { token: string }).token,
        body: { filler: 'x'.repeat(1 << 20), warnings: 'of the wrong type' },
      });
    return [
      await withoutCredential(site),
      ...(await withCredential(site, token, upload)),
      // Takes the grace of seconds; a test of its own has it shorter.
      ...(site.short ? [] : [await drip(site, '/api/user/login', '')]),
    ];
  },
};

async function withoutCredential(site: Site): Promise<Finding> {
  const count = site.short ? 36 : 66;
  const raws = await stall(site, count, '');
  const statuses = await Promise.all(
    raws.map((raw) => Promise.race([raw.status, delay(PATIENCE_MS, 0, { ref: false })])),
  );
  const refused = statuses.filter((status) => status === 401).length;
  for (const raw of raws) raw.socket.destroy();
  return {
    tried: `${count} bodies of 8 MiB without a credential, one byte short`,
    answer: `${refused} answered 401 at once, before their bodies ended`,
    // A connection that is closed while its sender still writes may lose the answer; it holds nothing either way.
    held: statuses.every((status) => status === 401 || status === null) && refused > 0,
  };
}

async function withCredential(
  site: Site,
  token: string,
  upload: () => Promise<{ status: number }>,
): Promise<Finding[]> {
  const count = site.short ? 40 : 99;
  const raws = await stall(site, count, token);
  const others = await Promise.all(Array.from({ length: 4 }, upload));
  const served = others.every(({ status }) => status === 400);
  const ends = site.short
    ? []
    : await Promise.all(raws.map((raw) => Promise.race([raw.status, delay(PATIENCE_MS, 0, { ref: false })])));
  for (const raw of raws) raw.socket.destroy();
  return [
    {
      tried: `${count} bodies of 8 MiB from ${Math.ceil(count / PER_ADDRESS)} addresses with a job token, one byte short`,
      answer: `uploads of another customer meanwhile: ${others.map(({ status }) => status).join(' ')} (400 is the right one)`,
      held: served,
    },
    ...(site.short
      ? []
      : [
          {
            tried: 'the same, for how long they are kept',
            answer: `${ends.filter((end) => end !== 0).length} of ${ends.length} ended within ${PATIENCE_MS / 1000} s`,
            held: ends.every((end) => end !== 0),
          },
        ]),
  ];
}

/** One byte and nothing more, often: the connections must not be kept for the request's whole minute. */
async function drip(site: Site, path: string, token: string): Promise<Finding> {
  const count = 200;
  const raws = (await Promise.all(Array.from({ length: count }, () => dialRaw(site.port, '127.66.3.1')))).filter(
    (raw) => raw !== null,
  );
  for (const raw of raws) raw.socket.write(`${headFor(path, token, 4000)}{`);
  const ends = await Promise.all(raws.map((raw) => Promise.race([raw.status, delay(PATIENCE_MS, 0, { ref: false })])));
  for (const raw of raws) raw.socket.destroy();
  const ended = ends.filter((end) => end === 408 || end === null).length;
  return {
    tried: `${count} sign-ins of which one byte arrives`,
    answer: `${ended} given up with 408`,
    held: raws.length > 0 && ended === raws.length,
  };
}

async function stall(site: Site, count: number, token: string): Promise<Raw[]> {
  const bytes = Buffer.alloc((site.short && token === '' ? SHORT_BODY_BYTES : BODY_BYTES) - 1, 'x');
  const raws: Raw[] = [];
  for (let place = 0; place < count; place += 1) {
    const raw = await dialRaw(site.port, `127.66.2.${1 + Math.floor(place / PER_ADDRESS)}`);
    if (!raw) continue;
    raws.push(raw);
    raw.socket.write(headFor(RESULTS, token, bytes.length + 1));
    await new Promise<void>((resolve) => {
      raw.socket.once('close', () => resolve());
      raw.socket.write(bytes, () => resolve());
    });
  }
  return raws;
}

const headFor = (path: string, token: string, length: number): string =>
  headOf('POST', path, {
    'Content-Type': 'application/json',
    'Content-Length': length,
    ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
  });
