import { sizes, type MachineSeries } from './machine-series.ts';

/** The layout that g5, g6 and g6e share: one accelerator in every size except the three large ones. */
const graphics = (family: string): MachineSeries['types'] => [
  [1, sizes(family, 'xlarge 2xlarge 4xlarge 8xlarge 16xlarge')],
  [4, sizes(family, '12xlarge 24xlarge')],
  [8, sizes(family, '48xlarge')],
];

/** As the pages of the EC2 families describe them. Counts and memory of 2025-11 are compared with instances.json in the tests. */
export const awsMachines: readonly MachineSeries[] = [
  { label: 'NVIDIA Tesla M2050', memoryGb: 3, formFactor: null, types: [[2, 'cg1.4xlarge']] },
  {
    label: 'NVIDIA GRID K520',
    memoryGb: 4,
    formFactor: null,
    types: [
      [1, 'g2.2xlarge'],
      [4, 'g2.8xlarge'],
    ],
  },
  // Two GPUs per board; AWS counts GPUs.
  {
    label: 'NVIDIA K80',
    memoryGb: 12,
    formFactor: 'PCIe',
    types: [
      [1, 'p2.xlarge'],
      [8, 'p2.8xlarge'],
      [16, 'p2.16xlarge'],
    ],
  },
  {
    label: 'NVIDIA V100',
    memoryGb: 16,
    formFactor: 'SXM',
    types: [
      [1, 'p3.2xlarge'],
      [4, 'p3.8xlarge'],
      [8, 'p3.16xlarge'],
    ],
  },
  { label: 'NVIDIA V100', memoryGb: 32, formFactor: 'SXM', types: [[8, 'p3dn.24xlarge']] },
  { label: 'NVIDIA A100', memoryGb: 40, formFactor: 'SXM', types: [[8, 'p4d.24xlarge']] },
  { label: 'NVIDIA A100', memoryGb: 80, formFactor: 'SXM', types: [[8, 'p4de.24xlarge']] },
  {
    label: 'NVIDIA H100',
    memoryGb: 80,
    formFactor: 'SXM',
    types: [
      [1, 'p5.4xlarge'],
      [8, 'p5.48xlarge'],
    ],
  },
  { label: 'NVIDIA H200', memoryGb: 141, formFactor: 'SXM', types: [[8, 'p5e.48xlarge p5en.48xlarge']] },
  { label: 'NVIDIA B200', memoryGb: 180, formFactor: 'SXM', types: [[8, 'p6-b200.48xlarge']] },
  { label: 'NVIDIA B300', memoryGb: 288, formFactor: 'SXM', types: [[8, 'p6-b300.48xlarge']] },
  // 144 vCPUs and 960 GiB are two of the 36 Grace CPUs of a 72-GPU UltraServer, so 4 GPUs and not the 36 of its name.
  { label: 'NVIDIA GB200', memoryGb: 185, formFactor: 'superchip', types: [[4, 'p6e-gb200.36xlarge']] },
  {
    label: 'NVIDIA M60',
    memoryGb: 8,
    formFactor: 'PCIe',
    types: [
      [1, 'g3s.xlarge g3.4xlarge'],
      [2, 'g3.8xlarge'],
      [4, 'g3.16xlarge'],
    ],
  },
  {
    label: 'AMD Radeon Pro V520',
    memoryGb: 8,
    formFactor: 'PCIe',
    types: [
      [1, sizes('g4ad', 'xlarge 2xlarge 4xlarge')],
      [2, 'g4ad.8xlarge'],
      [4, 'g4ad.16xlarge'],
    ],
  },
  {
    label: 'NVIDIA T4',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1, sizes('g4dn', 'xlarge 2xlarge 4xlarge 8xlarge 16xlarge')],
      [4, 'g4dn.12xlarge'],
      [8, 'g4dn.metal'],
    ],
  },
  { label: 'NVIDIA A10G', memoryGb: 24, formFactor: 'PCIe', types: graphics('g5') },
  {
    label: 'NVIDIA T4G',
    memoryGb: 16,
    formFactor: 'PCIe',
    types: [
      [1, sizes('g5g', 'xlarge 2xlarge 4xlarge 8xlarge')],
      [2, sizes('g5g', '16xlarge metal')],
    ],
  },
  {
    label: 'NVIDIA L4',
    memoryGb: 24,
    formFactor: 'PCIe',
    types: [
      ...graphics('g6'),
      [1, sizes('gr6', '4xlarge 8xlarge')],
      [0.125, sizes('g6f', 'large xlarge')],
      [0.25, 'g6f.2xlarge'],
      [0.5, 'g6f.4xlarge gr6f.4xlarge'],
    ],
  },
  { label: 'NVIDIA L40S', memoryGb: 48, formFactor: 'PCIe', types: graphics('g6e') },
  {
    label: 'AWS Inferentia',
    memoryGb: 8,
    formFactor: null,
    types: [
      [1, sizes('inf1', 'xlarge 2xlarge')],
      [4, 'inf1.6xlarge'],
      [16, 'inf1.24xlarge'],
    ],
  },
  {
    label: 'AWS Inferentia2',
    memoryGb: 32,
    formFactor: null,
    types: [
      [1, sizes('inf2', 'xlarge 8xlarge')],
      [6, 'inf2.24xlarge'],
      [12, 'inf2.48xlarge'],
    ],
  },
  {
    label: 'AWS Trainium',
    memoryGb: 32,
    formFactor: null,
    types: [
      [1, 'trn1.2xlarge'],
      [16, 'trn1.32xlarge trn1n.32xlarge'],
    ],
  },
  { label: 'AWS Trainium2', memoryGb: 96, formFactor: null, types: [[16, 'trn2.48xlarge trn2u.48xlarge']] },
  { label: 'Intel Gaudi', memoryGb: 32, formFactor: 'OAM', types: [[8, 'dl1.24xlarge']] },
  { label: 'Qualcomm Cloud AI 100', memoryGb: 16, formFactor: 'PCIe', types: [[8, 'dl2q.24xlarge']] },
];
