import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, categoryLabel, chartColors, quietLines } from './chart-theme.ts';

export interface SpreadRow {
  label: string;
  /** all in the metric's own unit; the median must not be 0 */
  min: number;
  p5: number;
  median: number;
  p95: number;
  max: number;
}

/**
 * How far the samples of each metric lie from its median, in percent, so that metrics of different units share one
 * axis. Box: p5 to p95. Whiskers: smallest and largest sample. Line at 0: the median.
 */
export function sampleSpread(rows: SpreadRow[]): EChartsOption {
  return {
    animation: false,
    grid: { left: 165, right: 20, top: 8, bottom: 42 },
    xAxis: {
      type: 'value',
      name: 'deviation from the median in %   (box p5–p95, whiskers min–max)',
      ...axisName,
      ...quietLines,
      axisLabel,
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map((row) => row.label),
      ...quietLines,
      axisLabel: categoryLabel,
    },
    series: [
      {
        type: 'boxplot',
        data: rows.map((row) =>
          [row.min, row.p5, row.median, row.p95, row.max].map((value) => percentFrom(row.median, value)),
        ),
        boxWidth: [6, 12],
        itemStyle: { color: chartColors.fill, borderColor: chartColors.main, borderWidth: 1 },
      },
    ],
  };
}

/** Rounded to a hundredth of a percent: finer is below a printed pixel. */
const percentFrom = (median: number, value: number): number => Math.round((value / median - 1) * 10_000) / 100;
