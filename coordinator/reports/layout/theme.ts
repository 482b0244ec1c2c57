/** A4 in points (1/72 inch); with the sizes and colours below, the same for all reports. */
export const sheet = {
  width: 595.28,
  height: 841.89,
  left: 48,
  right: 547.28,
  top: 60,
  /** nothing but the footer below */
  bottom: 778,
} as const;

export const contentWidth = sheet.right - sheet.left;

export const ink = {
  text: '#1c2127',
  muted: '#5f6b7a',
  rule: '#d3d9e0',
  shade: '#f3f5f8',
  good: '#1b6e43',
  warn: '#8a5a00',
  bad: '#b3261e',
  accent: '#2f5d8c',
} as const;

export const size = { title: 22, heading: 12.5, body: 8.8, small: 7.6, tiny: 6.4 } as const;

/** Baseline to baseline, as a multiple of the font size. */
export const leading = 1.32;
