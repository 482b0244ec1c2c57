import { z } from 'zod';
import type { CheckContext } from './check-context.ts';
import type { MeasuredSizes } from './measured-sizes.ts';
import { type PeerFigure, type PeerRecord } from './peer-figure.ts';
import { oneDevice, runPeer } from './peer-program.ts';

const answer = z.object({
  nvbandwidth: z.object({
    version: z.string().optional(),
    error: z.unknown().optional(),
    testcases: z
      .array(
        z.object({
          name: z.string(),
          status: z.string(),
          // Numbers as text, "N/A" where a pair was not measured.
          bandwidth_matrix: z.array(z.array(z.string())).optional(),
        }),
      )
      .default([]),
  }),
});

const tests = {
  host_to_device_gbs: 'host_to_device_memcpy_ce',
  device_to_host_gbs: 'device_to_host_memcpy_ce',
};
/** It gives one number, the median of these. */
const samples = 20;
const deadlineSeconds = 120;

/** The copy engines by nvbandwidth with buffers as large as the runner's. Null if it is not on PATH, or not an NVIDIA card. */
export async function runNvbandwidth(
  context: CheckContext,
  device: { device_id: string; vendor: string },
  sizes: MeasuredSizes,
): Promise<PeerRecord | null> {
  const visible = oneDevice(device);
  if (device.vendor !== 'nvidia' || visible === null) return null;
  const mebibytes = Math.max(1, Math.round((sizes.link_bytes ?? 2 ** 28) / 2 ** 20));
  const args = ['-j', '-b', String(mebibytes), '-i', String(samples), '-t', ...Object.values(tests)];
  const ran = await runPeer(context, ['nvbandwidth', ...args], { env: visible, deadline_seconds: deadlineSeconds });
  if (ran.stdout === null) return null;
  const said = parse(ran.stdout);
  return {
    peer: 'nvbandwidth',
    version: said?.version ?? null,
    command: `CUDA_VISIBLE_DEVICES=${device.device_id} nvbandwidth ${args.join(' ')}`,
    started_at: ran.started_at,
    wall_seconds: ran.wall_seconds,
    reason: said === null ? (ran.problem ?? 'nvbandwidth gave no answer that can be read') : null,
    figures: said === null ? {} : figuresOf(said),
    details: { buffer_mebibytes: mebibytes },
  };
}

type Said = z.infer<typeof answer>['nvbandwidth'];

function parse(stdout: string): Said | null {
  const begins = stdout.indexOf('{');
  try {
    return answer.parse(JSON.parse(stdout.slice(Math.max(0, begins)))).nvbandwidth;
  } catch {
    return null;
  }
}

function figuresOf(said: Said): Record<string, PeerFigure> {
  return Object.fromEntries(
    Object.entries(tests).map(([figure, name]) => {
      const test = said.testcases.find((one) => one.name === name);
      const cells = (test?.bandwidth_matrix ?? [])
        .flat()
        .map(Number)
        .filter((value) => value > 0);
      const [only] = cells;
      return [
        figure,
        only !== undefined && cells.length === 1
          ? { median: only, n: samples, cv: null }
          : {
              reason: `${name}: ${test?.status ?? 'not in its answer'}, ${cells.length} numbers instead of one`,
            },
      ];
    }),
  );
}
