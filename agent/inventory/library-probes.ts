import type { SystemFacts } from '../run/host.ts';
import { probe } from './probe.ts';
import type { Probed } from './probe.ts';

/** Timeout in milliseconds of each systeminformation query; they run in parallel, so this is also the total. */
const QUESTION_MS = 3_000;
/** nvidia-smi takes 1-2 s on a node with 8 cards and no persistence mode. */
const NVIDIA_SMI_MS = 4_000;

/**
 * The only file that talks to systeminformation and node-nvidia-smi. Both run other programs: each query has a timeout,
 * and an answer that the library made up because a program is missing is dropped.
 */
export async function probeSystem(): Promise<SystemFacts> {
  const { default: si } = await import('systeminformation');
  const [cpu, system, layout] = await Promise.all([
    probe('lscpu', QUESTION_MS, () => si.cpu()),
    probe('virtualization', QUESTION_MS, () => si.system()),
    probe('dmidecode', QUESTION_MS, () => si.memLayout()),
  ]);
  const reasons: Record<string, string> = {};
  for (const answer of [cpu, system, layout])
    if (answer.reason !== null) reasons[answer.reason.split(' ')[0] ?? ''] = answer.reason;
  return {
    brand: cpu.value === null ? null : `${cpu.value.manufacturer} ${cpu.value.brand}`.trim() || null,
    hypervisor: system.value?.virtual === true ? system.value.virtualHost?.toLowerCase() || null : null,
    modules: layout.value === null ? null : memoryModules(layout.value),
    reasons,
  };
}

/** Without dmidecode the library reports the whole memory as one module without a type, which is dropped. */
function memoryModules(layout: { size: number; type: string; clockSpeed: number | null }[]): SystemFacts['modules'] {
  const real = layout.filter((module) => module.size > 0 && module.type !== '' && module.type !== 'Empty');
  const first = real[0];
  if (first === undefined) return null;
  return { count: real.length, type: first.type, speed_mts: first.clockSpeed || null };
}

/** The parsed document of `nvidia-smi -q -x`. A warning on stderr counts as a failure, with its text as the reason. */
export async function probeNvidiaSmi(): Promise<Probed<unknown>> {
  return await probe('nvidia-smi', NVIDIA_SMI_MS, async () => {
    const { default: nvidiaSmi } = await import('node-nvidia-smi');
    return await new Promise<unknown>((resolve, reject) => {
      nvidiaSmi((error, log) => (error ? reject(asError(error)) : resolve(log)));
    });
  });
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error).trim().slice(0, 300));
