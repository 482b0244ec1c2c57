import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SystemFacts } from '../run/host.ts';
import { memoryModules } from './memory-modules.ts';
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
  const [cpu, hypervisor, layout] = await Promise.all([
    probe('lscpu', QUESTION_MS, () => si.cpu()),
    probe('virtualization', QUESTION_MS, hypervisorVendor),
    probe('dmidecode', QUESTION_MS, () => si.memLayout()),
  ]);
  const reasons: Record<string, string> = {};
  for (const answer of [cpu, hypervisor, layout])
    if (answer.reason !== null) reasons[answer.reason.split(' ')[0] ?? ''] = answer.reason;
  return {
    brand: cpu.value === null ? null : `${cpu.value.manufacturer} ${cpu.value.brand}`.trim() || null,
    hypervisor: hypervisor.value === null || hypervisor.value === '' ? null : hypervisor.value,
    modules: layout.value === null ? null : memoryModules(layout.value),
    reasons,
  };
}

/** Empty without one. The library searches the kernel log for the word instead, which hosts of virtual machines contain. */
async function hypervisorVendor(): Promise<string> {
  const { stdout } = await promisify(execFile)('lscpu', { timeout: QUESTION_MS, env: { ...process.env, LC_ALL: 'C' } });
  return /^Hypervisor vendor:\s*(.+)$/m.exec(stdout)?.[1]?.trim() ?? '';
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
