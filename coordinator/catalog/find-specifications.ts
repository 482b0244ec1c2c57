import {
  figureColumns,
  rangePattern,
  type GpuSpecification,
  type GpuSpecsRequest,
  type SpecificationColumn,
} from '../contract/catalog.ts';
import { pageOf } from '../platform/page.ts';

type Passes = (row: GpuSpecification) => boolean;
type Order = [column: SpecificationColumn, direction: 'asc' | 'desc'];

const FIGURES: ReadonlySet<string> = new Set(figureColumns);
const BY_RETAIL_PRICE: Order[] = [['retail_price', 'desc']];

/**
 * Specifications that pass the filter: any of the given values for each column. Text matches anywhere in the column,
 * case-insensitively; a figure matches exactly or within 'low-high', both included. A row without the figure passes no filter
 * on it and sorts last.
 */
export function findSpecifications(
  specifications: readonly GpuSpecification[],
  { filter, order_by, paginate }: GpuSpecsRequest,
): { total: number; results: GpuSpecification[] } {
  const entries = filter.flatMap((entry) => Object.entries(entry) as [SpecificationColumn, string | number][]);
  const tests = [...Map.groupBy(entries, ([column]) => column).values()].map((same): Passes => {
    const any = same.map(([column, value]) => testOf(column, value));
    return (row) => any.some((passes) => passes(row));
  });
  const asked = order_by.flatMap((entry) => Object.entries(entry) as Order[]);
  const order = asked.length > 0 ? asked : BY_RETAIL_PRICE;
  const found = specifications.filter((row) => tests.every((passes) => passes(row))).toSorted(comparing(order));
  return { total: found.length, results: pageOf(found, paginate) };
}

function testOf(column: SpecificationColumn, value: string | number): Passes {
  const isFigure = typeof value === 'number' || FIGURES.has(column);
  if (!isFigure) {
    const wanted = value.toLowerCase();
    return (row) =>
      String(row[column] ?? '')
        .toLowerCase()
        .includes(wanted);
  }
  const [, low, high] = rangePattern.exec(String(value)) ?? [];
  const [least, most] = [Number(low), Number(high ?? low)];
  return (row) => {
    const figure = row[column];
    return typeof figure === 'number' && figure >= least && figure <= most;
  };
}

const comparing =
  (order: readonly Order[]) =>
  (a: GpuSpecification, b: GpuSpecification): number => {
    for (const [column, direction] of order) {
      const [left, right] = [a[column], b[column]];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      const less = typeof left === 'number' ? left - Number(right) : left.localeCompare(String(right), 'en', NUMERIC);
      if (less !== 0) return direction === 'asc' ? less : -less;
    }
    return a.id - b.id;
  };

const NUMERIC = { numeric: true, sensitivity: 'base' } as const;
