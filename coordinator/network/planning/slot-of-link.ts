import type { NetworkTransport } from '../../contract/network-config.ts';
import type { NetworkEndpoint } from '../../contract/network-protocol.ts';
import { localEndpoint } from '../choose-address.ts';
import type { NewLink } from '../queries/links.ts';
import type { RunRow, SeatRow } from '../run-row.ts';

interface Slot {
  link: number;
  source: number;
  target: number;
  attempt: number;
  phase: NewLink['phase'];
  round: number | null;
  startsAtMs: number;
  slotMs: number;
  concurrent: number;
  transport: NetworkTransport;
  /** which end dials, and the address of the other end that answered */
  dial: { dialer: number; address: string | null };
}

/**
 * The row of a slot, with the current listening addresses of its ends. Unreachable if the listener no longer has a
 * port.
 */
export function slotOfLink(run: RunRow, seats: readonly SeatRow[], slot: Slot): NewLink {
  const { link, attempt, phase, round, source, target, transport, dial } = slot;
  const listener = dial.dialer === source ? target : source;
  const theirs = seats[listener]?.endpoints ?? [];
  const there = theirs.find((endpoint) => endpoint.address === dial.address) ?? theirs[0];
  const row = { link, attempt, phase, round, source, target, transport };
  if (!there) return { ...row, ...neverDriven, status: 'unreachable' };
  const own = seats[dial.dialer]?.endpoints ?? [];
  const here = localEndpoint(own, there.address);
  return {
    ...row,
    dialer: dial.dialer,
    address: there.address,
    port: there.port,
    dialer_address: here?.address ?? null,
    streams: run.config?.streams ?? streamsFor(nominalGbps(there, here ?? own[0])),
    concurrent_links: slot.concurrent,
    starts_at_ms: slot.startsAtMs,
    slot_ms: slot.slotMs,
    status: null,
  };
}

export const neverDriven = {
  dialer: null,
  address: null,
  port: null,
  dialer_address: null,
  streams: null,
  concurrent_links: null,
  starts_at_ms: null,
  slot_ms: null,
} as const;

/** Speed of the slower of two interfaces in Gb/s; null if either is unknown. */
export function nominalGbps(a: NetworkEndpoint | undefined, b: NetworkEndpoint | undefined): number | null {
  const speeds = [a?.speed_mbps ?? null, b?.speed_mbps ?? null];
  return speeds.includes(null) ? null : Math.min(...speeds.map(Number)) / 1000;
}

/** One stream fills 10 Gb/s, four fill 100; the speed of virtual interfaces is unknown. */
function streamsFor(gbps: number | null): number {
  if (gbps === null) return 4;
  if (gbps < 25) return 1;
  return gbps <= 100 ? 4 : 8;
}
