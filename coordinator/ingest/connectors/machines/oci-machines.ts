import type { MachineSeries } from './machine-series.ts';

/** As Oracle describes its GPU shapes; those we are not sure of are left out. */
export const ociMachines: readonly MachineSeries[] = [
  {
    label: 'NVIDIA P100',
    memoryGb: 16,
    formFactor: null,
    types: [
      [1, 'VM.GPU2.1'],
      [2, 'BM.GPU2.2'],
    ],
  },
  {
    label: 'NVIDIA V100',
    memoryGb: 16,
    formFactor: 'SXM',
    types: [
      [1, 'VM.GPU3.1'],
      [2, 'VM.GPU3.2'],
      [4, 'VM.GPU3.4'],
      [8, 'BM.GPU3.8'],
    ],
  },
  { label: 'NVIDIA A100', memoryGb: 40, formFactor: 'SXM', types: [[8, 'BM.GPU4.8']] },
  { label: 'NVIDIA A100', memoryGb: 80, formFactor: 'SXM', types: [[8, 'BM.GPU.A100-v2.8']] },
  {
    label: 'NVIDIA A10',
    memoryGb: 24,
    formFactor: 'PCIe',
    types: [
      [1, 'VM.GPU.A10.1'],
      [2, 'VM.GPU.A10.2'],
      [4, 'BM.GPU.A10.4'],
    ],
  },
  { label: 'NVIDIA L40S', memoryGb: 48, formFactor: 'PCIe', types: [[4, 'BM.GPU.L40S.4']] },
  { label: 'NVIDIA H100', memoryGb: 80, formFactor: 'SXM', types: [[8, 'BM.GPU.H100.8']] },
  { label: 'NVIDIA H200', memoryGb: 141, formFactor: 'SXM', types: [[8, 'BM.GPU.H200.8']] },
  { label: 'NVIDIA B200', memoryGb: 180, formFactor: 'SXM', types: [[8, 'BM.GPU.B200.8']] },
  { label: 'NVIDIA GB200', memoryGb: 186, formFactor: 'superchip', types: [[4, 'BM.GPU.GB200.4']] },
  { label: 'AMD MI300X', memoryGb: 192, formFactor: 'OAM', types: [[8, 'BM.GPU.MI300X.8']] },
];
