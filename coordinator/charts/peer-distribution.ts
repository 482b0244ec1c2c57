import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, categoryLabel, chartColors, chartFont, quietLines } from './chart-theme.ts';

interface PeerPoint {
  /** e.g. hostname or "GPU 3" */
  name: string;
  /** value / median of the group - 1 */
  deviation: number;
  outlier: boolean;
}

export interface PeerRow {
  label: string;
  points: PeerPoint[];
}

/** Outliers named in one row of the chart; the rest stand in the table beside it. */
const NAMED_PER_ROW = 3;

/**
 * One strip per metric: every device or node as a point, by its deviation in percent from the median of its group.
 * Outliers are diamonds instead of dots, and the worst of them carry their names.
 */
export function peerDistribution(rows: PeerRow[], peers: string): EChartsOption {
  return {
    animation: false,
    grid: { left: 165, right: 40, top: 8, bottom: 42 },
    xAxis: {
      type: 'value',
      name: `deviation from the median of the ${peers} in %   (◆ outlier)`,
      ...axisName,
      ...quietLines,
      // The ends follow the data and would print odd numbers.
      axisLabel: { ...axisLabel, showMinLabel: false, showMaxLabel: false },
      min: ({ min }) => Math.floor(Math.min(min, -2) * 1.1),
      max: ({ max }) => Math.ceil(Math.max(max, 2) * 1.1),
    },
    yAxis: {
      type: 'value',
      inverse: true,
      min: -0.5,
      max: rows.length - 0.5,
      interval: 0.5,
      ...quietLines,
      splitLine: { show: false },
      axisLabel: {
        ...categoryLabel,
        formatter: (value: number) => (Number.isInteger(value) ? (rows[value]?.label ?? '') : ''),
      },
    },
    series: [
      {
        type: 'scatter',
        symbolSize: 4,
        itemStyle: { color: chartColors.main, opacity: 0.7 },
        data: rows.flatMap(ordinary),
      },
      {
        type: 'scatter',
        symbol: 'diamond',
        symbolSize: 8,
        itemStyle: { color: chartColors.low },
        data: rows.flatMap(outliers),
      },
    ],
  };
}

function ordinary({ points }: PeerRow, row: number) {
  return points
    .filter(({ outlier }) => !outlier)
    .map(({ deviation }, position) => [percent(deviation), row + jitter(position)]);
}

/** Furthest first, one below the other so that the names do not overlap. */
function outliers({ points }: PeerRow, row: number) {
  return points
    .filter(({ outlier }) => outlier)
    .toSorted((a, b) => Math.abs(b.deviation) - Math.abs(a.deviation) || (a.name < b.name ? -1 : 1))
    .map(({ name, deviation }, rank) => ({
      value: [percent(deviation), row + ((rank % NAMED_PER_ROW) - 1) * 0.25],
      label: {
        show: rank < NAMED_PER_ROW,
        formatter: name,
        // Towards the middle, where there is room.
        position: deviation < 0 ? ('right' as const) : ('left' as const),
        color: chartColors.ink,
        fontSize: 8,
        fontFamily: chartFont,
      },
    }));
}

/** A fixed pattern instead of chance: equal input must give equal pictures. Within +-0.18 of the row. */
const jitter = (position: number): number => (((position * 7) % 13) / 12 - 0.5) * 0.36;

const percent = (share: number): number => Math.round(share * 10_000) / 100;
