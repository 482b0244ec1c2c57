import { named } from '../frame/html.ts';
import type { Column } from '../frame/listing.ts';
import type { NodeFigures } from '../live/node-figures.ts';
import { number } from './number-column.ts';

/** Speed of copies from one GPU of a node to another; GPUs by number, which shared pages may show. */
export interface Copy {
  from: number;
  to: number;
  path: string;
  simplex: number | null;
  /** number of samples of which `simplex` is the median; null: not reported */
  samples: number | null;
  duplex: number | null;
  duplexSamples: number | null;
  verdict: string | null;
}

export const copyColumns: readonly Column<Copy>[] = [
  { name: 'from_gpu', label: 'From GPU', value: (row) => row.from, isNumber: true },
  { name: 'to_gpu', label: 'To GPU', value: (row) => row.to, isNumber: true },
  { name: 'connection_type', label: 'By', value: (row) => row.path, cell: (row) => named(row.path) },
  number('simplex_gbs', 'One direction, GB/s', (row) => row.simplex),
  number('simplex_samples', 'One direction, n', (row) => row.samples),
  number('duplex_gbs', 'Both directions, sum, GB/s', (row) => row.duplex),
  number('duplex_samples', 'Both directions, n', (row) => row.duplexSamples),
  { name: 'verdict', label: 'Verdict', value: (row) => row.verdict },
];

export function copiesIn({ devices, copies }: NodeFigures): Copy[] {
  const place = new Map(devices.map((device, index) => [device.id, index]));
  return copies.map((cell) => ({
    from: place.get(cell.source_gpu) ?? -1,
    to: place.get(cell.target_gpu) ?? -1,
    path: cell.connection_type,
    simplex: cell.simplex_gbs,
    samples: cell.simplex_samples ?? null,
    duplex: cell.duplex_gbs ?? null,
    duplexSamples: cell.duplex_samples ?? null,
    verdict: cell.verdict ?? null,
  }));
}
