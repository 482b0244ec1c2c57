import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, categoryLabel, chartColors, chartFont, quietLines } from './chart-theme.ts';

export interface PricedConfiguration {
  label: string;
  predicted: number;
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
  /** prices of comparable offers with who asks for them */
  offers: { provider: string; price: number }[];
}

/**
 * Predicted prices in their distributions, one strip each: box p25 to p75, whiskers p5 to p95, a diamond at the prediction, and
 * the comparable offers as points with their providers' names.
 */
export function priceDistribution(rows: readonly PricedConfiguration[]): EChartsOption {
  return {
    animation: false,
    grid: { left: 165, right: 40, top: 8, bottom: 42 },
    xAxis: {
      type: 'value',
      name: 'USD per GPU hour   (box p25–p75, whiskers p5–p95, ◆ predicted, points: comparable offers)',
      scale: true,
      ...axisName,
      ...quietLines,
      axisLabel,
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map(({ label }) => label),
      ...quietLines,
      axisLabel: categoryLabel,
    },
    series: [
      {
        type: 'boxplot',
        data: rows.map(({ p5, p25, p50, p75, p95 }) => [p5, p25, p50, p75, p95]),
        boxWidth: [8, 16],
        itemStyle: { color: chartColors.fill, borderColor: chartColors.main, borderWidth: 1 },
      },
      {
        type: 'scatter',
        symbolSize: 5,
        z: 3,
        itemStyle: { color: chartColors.ink },
        data: rows.flatMap(({ offers }, row) => offers.map((offer, at) => pointOf(offer, row, at))),
      },
      {
        type: 'scatter',
        symbol: 'diamond',
        symbolSize: 9,
        z: 4,
        itemStyle: { color: chartColors.low },
        data: rows.map(({ predicted }, row) => [predicted, row]),
      },
    ],
  };
}

/** Names in turn above and below, so that neighbours do not cover each other. */
const pointOf = ({ provider, price }: { provider: string; price: number }, row: number, at: number) => ({
  value: [price, row],
  label: {
    show: true,
    formatter: provider,
    position: at % 2 === 0 ? ('top' as const) : ('bottom' as const),
    distance: 8 + 9 * Math.floor((at % 4) / 2),
    color: chartColors.ink,
    fontSize: 8,
    fontFamily: chartFont,
  },
});
