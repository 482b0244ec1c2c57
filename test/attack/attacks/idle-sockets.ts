import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { dialRaw, type Raw } from '../raw.ts';

const ADDRESS = '127.66.1.1';
const SOCKETS = { full: 10_000, short: 600 };
/** CONNECTIONS_PER_ADDRESS, and a few that are on their way out. */
const MOST_HELD = 560;
const AT_ONCE = 200;
const LOOKS = 20;
const LOOK_MS = 100;

/** Opens connections and says nothing, so that the listener has none left for others. */
export const attack: Attack = {
  title: 'keep others out with idle connections of one address',
  run: async (site) => {
    const count = site.short ? SOCKETS.short : SOCKETS.full;
    const raws: Raw[] = [];
    try {
      for (let begun = 0; begun < count; begun += AT_ONCE) {
        const more = Array.from({ length: Math.min(AT_ONCE, count - begun) }, () => dialRaw(site.port, ADDRESS));
        raws.push(...(await Promise.all(more)).filter((raw) => raw !== null));
      }
      const held = await stillHeld(raws, site.short ? Infinity : LOOKS);
      const newcomer = await site.innocent.call('GET', '/healthz');
      return [
        { tried: `${count} idle connections of ${ADDRESS}`, answer: `${held} are held`, held: held <= MOST_HELD },
        {
          tried: 'a new request of another address meanwhile',
          answer: `${newcomer.status}`,
          held: newcomer.status === 200,
        },
      ];
    } finally {
      for (const raw of raws) raw.socket.destroy();
    }
  },
};

/** A refusal shows on this side a moment later. */
async function stillHeld(raws: readonly Raw[], looks: number): Promise<number> {
  const held = () => raws.filter((raw) => !raw.closed()).length;
  for (let look = 0; look < looks && held() > MOST_HELD; look += 1) await delay(LOOK_MS);
  return held();
}
