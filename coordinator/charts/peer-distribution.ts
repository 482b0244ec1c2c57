import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, categoryLabel, chartColors, chartFont, quietLines } from './chart-theme.ts';

export interface PeerPoint {
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
  const place = (outlier: boolean) =>
    rows.flatMap((row, index) =>
      row.points
        .filter((point) => point.outlier === outlier)
        .map((point, position) => ({ value: [percent(point.deviation), index + jitter(position)], name: point.name })),
    );
  return {
    animation: false,
    grid: { left: 165, right: 40, top: 8, bottom: 42 },
    xAxis: {
      type: 'value',
      name: `deviation from the median of the ${peers} in %   (◆ outlier)`,
      ...axisName,
      ...quietLines,
      axisLabel,
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
        symbol: 'circle',
        symbolSize: 4,
        itemStyle: { color: chartColors.main, opacity: 0.7 },
        data: place(false),
      },
      {
        type: 'scatter',
        symbol: 'diamond',
        symbolSize: 8,
        itemStyle: { color: chartColors.low },
        data: place(true),
      },
      { type: 'scatter', symbolSize: 0.01, data: namedOutliers(rows) },
    ],
  };
}

/** The worst outliers of each row, as invisible points that carry the label. */
function namedOutliers(rows: PeerRow[]) {
  return rows.flatMap((row, index) =>
    row.points
      .filter((point) => point.outlier)
      .toSorted((a, b) => Math.abs(b.deviation) - Math.abs(a.deviation) || (a.name < b.name ? -1 : 1))
      .slice(0, NAMED_PER_ROW)
      .map((point, position) => ({
        value: [percent(point.deviation), index + 0.22 + position * 0.22],
        label: {
          show: true,
          formatter: point.name,
          position: 'inside' as const,
          color: chartColors.ink,
          fontSize: 8,
          fontFamily: chartFont,
        },
      })),
  );
}

/** A fixed pattern instead of chance: equal input must give equal pictures. Within +-0.18 of the row. */
const jitter = (position: number): number => (((position * 7) % 13) / 12 - 0.5) * 0.36;

const percent = (share: number): number => Math.round(share * 10_000) / 100;
