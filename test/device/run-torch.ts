import { z } from 'zod';
import type { CheckContext } from './check-context.ts';
import { type PeerRecord, peerFigure } from './peer-figure.ts';
import { oneDevice, runPeer } from './peer-program.ts';
import type { MeasuredSizes } from './measured-sizes.ts';

const schema = z.literal('gpumark.torch-peer/1');
const refusal = z.object({ schema, reason: z.string().min(1) });
const measured = z.object({
  schema,
  torch: z.string(),
  cuda: z.string().nullable(),
  hip: z.string().nullable(),
  device: z.object({
    name: z.string(),
    uuid: z.string().nullable(),
    pci_id: z.string().nullable(),
    visible_devices: z.int().nonnegative(),
  }),
  /** of the vendor's BLAS that torch has loaded */
  matrix_library: z.object({ path: z.string(), version: z.string().nullable() }).nullable(),
  kept_to_numa_node: z.int().nullable(),
  figures: z.record(z.string(), peerFigure),
});
type TorchDevice = z.infer<typeof measured>['device'];

/** The load that the quick tier puts before and behind the first product that counts (native: gemm-series.cpp). */
const productSeconds = { '--matmul-warm-up': 1.6, '--matmul-seconds': 1.2 };
/** Importing torch from a cold disk alone can take a minute. */
const deadlineSeconds = 300;

/** Measures PyTorch on this device, at the sizes that the runner used there. */
export async function runTorch(
  context: CheckContext,
  device: { device_id: string; vendor: string; pci_id: string | null },
  sizes: MeasuredSizes,
): Promise<PeerRecord> {
  const scale = Math.max(0.05, context.options.time_scale);
  const lasting = Object.entries(productSeconds).flatMap(([name, seconds]) => [name, String(seconds * scale)]);
  const args = [...sizeArguments(sizes), '--seconds', String(scale), ...lasting];
  const visible = oneDevice(device);
  const record: PeerRecord = {
    peer: 'torch',
    version: null,
    command: [
      ...Object.entries(visible ?? {}).map(([name, value]) => `${name}=${value}`),
      'python3 - <torch_peer.py',
      ...args,
    ].join(' '),
    started_at: context.clock.now().toISOString(),
    wall_seconds: 0,
    reason: null,
    figures: {},
    details: {},
  };
  if (visible === null) return { ...record, reason: 'the device has no UUID by which torch could be kept to it' };
  const ran = await runPeer(context, ['python3', '-', ...args], {
    env: visible,
    input: context.torch_script,
    deadline_seconds: deadlineSeconds,
  });
  const timed = { ...record, started_at: ran.started_at, wall_seconds: ran.wall_seconds };
  const answer = parse(ran.stdout ?? '');
  if (answer === null) return { ...timed, reason: ran.problem ?? 'torch_peer.py gave no answer that can be read' };
  if ('reason' in answer) return { ...timed, reason: answer.reason };
  const { figures, torch, cuda, hip, ...details } = answer;
  const version = `${torch} (${hip === null ? `CUDA ${cuda ?? 'unknown'}` : `ROCm ${hip}`})`;
  const other = otherDevice(answer.device, device);
  return other === null ? { ...timed, version, figures, details } : { ...timed, version, reason: other, details };
}

function sizeArguments(sizes: MeasuredSizes): string[] {
  const named = {
    '--array-bytes': sizes.array_bytes,
    '--copy-bytes': sizes.copy_bytes,
    '--link-bytes': sizes.link_bytes,
    '--link-copies': sizes.link_copies,
    '--numa-node': sizes.numa_node,
    '--matmul-sizes': sizes.matmul_sizes,
    '--matmul-seed': sizes.matmul_seed,
  };
  return Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [name, String(value)]));
}

/** The last line, since some installations print warnings first. */
function parse(stdout: string): z.infer<typeof refusal> | z.infer<typeof measured> | null {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    const json: unknown = JSON.parse(line);
    return measured.safeParse(json).data ?? refusal.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}

const plain = (uuid: string): string => uuid.toLowerCase().replace(/^(gpu|mig)-/, '');

/** A sentence if torch measured some other device than the runner; null if it was the same. */
function otherDevice(
  theirs: TorchDevice,
  ours: { device_id: string; vendor: string; pci_id: string | null },
): string | null {
  const differ = (what: string): string => `torch measured another device (${theirs.name}, ${what})`;
  if (theirs.visible_devices !== 1) return `torch sees ${theirs.visible_devices} devices instead of one`;
  if (theirs.pci_id !== null && ours.pci_id !== null) {
    return theirs.pci_id.toLowerCase() === ours.pci_id ? null : differ(theirs.pci_id);
  }
  // A MIG slice and an AMD card are named differently by torch; the one visible device has to do there.
  const comparable = ours.vendor === 'nvidia' && ours.device_id.startsWith('GPU-') && theirs.uuid !== null;
  return comparable && plain(theirs.uuid ?? '') !== plain(ours.device_id) ? differ(theirs.uuid ?? '') : null;
}
