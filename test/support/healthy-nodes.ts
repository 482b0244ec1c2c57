import type { MeasuredDevice } from '../../agent/benchmarks/judge-node.ts';
import type { CellEvent, DeviceEvent, ResultEvent } from '../../agent/kernels/runner-events.ts';
import { spreadKind } from '../../coordinator/figures/comparison-limits.ts';
import { isGemmMetric } from '../../coordinator/contract/matrix-engine.ts';
import { measuredAs, realCard, type RealModel } from './real-cards.ts';

/** Cards of the nodes that are drawn, and how their products were measured. */
const SIZES = [1, 2, 4, 8, 16] as const;
const CLASSES = ['sustained', 'brief'] as const;
const MODELS: RealModel[] = ['H100 SXM', 'H200'];

export interface HealthyNode {
  devices: MeasuredDevice[];
  cells: CellEvent[];
  words: string;
}

/**
 * A healthy node: every figure of every card is that of one round of the real card (`native/results`), drawn for each figure
 * apart, times what two chips differ by: 1.5 % at the power cap (arXiv 2208.11035), 0.2 % in what follows a clock, 1 % in copies
 * with the host. A card's products share its part of that. Issue peaks ran near the highest clock, which no chip exceeds. Brief
 * products are those of our own kernels beside the library's, sustained ones the library's. Pairs copy 371 to 380 GB/s, as
 * eight H100 do (NVIDIA/nccl#1264).
 */
export function healthyNodes(seed: number, draws: number): Iterable<HealthyNode> {
  const random = mulberry32(seed);
  const cards = MODELS.map((model) => realCard(model));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return (function* draw() {
    for (let index = 0; index < draws; index += 1) {
      const [size, load] = [SIZES[index % SIZES.length] ?? 1, CLASSES[Math.floor(index / SIZES.length) % 2] ?? 'brief'];
      const at = Math.floor(random() * cards.length);
      const [card, model] = [cards[at] ?? realCard('H200'), MODELS[at] ?? 'H200'];
      const devices = Array.from({ length: size }, (_, place) => {
        const parts = { power: 0.015 * normal(), clock: 0.002 * normal(), host: 0.01 * normal() };
        const rounds = card.rounds.length;
        const drawn = new Map(card.rounds[0]?.map(({ metric }) => [metric, Math.floor(random() * rounds)]));
        const figures = card.rounds[0]?.map(({ metric }) => {
          const round = card.rounds[drawn.get(metric) ?? 0] ?? [];
          return round.find((result) => result.metric === metric) as ResultEvent;
        });
        const picked = { device: card.device, rounds: [figures ?? []] };
        return measuredAs(picked, `GPU-${place}`, 0, (result) => healthyResult(result, load, parts), linksOf(size));
      });
      const cells = devices.flatMap(({ device: { device_id: from } }) =>
        devices.flatMap(({ device: { device_id: to } }): CellEvent[] =>
          from === to ? [] : [cellOf(from, to, 371 + 9 * random())],
        ),
      );
      yield { devices, cells, words: `${size} x ${oneOf([model])}, ${load}, draw ${index} of seed ${seed}` };
    }
  })();
}

function healthyResult(
  result: ResultEvent,
  load: (typeof CLASSES)[number],
  parts: Readonly<Record<'power' | 'clock' | 'host', number>>,
): Partial<ResultEvent> {
  const { metric, unit, value, details } = result;
  if (value === null || !['TFLOP/s', 'GB/s', 'ns'].includes(unit)) return {};
  const kind = spreadKind(metric, null);
  const part = kind === 'brief' || kind === 'power' ? parts.power : parts[kind];
  if (isGemmMetric(metric)) {
    const own = (details['engines'] as { own?: { tflops?: number; path?: string } }).own;
    const base = load === 'brief' ? own?.tflops : value;
    const path = load === 'brief' ? own?.path : details['path'];
    const engine = load === 'brief' ? 'own' : 'vendor';
    return { value: (base ?? value) * (1 + part), engine, details: { ...details, load, path } };
  }
  if (metric.startsWith('matrix_issue_'))
    return { value: value * (1 + Math.min(0, part)), details: { ...details, load: 'brief' } };
  const clock = details['clock_ghz'];
  const slower = typeof clock === 'number' ? { clock_ghz: clock * (1 + part) } : {};
  return { value: value * (1 + part), details: { ...details, ...slower } };
}

const linksOf = (size: number): Record<string, unknown> => ({ nvlink_active: size === 1 ? 0 : 18 });

const cellOf = (source_device_id: string, target_device_id: string, gbs: number): CellEvent => ({
  schema: 'gpumark.native/1',
  t_ms: 1,
  event: 'cell',
  source_device_id,
  target_device_id,
  connection_type: 'NVLink x18',
  peer_access: true,
  simplex_gbs: gbs,
  duplex_gbs: 2 * gbs,
  reason: null,
  stats: null,
  duplex_stats: null,
  verified: true,
  details: {},
});

/** The devices of a node as `judgeCells` takes them. */
export const devicesOf = ({ devices }: HealthyNode): DeviceEvent[] => devices.map(({ device }) => device);

/** A small generator of 32 bits (public domain, T. Ettinger): the same draws on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
