import type { MachineSeries } from './machine-series.ts';

/** `named('NC6s_v3 NC12s_v3')`: the API prefixes every size with `Standard_`. */
const named = (names: string): string =>
  names
    .split(' ')
    .map((name) => `Standard_${name}`)
    .join(' ');

/** As Microsoft describes its sizes (families NC, ND, NG, NV). Sizes in preview and those we are not sure of are left out. */
export const azureMachines: readonly MachineSeries[] = [
  {
    // A GPU here is half a board.
    label: 'NVIDIA K80',
    memoryGb: 12,
    formFactor: 'PCIe',
    types: [
      [1, named('NC6')],
      [2, named('NC12')],
      [4, named('NC24 NC24r')],
    ],
  },
  {
    label: 'NVIDIA P100',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1, named('NC6s_v2')],
      [2, named('NC12s_v2')],
      [4, named('NC24s_v2 NC24rs_v2')],
    ],
  },
  {
    label: 'NVIDIA V100',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1, named('NC6s_v3')],
      [2, named('NC12s_v3')],
      [4, named('NC24s_v3 NC24rs_v3')],
    ],
  },
  {
    label: 'NVIDIA T4',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1, named('NC4as_T4_v3 NC8as_T4_v3 NC16as_T4_v3')],
      [4, named('NC64as_T4_v3')],
    ],
  },
  {
    label: 'NVIDIA A100',
    memoryGb: 80,
    formFactor: 'PCIe',
    types: [
      [1, named('NC24ads_A100_v4')],
      [2, named('NC48ads_A100_v4')],
      [4, named('NC96ads_A100_v4')],
    ],
  },
  {
    label: 'NVIDIA H100 NVL',
    memoryGb: 94,
    formFactor: 'NVL',
    types: [
      [1, named('NC40ads_H100_v5')],
      [2, named('NC80adis_H100_v5')],
    ],
  },
  {
    label: 'NVIDIA P40',
    memoryGb: 24,
    formFactor: 'PCIe',
    types: [
      [1, named('ND6s')],
      [2, named('ND12s')],
      [4, named('ND24s ND24rs')],
    ],
  },
  { label: 'NVIDIA V100', memoryGb: 32, formFactor: 'SXM', types: [[8, named('ND40rs_v2')]] },
  { label: 'NVIDIA A100', memoryGb: 40, formFactor: 'SXM', types: [[8, named('ND96asr_v4')]] },
  { label: 'NVIDIA A100', memoryGb: 80, formFactor: 'SXM', types: [[8, named('ND96amsr_A100_v4')]] },
  { label: 'NVIDIA H100', memoryGb: 80, formFactor: 'SXM', types: [[8, named('ND96isr_H100_v5 ND96is_H100_v5')]] },
  { label: 'NVIDIA H200', memoryGb: 141, formFactor: 'SXM', types: [[8, named('ND96isr_H200_v5 ND96is_H200_v5')]] },
  { label: 'AMD MI300X', memoryGb: 192, formFactor: 'OAM', types: [[8, named('ND96isr_MI300X_v5 ND96is_MI300X_v5')]] },
  {
    label: 'NVIDIA GB200',
    memoryGb: 186,
    formFactor: 'superchip',
    types: [[4, named('ND128isr_GB200_v6 ND128isr_NDR_GB200_v6')]],
  },
  { label: 'NVIDIA GB300', memoryGb: 279, formFactor: 'superchip', types: [[4, named('ND128isr_GB300_v6')]] },
  {
    label: 'NVIDIA M60',
    memoryGb: 8,
    formFactor: 'PCIe',
    types: [
      [1, named('NV6 NV12s_v3')],
      [2, named('NV12 NV24s_v3')],
      [4, named('NV24 NV48s_v3')],
    ],
  },
  {
    label: 'AMD Radeon Instinct MI25',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1 / 8, named('NV4as_v4')],
      [1 / 4, named('NV8as_v4')],
      [1 / 2, named('NV16as_v4')],
      [1, named('NV32as_v4')],
    ],
  },
  {
    label: 'NVIDIA A10',
    memoryGb: 24,
    formFactor: 'PCIe',
    types: [
      [1 / 6, named('NV6ads_A10_v5')],
      [1 / 3, named('NV12ads_A10_v5')],
      [1 / 2, named('NV18ads_A10_v5')],
      [1, named('NV36ads_A10_v5 NV36adms_A10_v5')],
      [2, named('NV72ads_A10_v5')],
    ],
  },
  {
    label: 'AMD Radeon Pro V620',
    memoryGb: 32,
    formFactor: 'PCIe',
    types: [
      [1 / 4, named('NG8ads_V620_v1')],
      [1 / 2, named('NG16ads_V620_v1')],
      [1, named('NG32ads_V620_v1 NG32adms_V620_v1')],
    ],
  },
];
