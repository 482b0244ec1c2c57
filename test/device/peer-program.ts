import { execa } from 'execa';
import type { CheckContext } from './check-context.ts';

export interface PeerAnswer {
  /** null if the program is not on PATH */
  stdout: string | null;
  stderr: string;
  /** in words, if it did not end well */
  problem: string | null;
  started_at: string;
  wall_seconds: number;
}

/** The variable by which this vendor's programs see one device only, by its UUID; null if it has no UUID. */
export function oneDevice(device: { device_id: string; vendor: string }): Record<string, string> | null {
  if (!/^(GPU|MIG)-/.test(device.device_id) || device.device_id.includes('-partition-')) return null;
  return device.vendor === 'amd'
    ? // HIP counts again among those that the layer below left; an ordinal of the caller's would hide it.
      { ROCR_VISIBLE_DEVICES: device.device_id, HIP_VISIBLE_DEVICES: '0' }
    : { CUDA_VISIBLE_DEVICES: device.device_id };
}

/** Runs a peer's program to its end; whatever becomes of it is told, not thrown. */
export async function runPeer(
  context: CheckContext,
  [program, ...args]: readonly [string, ...string[]],
  more: { env?: Record<string, string>; input?: string; deadline_seconds: number },
): Promise<PeerAnswer> {
  const started_at = context.clock.now().toISOString();
  const begun = context.clock.monotonic_seconds();
  const ended = await execa(program, args, {
    ...(more.input === undefined ? { stdin: 'ignore' } : { input: more.input }),
    env: more.env ?? {},
    reject: false,
    timeout: more.deadline_seconds * 1000,
    cancelSignal: context.signal,
    maxBuffer: 4_000_000,
  });
  return {
    stdout: ended.code === 'ENOENT' ? null : ended.stdout,
    stderr: ended.stderr ?? '',
    problem: problemOf(program, ended, more.deadline_seconds),
    started_at,
    wall_seconds: context.clock.monotonic_seconds() - begun,
  };
}

interface Ended {
  failed: boolean;
  timedOut: boolean;
  code?: string | undefined;
  exitCode?: number | undefined;
  signal?: string | undefined;
  stderr?: string | undefined;
}

function problemOf(program: string, ended: Ended, deadlineSeconds: number): string | null {
  if (!ended.failed) return null;
  if (ended.code === 'ENOENT') return `${program} is not on PATH`;
  if (ended.timedOut) return `${program} did not finish within ${deadlineSeconds} s`;
  const last = (ended.stderr ?? '').trim().split('\n').at(-1) ?? '';
  const how = ended.signal === undefined ? `exit code ${ended.exitCode ?? 'unknown'}` : ended.signal;
  return `${program} ended by ${how}${last === '' ? '' : `: ${last.slice(0, 300)}`}`;
}
