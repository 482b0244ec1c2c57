import type { EChartsOption } from 'echarts';
import { axisLabel, axisName, chartColors, quietLines } from './chart-theme.ts';

interface TermPoint {
  /** months */
  tenor: number;
  /** USD per GPU hour */
  term: number;
  forward: number;
  basis: 'observed' | 'interpolated' | 'ratio' | 'capped';
}

const MONTHS_PER_YEAR = 12;

/**
 * A term structure by months: the rate of a contract up to a month as a line, the forward rate of that month dashed, the knots as points:
 * observed filled, from ratios hollow, capped as triangles.
 */
export function termStructureChart(points: readonly TermPoint[], knots: readonly number[]): EChartsOption {
  const at = new Set(knots);
  const shown = (basis: TermPoint['basis']) =>
    points.filter((point) => point.basis === basis && at.has(point.tenor)).map(({ tenor, term }) => [tenor, term]);
  const knot = { type: 'scatter', symbolSize: 8, z: 3 } as const;
  return {
    animation: false,
    grid: { left: 48, right: 24, top: 26, bottom: 42 },
    legend: {
      top: 0,
      data: ['contract', 'forward', 'observed', 'ratio', 'capped'],
      textStyle: axisLabel,
      itemHeight: 8,
    },
    xAxis: {
      type: 'value',
      name: 'months',
      min: 0,
      max: points.at(-1)?.tenor ?? 0,
      interval: MONTHS_PER_YEAR,
      ...axisName,
      ...quietLines,
      axisLabel,
    },
    yAxis: { type: 'value', name: 'USD per GPU hour', min: 0, ...axisName, nameGap: 32, ...quietLines, axisLabel },
    series: [
      {
        name: 'contract',
        type: 'line',
        showSymbol: false,
        lineStyle: { color: chartColors.main, width: 1.5 },
        itemStyle: { color: chartColors.main },
        data: points.map(({ tenor, term }) => [tenor, term]),
      },
      {
        name: 'forward',
        type: 'line',
        showSymbol: false,
        lineStyle: { color: chartColors.low, width: 1.5, type: 'dashed' },
        itemStyle: { color: chartColors.low },
        data: points.map(({ tenor, forward }) => [tenor, forward]),
      },
      { ...knot, name: 'observed', itemStyle: { color: chartColors.main }, data: shown('observed') },
      {
        ...knot,
        name: 'ratio',
        itemStyle: { color: '#ffffff', borderColor: chartColors.main, borderWidth: 1.5 },
        data: shown('ratio'),
      },
      { ...knot, name: 'capped', symbol: 'triangle', itemStyle: { color: chartColors.muted }, data: shown('capped') },
    ],
  };
}
