import { formFactorIn } from './form-factor-in.ts';

/** What a seller's name of a machine says of its accelerators; null for what it does not say. */
export interface NamedMachine {
  /** accelerators in the machine */
  gpuCount: number | null;
  label: string | null;
  /** GB of one accelerator */
  memoryGb: number | null;
  formFactor: string | null;
}

/**
 * How sellers form the names of their machines, by the slug of the seller. `model` is a label; `count` counts accelerators;
 * `memory` is in GB of one accelerator, `total` of all of them. Figures for processors and the machine's own memory, which
 * stand in most names, are in no group. Only forms that were seen in a published list are here.
 */
const forms: Readonly<Record<string, readonly RegExp[]>> = {
  // a100-80gb-sxm-ib.8x, l40s-48gb.10x
  crusoe: [/^(?<model>[a-z]+\d+.*?)(?:-ib|-roce)?\.(?<count>\d+)x$/],
  // ice-lake-a40-compute_4x32v64gb: the processor cannot be told from the accelerator
  cudo: [/_(?<count>\d+)x\d+v\d+gb$/],
  // 8x-MI355X
  daytona: [/^(?<count>\d+)x-(?<model>.+)$/],
  // gpu-h100x8-640gb
  digitalocean: [/^gpu-(?<model>[a-z0-9]+)x(?<count>\d+)-(?<total>\d+)gb/],
  // H100_PCIE_80GB::4
  fluidstack: [/^(?<model>.+)::(?<count>\d+)$/],
  // 8x MI300X 2x Xeon Platinum 8470
  hotaisle: [/^(?<count>\d+)x (?<model>MI\d+X) /],
  // 8x-H100-184-1834
  hyperbolic: [/^(?<count>\d+)x-(?<model>.+)-\d+-\d+$/],
  // n3-H100-SXM5x8, n3-A100x8-NVLink, n3-RTX-A6000x4
  hyperstack: [/^n\d-(?<model>.+?)x(?<count>\d+)(?!\d)/],
  // 8x_RTXPRO6000_224V_1280G
  jarvislabs: [/^(?<count>\d+)x_(?<model>.+)_\d+V_\d+G$/],
  // gpu_8x_a100_80gb_sxm4
  lambda: [/^gpu_(?<count>\d+)x_(?<model>.+)$/],
  // RTX4090_2x
  lium: [/^(?<model>.+)_(?<count>\d+)x$/],
  // ccs-h200.sxm.8x, h100-80gb.sxm.8x_104cpu
  mithril: [/^(?:[a-z]+-)?(?<model>[a-z]+\d[^_]*)\.(?<count>\d+)x(?:_\d+cpu)?$/],
  // gpu-h100-sxm_8gpu-128vcpu-1600gb, gpu-l40s-a_1gpu-8vcpu-32gb; gpuhunt puts a space before the count
  nebius: [/^gpu-(?<model>.+?)(?:-[a-d])?[_ ](?<count>\d+)gpu-/],
  // lambdalabs__8xA100_80GB__240__1800
  primeintellect: [/^\w+?__(?<count>\d+)x(?<model>[A-Z].*?)__/],
  // 2x_A100-80GB_SECURE; in gpuhunt the driver's name of the card: NVIDIA H100 80GB HBM3
  runpod: [/^(?<count>\d+)x_(?<model>.+)_(?:SECURE|COMMUNITY)$/, /^(?<model>(?:NVIDIA|AMD) .+)$/],
  // H100-SXM-2-80G, L4-1-24G
  scaleway: [/^(?<model>[A-Z]+\d+[A-Z]*(?:-SXM)?)-(?<count>\d+)-(?<memory>\d+)G$/],
  // lambdalabs_H100-sxm5x2, crusoe_A100-80G-sxm4x8
  shadeform: [/^[a-z]+_(?<model>[A-Z].*?)(?:x(?<count>\d+))?$/],
  // names of the clouds whose machines it sells: gpu_1x_a100_SXM4_us-central-3, n3-A100-SXM4x8__US-1
  spheron: [
    /^gpu_(?<count>\d+)x_(?<model>[a-z0-9]+(?:_(?:SXM\d?|PCIE|NVL|\d+GB?)(?=_))*)_/i,
    /^n\d-(?<model>.+?)x(?<count>\d+)(?!\d)/,
  ],
  // 2x-RTX_4090-32-65536
  vastai: [/^(?<count>[\d.]+)x-(?<model>.+)-\d+-\d+$/],
  // 1H200.141S.44V, 8A100.176V; the S stands for SXM
  verda: [/^(?<count>\d+)(?<model>[A-Z].*?)(?:\.(?<memory>\d+)(?<sxm>S)?)?\.\d+V$/],
  // 8x112v952g_NVIDIA_GeForce_RTX_5090_32G_SECURE
  'yotta-labs': [/^(?<count>\d+)x\d+v\d+g_(?<model>.+)_(?:SECURE|COMMUNITY)$/],
};

/** What the name of a machine says, if this seller (a slug) names its machines by what they hold; null if not. */
export function saidByName(seller: string, offer: string): NamedMachine | null {
  for (const form of forms[seller] ?? []) {
    const groups = form.exec(offer)?.groups;
    if (groups !== undefined) return factsIn(groups);
  }
  return null;
}

function factsIn({ count, model, memory, total, sxm }: Record<string, string | undefined>): NamedMachine {
  const gpuCount = count === undefined ? null : Number(count);
  const inModel = /(?<![a-z0-9.])(\d+)G(?:B)?(?![a-z0-9])/i.exec(model?.replaceAll('_', ' ') ?? '')?.[1];
  const ofAll = total === undefined ? NaN : Number(total) / (gpuCount ?? NaN);
  const ofOne = Number(memory ?? inModel ?? ofAll);
  return {
    gpuCount,
    label: model ?? null,
    memoryGb: Number.isFinite(ofOne) ? ofOne : null,
    formFactor: sxm === undefined ? formFactorIn(model ?? '') : 'SXM',
  };
}
