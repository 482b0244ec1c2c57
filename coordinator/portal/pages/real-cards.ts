import { html } from '../frame/html.ts';
import { tableOf, type Column } from '../frame/listing.ts';

/** A figure of one H100 SXM and one H200. */
export interface RealFigure {
  label: string;
  unit: string;
  h100: number;
  h200: number;
  /** id of its row in the files of `native/results`; null: by the table of products in its README */
  row: string | null;
}

/**
 * Driver 580.159.04, 2026-11-27. Products: operations by second of wall, without the gaps between samples that the files' own
 * medians leave out.
 */
export const realFigures: readonly RealFigure[] = [
  { label: 'bf16 product', unit: 'TFLOP/s', h100: 677, h200: 673, row: null },
  { label: 'fp8 product', unit: 'TFLOP/s', h100: 1280, h200: 1267, row: null },
  { label: 'TF32 product', unit: 'TFLOP/s', h100: 345, h200: 339, row: null },
  { label: 'fp64 product', unit: 'TFLOP/s', h100: 51.5, h200: 52.1, row: null },
  { label: 'fp32 multiply-add', unit: 'TFLOP/s', h100: 65.2, h200: 65.2, row: 'fma_fp32_tflops' },
  { label: 'Memory, triad', unit: 'GB/s', h100: 3017, h200: 4313, row: 'triad_gbs' },
  { label: 'Level 2 cache, read', unit: 'GB/s', h100: 7977, h200: 9217, row: 'l2_gbs' },
  { label: 'Host to device', unit: 'GB/s', h100: 54.9, h200: 55.5, row: 'host_to_device_gbs' },
];

export const MEASURED =
  'Measured with gpumark on 2026-11-27, one card of each model in three rounds, driver 580.159.04';

const card = (name: 'h100' | 'h200', label: string): Column<RealFigure> => ({
  name,
  label,
  value: (row) => row[name],
  cell: (row) => row[name].toLocaleString('en'),
  isNumber: true,
});

export const realCards = tableOf<RealFigure>([
  {
    name: 'figure',
    label: 'Figure',
    value: (row) => row.label,
    cell: (row) => html`${row.label} <small>${row.unit}</small>`,
  },
  card('h100', 'H100 SXM'),
  card('h200', 'H200'),
  { name: 'unit', label: 'Unit', value: (row) => row.unit, isHidden: true },
]);
