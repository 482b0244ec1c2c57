import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';

/** When things of one slot may happen, in the coordinator's time. */
export interface SlotTimes {
  /** latency is over, or given up, so that it is never taken under load */
  ping_until_ms: number;
  /** whether the way back is started while the way there is still measured, for want of time */
  overlapped: boolean;
  /** nothing of ours runs after it */
  deadline_ms: number;
}

/** Killing, reading the last words and reporting. */
const SLACK_MS = 150;
/** Connecting and proving take up to 650 ms of the slot, ib_write_lat about 600: it opens the device and times the clock. */
const PING_MS = 1500;
const BEFORE_LOAD_MS = 1250;
const MEASURED_MS = 1000;
/**
 * `ib_write_bw` of every version known sleeps one second after its two ends have connected, then opens its memory, measures one
 * second and times the processor's clock (0.2 s): about 2.6 s. Twice that, and the latency, are 6.5 s. In a shorter slot the
 * way back connects this long after the way there, so that it sleeps while the way there is measured: 4.8 s in all. Its own
 * second then begins 0.2 s after the other's is over. Reckoned from the sources; timed on no RDMA hardware.
 */
export const OVERLAP_MS = 1200;
/** GPU memory may take a second and more to open: from here on there is time for both ways one after the other. */
const SEQUENTIAL_SLOT_MS = 10_000;
/** What both directions need after the latency: if they overlap, and if they follow each other. */
const OVERLAPPED_LOAD_MS = 4000;
const SEQUENTIAL_LOAD_MS = 8000;
const SHORTEST_SLOT_MS = 4500;

/** Null if the slot is too short for this transport; of a check too, since the slots after it are as long. */
export function planTimes(slot: NetworkSlot): SlotTimes | null {
  if (slot.slot_ms < SHORTEST_SLOT_MS) return null;
  const overlapped = slot.slot_ms < SEQUENTIAL_SLOT_MS;
  const load = overlapped ? OVERLAPPED_LOAD_MS : SEQUENTIAL_LOAD_MS;
  return {
    ping_until_ms: slot.starts_at_ms + Math.max(PING_MS, slot.slot_ms - load),
    overlapped,
    deadline_ms: slot.starts_at_ms + slot.slot_ms - SLACK_MS,
  };
}

/**
 * Whether a slot of this length holds both ways where one way of a check, which has everything but the measured second, took
 * `tookMs`. A check that is merely good would let in a transport all of whose slots run out of time.
 */
export function fitsSlot(slot: NetworkSlot, times: SlotTimes, tookMs: number): boolean {
  const oneWay = tookMs + MEASURED_MS;
  const bothWays = times.overlapped ? OVERLAP_MS + oneWay : 2 * oneWay;
  return BEFORE_LOAD_MS + bothWays + SLACK_MS <= slot.slot_ms;
}
