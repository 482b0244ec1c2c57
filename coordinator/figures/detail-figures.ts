import { deviceMetrics, type QuickMarkTestResult } from '../contract/quick-mark.ts';

/** A figure without a field of its own: what `details` says of it is all there is. */
export interface DetailFigure {
  metric: string;
  value: number;
  record: Readonly<Record<string, unknown>>;
}

/** Runners have 16 of them. Each takes a verdict, and the verdicts of a device have to stay within its bounds. */
const MOST = 40;
const plainName = /^[a-z][a-z0-9_]{0,59}$/;

/** fp64 products, multiply-add and issue peaks, latencies and whatever else a runner measures, in its order. */
export function detailFigures({ details }: Pick<QuickMarkTestResult, 'details'>): DetailFigure[] {
  return Object.entries(details)
    .flatMap(([metric, record]): DetailFigure[] => {
      if (typeof record !== 'object' || record === null || !plainName.test(metric) || isOwnField(metric)) return [];
      const facts = record as Record<string, unknown>;
      const { value } = facts;
      return typeof value === 'number' && Number.isFinite(value) ? [{ metric, value, record: facts }] : [];
    })
    .slice(0, MOST);
}

const isOwnField = (metric: string): boolean => deviceMetrics.some((known) => known === metric);
