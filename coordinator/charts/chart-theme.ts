/** Colours of every chart; dark enough to tell apart in grey print. Status is never told by colour alone. */
export const chartColors = {
  ink: '#1c2127',
  muted: '#5f6b7a',
  rule: '#d3d9e0',
  main: '#2f5d8c',
  fill: '#c9d9ea',
  low: '#b3261e',
} as const;

/** One family name; the PDF maps it to the embedded font, a page to its own. */
export const chartFont = 'sans-serif';

export const axisLabel = { color: chartColors.ink, fontSize: 9, fontFamily: chartFont };

export const axisName = {
  nameLocation: 'middle',
  nameGap: 24,
  nameTextStyle: { color: chartColors.muted, fontSize: 9, fontFamily: chartFont },
} as const;

export const quietLines = {
  axisLine: { lineStyle: { color: chartColors.rule } },
  splitLine: { lineStyle: { color: chartColors.rule, width: 0.5 } },
  axisTick: { show: false },
} as const;

/** Width kept for the category labels on the left; labels longer than this are cut with an ellipsis. */
export const categoryLabel = { ...axisLabel, width: 150, overflow: 'truncate', ellipsis: '…' } as const;
