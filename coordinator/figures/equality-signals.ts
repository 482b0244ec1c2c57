import { deviceNames } from './device-name.ts';
import { linksOf } from './link-signals.ts';
import type { Signal, SignalledCard } from './signal-facts.ts';
import { plainName } from './gpu-peaks.ts';

/** Properties that cards of a model should share; null if one is unknown or says nothing. */
const PROPERTIES: readonly [signal: string, read: (card: SignalledCard) => unknown][] = [
  ['cards_differ_in_driver', ({ details }) => details('device')['driver_version']],
  ['cards_differ_in_vbios', ({ details }) => details('device')['vbios']],
  ['cards_differ_in_ecc_mode', ({ details }) => details('device')['ecc_mode']],
  ['cards_differ_in_power_cap', ({ details }) => details('device')['power_cap_watts']],
  // Bridges between single cards are often on some of them only.
  [
    'cards_differ_in_nvlinks',
    ({ name, details }) => (linksOf(name) === null ? null : details('device')['nvlink_active']),
  ],
  ['cards_differ_in_pcie', linkUnderLoad],
];

/** For each property the number of distinct values among the cards of a model, whole cards only. */
export function equalitySignals(gpus: readonly SignalledCard[]): Signal[] {
  const names = deviceNames(gpus);
  const nameOf = new Map(gpus.map((card, place) => [card, names[place] ?? card.device_id]));
  const whole = gpus.filter(({ isPart }) => !isPart);
  return [...Map.groupBy(whole, ({ name }) => plainName(name)).values()]
    .filter((cards) => cards.length > 1)
    .flatMap((cards) =>
      PROPERTIES.flatMap(([signal, read]) =>
        differing(
          signal,
          cards.map((card) => ({ name: nameOf.get(card) ?? card.device_id, value: read(card) })),
        ),
      ),
    );
}

/** A node with the versions of its cards, as its results tell them. */
export interface VersionedNode {
  name: string;
  cards: readonly { model: string; driver_version: unknown; vbios: unknown }[];
}

/** The same between the nodes of a job, by the first card of each model. */
export const jobEqualitySignals = (nodes: readonly VersionedNode[]): Signal[] => {
  const firsts = nodes.flatMap(({ name, cards }) =>
    [...Map.groupBy(cards, ({ model }) => plainName(model)).values()].flatMap(([card]) =>
      card ? [{ name, ...card }] : [],
    ),
  );
  return [...Map.groupBy(firsts, ({ model }) => plainName(model)).values()]
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      (['driver_version', 'vbios'] as const).flatMap((key) =>
        differing(
          key === 'vbios' ? 'nodes_differ_in_vbios' : 'nodes_differ_in_driver',
          group.map((one) => ({ name: one.name, value: one[key] })),
        ),
      ),
    );
};

/** Named with each value: the few that have it, else how many. */
const NAMED = 2;

function differing(signal: string, owners: readonly { name: string; value: unknown }[]): Signal[] {
  const known = owners.flatMap(({ name, value }) =>
    typeof value === 'string' || typeof value === 'number' ? [{ name, value: String(value).slice(0, 40) }] : [],
  );
  if (known.length < 2) return [];
  const groups = [...Map.groupBy(known, ({ value }) => value)].toSorted(([, a], [, b]) => b.length - a.length);
  const told = groups
    .slice(0, 4)
    .map(
      ([value, of]) =>
        `${value} (${of.length > NAMED ? `${of.length} of them` : of.map(({ name }) => name).join(', ')})`,
    )
    .join(', ');
  return [{ signal, value: groups.length, told: told.toWellFormed() }];
}

function linkUnderLoad({ details }: SignalledCard): string | null {
  const link: unknown = details('host_to_device_bandwidth_gbs')['pcie_under_load'];
  if (link === null || typeof link !== 'object') return null;
  const { generation_current: generation, width_current: width } = link as Record<string, unknown>;
  return typeof generation === 'number' && typeof width === 'number' ? `generation ${generation} x${width}` : null;
}
