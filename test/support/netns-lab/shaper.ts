/** One Ethernet frame on the cable as a shaper counts it, and what of it is a full TCP segment with timestamps. */
const FRAME_BYTES = 1514;
const SEGMENT_BYTES = 1448;

/** What TCP can deliver through a shaper, as a share of its rate: 1448 of 1514 bytes. */
export const TCP_SHARE = SEGMENT_BYTES / FRAME_BYTES;

const LEAST_BURST_BYTES = 5_000;
/** A kernel that comes late has this long to make up for it; with less, a busy machine makes the cable slower. */
const BURST_MS = 10;
const QUEUE_MS = 250;

const bytesIn = (ms: number, mbit: number): number => Math.round((ms * mbit * 1000) / 8);
const burst = (mbit: number): number => Math.max(LEAST_BURST_BYTES, bytesIn(BURST_MS, mbit));

/** Words of tc for a token bucket with a deep queue, so that a sound cable loses nothing. */
export const tbf = (mbit: number): string =>
  `tbf rate ${kbit(mbit)} burst ${burst(mbit)} limit ${Math.max(3 * burst(mbit), bytesIn(QUEUE_MS, mbit))}`;

/** Words of tc for a class of htb with that rate and no more. */
export const htbRate = (mbit: number): string =>
  `htb rate ${kbit(mbit)} ceil ${kbit(mbit)} burst ${burst(mbit)} cburst ${burst(mbit)}`;

const kbit = (mbit: number): string => `${Math.round(mbit * 1000)}kbit`;
