/**
 * Colour of a share of what is expected: blue at all of it, then pale, then orange and brown the further below. Blue and
 * orange stay apart under every common form of colour blindness; below 0.85 the colour also darkens with every step.
 */
const stops: readonly [share: number, colour: readonly [number, number, number]][] = [
  [0, [0x6e, 0x2a, 0x00]],
  [0.25, [0xa8, 0x48, 0x0a]],
  [0.5, [0xdd, 0x7a, 0x1f]],
  [0.75, [0xf7, 0xc8, 0x73]],
  [0.85, [0xf3, 0xe3, 0xbd]],
  [0.95, [0xc6, 0xdb, 0xea]],
  [1, [0x8f, 0xbf, 0xe0]],
];

/** Not a measurement, and so none of the colours above. */
export const failedColour = 0x000000;
export const absentColour = 0xffffff;
export const diagonalColour = 0xa9b0b8;

/** 0xRRGGBB; shares above 1 look like 1. */
export function shareColour(share: number): number {
  const at = Math.min(1, Math.max(0, share));
  const upper = stops.findIndex(([stop]) => at <= stop);
  const [high, to] = stops[upper] ?? [1, [0, 0, 0] as const];
  const [low, from] = stops[upper - 1] ?? [high, to];
  const part = high === low ? 0 : (at - low) / (high - low);
  const mix = (channel: 0 | 1 | 2): number => Math.round(from[channel] + (to[channel] - from[channel]) * part);
  return (mix(0) << 16) | (mix(1) << 8) | mix(2);
}

/** Whether type on it must be white. */
export const isDark = (colour: number): boolean =>
  0.299 * (colour >> 16) + 0.587 * ((colour >> 8) & 0xff) + 0.114 * (colour & 0xff) < 110;

export const cssColour = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`;
