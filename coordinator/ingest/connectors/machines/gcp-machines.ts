import type { MachineSeries } from './machine-series.ts';

/** As Google describes its GPU machine types. N1 machines take several kinds of GPU, which their names do not show. */
export const gcpMachines: readonly MachineSeries[] = [
  {
    label: 'NVIDIA A100',
    memoryGb: 40,
    formFactor: 'SXM',
    types: [
      [1, 'a2-highgpu-1g'],
      [2, 'a2-highgpu-2g'],
      [4, 'a2-highgpu-4g'],
      [8, 'a2-highgpu-8g'],
      [16, 'a2-megagpu-16g'],
    ],
  },
  {
    label: 'NVIDIA A100',
    memoryGb: 80,
    formFactor: 'SXM',
    types: [
      [1, 'a2-ultragpu-1g'],
      [2, 'a2-ultragpu-2g'],
      [4, 'a2-ultragpu-4g'],
      [8, 'a2-ultragpu-8g'],
    ],
  },
  {
    label: 'NVIDIA H100',
    memoryGb: 80,
    formFactor: 'SXM',
    types: [
      [1, 'a3-highgpu-1g'],
      [2, 'a3-highgpu-2g'],
      [4, 'a3-highgpu-4g'],
      [8, 'a3-highgpu-8g a3-edgegpu-8g a3-edgegpu-8g-nolssd a3-megagpu-8g'],
    ],
  },
  { label: 'NVIDIA H200', memoryGb: 141, formFactor: 'SXM', types: [[8, 'a3-ultragpu-8g a3-ultragpu-8g-nolssd']] },
  { label: 'NVIDIA B200', memoryGb: 180, formFactor: 'SXM', types: [[8, 'a4-highgpu-8g a4-highgpu-8g-nolssd']] },
  {
    label: 'NVIDIA GB200',
    memoryGb: 186,
    formFactor: 'superchip',
    types: [[4, 'a4x-highgpu-4g a4x-highgpu-4g-nolssd']],
  },
  {
    label: 'NVIDIA L4',
    memoryGb: 24,
    formFactor: 'PCIe',
    types: [
      [1, 'g2-standard-4 g2-standard-8 g2-standard-12 g2-standard-16 g2-standard-32'],
      [2, 'g2-standard-24'],
      [4, 'g2-standard-48'],
      [8, 'g2-standard-96'],
    ],
  },
  {
    label: 'NVIDIA RTX PRO 6000 Blackwell Server Edition',
    memoryGb: 96,
    formFactor: 'PCIe',
    types: [
      [1, 'g4-standard-48'],
      [2, 'g4-standard-96'],
      [4, 'g4-standard-192'],
      [8, 'g4-standard-384'],
    ],
  },
];
