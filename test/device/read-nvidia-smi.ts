import type { CheckContext } from './check-context.ts';
import { runPeer } from './peer-program.ts';

/** What nvidia-smi reads at one moment; context for a reader, never judged. */
export type SmiReading = Record<string, string>;

const fields = [
  'timestamp',
  'uuid',
  'name',
  'driver_version',
  'pstate',
  'power.draw',
  'power.limit',
  'temperature.gpu',
  'clocks.sm',
  'clocks.mem',
  'clocks.max.sm',
  'clocks_throttle_reasons.active',
  'pcie.link.gen.current',
  'pcie.link.width.current',
];

/** Null if there is no nvidia-smi, or it does not know the device. */
export async function readNvidiaSmi(
  context: CheckContext,
  device: { device_id: string; vendor: string },
): Promise<SmiReading | null> {
  if (device.vendor !== 'nvidia' || !device.device_id.startsWith('GPU-')) return null;
  const args = [`--query-gpu=${fields.join(',')}`, '--format=csv,noheader', '-i', device.device_id];
  const { stdout, problem } = await runPeer(context, ['nvidia-smi', ...args], { deadline_seconds: 30 });
  const values = (stdout ?? '').trim().split(', ');
  if (problem !== null || values.length !== fields.length) return null;
  return Object.fromEntries(fields.map((field, index) => [field, values[index] ?? '']));
}
