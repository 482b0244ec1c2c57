import type { Figure } from './read-figure.ts';
import { runClients } from './run-clients.ts';
import { runServers } from './run-server.ts';
import type { SlotContext } from './slot-context.ts';
import { OVERLAP_MS } from './slot-times.ts';
import type { Phase } from './talk.ts';

/** This end's figures by phase and rail; `ping` is empty in a check. */
export type PhaseFigures = Record<Phase, Figure[]>;

/**
 * The three phases at this end. The dialer is the client of `ping` and `forward`, the listener of `reverse`:
 * ib_write_bw sends from its client to its server. A failed phase does not stop the next one: its result is still
 * useful.
 */
export async function runPhases(context: SlotContext): Promise<PhaseFigures> {
  const { slot, times } = context;
  const now = Promise.resolve();
  const isDialer = slot.role === 'dial';
  if (slot.check_only) {
    const [forward, reverse] = await Promise.all(
      isDialer
        ? [runClients(context, 'forward', now, times.deadline_ms), runServers(context, 'reverse')]
        : [runServers(context, 'forward'), runClients(context, 'reverse', now, times.deadline_ms)],
    );
    return { ping: [], forward, reverse };
  }
  return isDialer ? await dial(context) : await listen(context);
}

async function dial(context: SlotContext): Promise<PhaseFigures> {
  const { times } = context;
  const ping = await runClients(context, 'ping', Promise.resolve(), times.ping_until_ms);
  const there = runClients(context, 'forward', Promise.resolve(), times.deadline_ms);
  // Opening a device uses some CPU time, so servers open theirs while the clients sleep, or after they have ended.
  if (!times.overlapped) await there;
  const back = runServers(context, 'reverse');
  const [forward, reverse] = await Promise.all([there, back]);
  return { ping, forward, reverse };
}

async function listen(context: SlotContext): Promise<PhaseFigures> {
  const { times, clock, talk } = context;
  const pings = runServers(context, 'ping');
  const there = runServers(context, 'forward');
  const overlap = async (): Promise<void> => {
    const said = await talk.hear('started', 'forward');
    const from = said?.at_ms ?? clock.now_ms();
    await clock.sleepUntil(Math.min(from + OVERLAP_MS, times.deadline_ms));
  };
  const reverse = await runClients(context, 'reverse', times.overlapped ? overlap() : there, times.deadline_ms);
  return { ping: await pings, forward: await there, reverse };
}
