import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, categoryLabel, chartColors, chartFont, quietLines } from './chart-theme.ts';

interface ExpectationRow {
  label: string;
  /** measured / expected */
  ratio: number;
  /** the expectation is one to be met, not a theoretical peak */
  judged: boolean;
}

/** Below this share of the expected value a metric counts as underperforming. */
const LOW = 0.95;

/** One bar per metric: measured as percent of expected, with the line at 100 %. A low bar says so in words. */
export function measuredAgainstExpected(rows: ExpectationRow[]): EChartsOption {
  return {
    animation: false,
    grid: { left: 165, right: 70, top: 8, bottom: 42 },
    xAxis: {
      type: 'value',
      min: 0,
      max: ({ max }) => Math.max(120, Math.ceil(max / 20) * 20),
      name: 'measured in % of the expected value   (line: 100 %)',
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
        type: 'bar',
        barWidth: 10,
        data: rows.map(({ ratio, judged }) => ({
          value: Math.round(ratio * 1000) / 10,
          itemStyle: { color: judged && ratio < LOW ? chartColors.low : chartColors.main },
          label: { formatter: judged && ratio < LOW ? '{c} % low' : '{c} %' },
        })),
        label: {
          show: true,
          position: 'right',
          color: chartColors.ink,
          fontSize: 9,
          fontFamily: chartFont,
          // The line at 100 % must not cross the figure.
          backgroundColor: '#ffffff',
          padding: [1, 2],
        },
        markLine: {
          silent: true,
          // Below the bars, so that the white ground of a figure covers it.
          z: 1,
          symbol: 'none',
          animation: false,
          label: { show: false },
          lineStyle: { color: chartColors.ink, width: 1, type: 'solid' },
          data: [{ xAxis: 100 }],
        },
      },
    ],
  };
}
