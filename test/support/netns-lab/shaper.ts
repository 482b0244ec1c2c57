/** A full Ethernet frame as a shaper counts it, and the payload of a full TCP segment with timestamps. */
const FRAME_BYTES = 1514;
const SEGMENT_BYTES = 1448;

/** The share of a shaper's rate that TCP can deliver. */
export const TCP_SHARE = SEGMENT_BYTES / FRAME_BYTES;

const LEAST_BURST_BYTES = 5_000;
/** A kernel that is late can catch up on this much; with less, a busy machine makes the cable slower. */
const BURST_MS = 10;
const QUEUE_MS = 250;

const bytesIn = (ms: number, mbit: number): number => Math.round((ms * mbit * 1000) / 8);
const burst = (mbit: number): number => Math.max(LEAST_BURST_BYTES, bytesIn(BURST_MS, mbit));

/** tc arguments for a token bucket whose queue is deep enough that a healthy cable drops nothing. */
export const tbf = (mbit: number): string =>
  `tbf rate ${kbit(mbit)} burst ${burst(mbit)} limit ${Math.max(3 * burst(mbit), bytesIn(QUEUE_MS, mbit))}`;

/** tc arguments for an htb class that is limited to this rate. */
export const htbRate = (mbit: number): string =>
  `htb rate ${kbit(mbit)} ceil ${kbit(mbit)} burst ${burst(mbit)} cburst ${burst(mbit)}`;

const kbit = (mbit: number): string => `${Math.round(mbit * 1000)}kbit`;
