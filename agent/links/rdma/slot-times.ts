import type { NetworkSlot } from '../../../coordinator/contract/network-protocol.ts';

/** Deadlines within one slot, on the coordinator's clock. */
export interface SlotTimes {
  /** end of the latency test, so that it never runs under load */
  ping_until_ms: number;
  /** whether the reverse direction is started while forward is still being measured, to save time */
  overlapped: boolean;
  /** nothing runs after it */
  deadline_ms: number;
}

/** Time to kill the programs, read their last output and report. */
const SLACK_MS = 150;
/**
 * Connecting and authenticating take up to 650 ms of the slot, ib_write_lat about 600: it opens the device and
 * calibrates its clock.
 */
const PING_MS = 1500;
const BEFORE_LOAD_MS = 1250;
const MEASURED_MS = 1000;
/**
 * `ib_write_bw` of every version known sleeps one second after its two ends have connected, then registers its memory,
 * measures one second and calibrates the processor's clock (0.2 s): about 2.6 s. Twice that, plus the latency test, is
 * 6.5 s. In a shorter slot the reverse direction connects this long after forward, so that it sleeps while forward is
 * measured: 4.8 s in all. Its own second then begins 0.2 s after the other has ended. Computed from the sources; not
 * timed on RDMA hardware.
 */
export const OVERLAP_MS = 1200;
/**
 * GPU memory may take a second or more to register: slots from this length on have time for both directions in
 * sequence.
 */
const SEQUENTIAL_SLOT_MS = 10_000;
/** Time for both directions after the latency test: overlapped, and in sequence. */
const OVERLAPPED_LOAD_MS = 4000;
const SEQUENTIAL_LOAD_MS = 8000;
const SHORTEST_SLOT_MS = 4500;

/**
 * Null if the slot is too short for this transport; also for a check, since the slots after it have the same length.
 */
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
 * Whether a slot of this length has time for both directions, given that one direction of a check, which does
 * everything but the measured second, took `tookMs`. Otherwise a check could succeed for a transport whose slots all
 * run out of time.
 */
export function fitsSlot(slot: NetworkSlot, times: SlotTimes, tookMs: number): boolean {
  const oneWay = tookMs + MEASURED_MS;
  const bothWays = times.overlapped ? OVERLAP_MS + oneWay : 2 * oneWay;
  return BEFORE_LOAD_MS + bothWays + SLACK_MS <= slot.slot_ms;
}
