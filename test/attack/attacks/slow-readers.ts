import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Finding } from '../attack.ts';
import { dialRaw, headOf, type Raw } from '../raw.ts';
import type { Site } from '../site.ts';

const CONNECTIONS = { full: 200, short: 20 };
/** Public, and the largest answer that anybody may ask for. */
const LARGE = '/openapi.json';
const PIPELINED = 200;
const CLOSE_MS = 10_000;
/** MiB of the process that unread answers may take. */
const MOST_GROWTH_MIB = 400;

/** Asks for large answers, many on each connection, and reads none. */
export const attack: Attack = {
  title: 'fill the memory with answers that are asked for and not read',
  run: async (site) => {
    const count = site.short ? CONNECTIONS.short : CONNECTIONS.full;
    const before = memoryOf(site.pid);
    const raws: Raw[] = [];
    const request = headOf('GET', LARGE, {});
    const asked = await site.hostile.call('GET', LARGE, { bearer: null });
    if (asked.status !== 200) throw new Error(`${LARGE} answers ${asked.status}: nothing large to leave unread`);
    try {
      for (let place = 0; place < count; place += 1) {
        const raw = await dialRaw(site.port, `127.66.5.${1 + (place % 4)}`);
        if (!raw) continue;
        raws.push(raw);
        raw.socket.pause();
        raw.socket.write(request.repeat(PIPELINED));
      }
      return [await pipelined(site, raws), grown(site, before, count)];
    } finally {
      for (const raw of raws) raw.socket.destroy();
    }
  },
};

/** More requests than a connection may have outstanding end it: nobody works through two hundred for a reader who reads none. */
async function pipelined(site: Site, raws: Raw[]): Promise<Finding> {
  // Answers after all those that were sent before.
  await site.hostile.call('GET', '/healthz');
  let received = 0;
  for (const raw of raws) {
    raw.socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1').split('HTTP/1.1 200').length - 1));
    raw.socket.resume();
  }
  await Promise.all(
    raws
      .filter((raw) => !raw.closed())
      .map((raw) => Promise.race([once(raw.socket, 'close'), delay(CLOSE_MS, null, { ref: false })])),
  );
  return {
    tried: `${raws.length} connections with ${PIPELINED} requests each, unread`,
    answer: `${received} answers were made, the connections closed`,
    held: received <= raws.length * 10,
  };
}

function grown(site: Site, before: number, count: number): Finding {
  const growth = memoryOf(site.pid) - before;
  return {
    tried: `memory meanwhile, ${count} connections`,
    answer: `${growth} MiB more`,
    held: growth <= MOST_GROWTH_MIB,
  };
}

function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
