/** One Ethernet frame on the cable as a shaper counts it, and what of it is a full TCP segment with timestamps. */
const FRAME_BYTES = 1514;
const SEGMENT_BYTES = 1448;

/** What TCP can deliver through a shaper, as a share of its rate: 1448 of 1514 bytes. */
export const TCP_SHARE = SEGMENT_BYTES / FRAME_BYTES;

const LEAST_BURST_BYTES = 5_000;
const BURST_MS = 2;
const QUEUE_MS = 100;

const bytesIn = (ms: number, mbit: number): number => Math.round((ms * mbit * 1000) / 8);
const burst = (mbit: number): number => Math.max(LEAST_BURST_BYTES, bytesIn(BURST_MS, mbit));

/** Words of tc for a token bucket: a short burst, so that windows of a tenth of a second are exact, and a queue of 100 ms. */
export const tbf = (mbit: number): string =>
  `tbf rate ${kbit(mbit)} burst ${burst(mbit)} limit ${Math.max(3 * burst(mbit), bytesIn(QUEUE_MS, mbit))}`;

/** Words of tc for a class of htb with that rate and no more. */
export const htbRate = (mbit: number): string =>
  `htb rate ${kbit(mbit)} ceil ${kbit(mbit)} burst ${burst(mbit)} cburst ${burst(mbit)}`;

const kbit = (mbit: number): string => `${Math.round(mbit * 1000)}kbit`;
