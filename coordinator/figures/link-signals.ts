import {
  counter,
  type FactReader,
  factsOf,
  flag,
  numberOf,
  type Signal,
  type SignalledCard,
  textOf,
} from './signal-facts.ts';

/** All NVLinks of these cards lead to other cards or to switches, so each must be active wherever one is. */
const FULLY_LINKED: readonly [reported: RegExp, links: number][] = [
  [/\bA(100|800)-SXM/, 12],
  [/\bH(100|800|20)\b.*\bHBM3\b|\bH20\b/, 18],
  [/\bH200\b(?!.*NVL)/, 18],
  [/\bB(200|300)\b/, 18],
  [/\bGB(200|300)\b/, 18],
];

export const linksOf = (name: string): number | null =>
  /\bNVL\b|PCIe/i.test(name) ? null : (FULLY_LINKED.find(([reported]) => reported.test(name))?.[1] ?? null);

export function nvlinkSignals(facts: FactReader, card: SignalledCard, cardsOfModel: number): Signal[] {
  // A link has the older counters or the newer ones.
  const known = Object.keys(factsOf(facts.run('nvlink_errors_during_run')));
  const errors = NVLINK_COUNTERS.filter((kind) => known.length === 0 || known.includes(kind)).map((kind) =>
    counter(facts, `nvlink_${kind}_errors`, null, `nvlink_errors_during_run.${kind}`),
  );
  const lost = facts.run('nvlink_lost_during_run');
  return [
    inactiveLinks(facts, card, cardsOfModel),
    linkSpeed(facts, card.name),
    Array.isArray(lost)
      ? { signal: 'nvlinks_lost', value: null, during_run: lost.length, told: listed(lost) }
      : { signal: 'nvlinks_lost', value: null, not_read: facts.why('nvlink_lost_during_run') },
    ...errors,
    ...fabricSetUp(facts, card, cardsOfModel),
    ...['degraded_bandwidth', 'route_unhealthy', 'route_recovery', 'access_timeout'].map((kind) =>
      flag(facts, `fabric_${kind}`, `fabric.health.${kind}`),
    ),
  ];
}

/** How the card was set up in its fabric. One on its own may have been cut off from the fabric by its provider. */
function fabricSetUp(facts: FactReader, { name }: SignalledCard, cardsOfModel: number): Signal[] {
  const status = textOf(facts, 'fabric_probe_failed', 'fabric.status');
  const signals = [
    textOf(facts, 'fabric_state', 'fabric.state'),
    typeof status.value === 'string' ? { ...status, value: status.value !== 'success', told: status.value } : status,
    textOf(facts, 'fabric_configuration', 'fabric.health.incorrect_configuration'),
    textOf(facts, 'fabric_summary', 'fabric.summary'),
  ];
  if (cardsOfModel > 1 && linksOf(name) !== null) return signals;
  const not_read = 'it says nothing of a single card, nor of one without a fabric';
  return signals.map(({ signal }) => ({ signal, value: null, not_read }));
}

/** As the runner names them (native/src/sensors/nvml-links.h). */
const NVLINK_COUNTERS = [
  'recovery',
  'replay',
  'crc_data',
  'crc_flit',
  'ecc',
  'recovery_failed',
  'receive',
  'integrity',
  'overrun',
  'malformed',
  'discards',
] as const;

/** MB/s of a link in one direction as NVML tells it, by the generation of NVLink. */
const LINK_SPEEDS: readonly [reported: RegExp, mbs: number][] = [
  [/\b(H100|H200|H800|H20|GH200)\b/, 26_562],
  [/\b(B200|B300|GB200|GB300)\b/, 53_125],
];

/** Of the slowest active link, of what the links of its generation have. */
function linkSpeed(facts: FactReader, name: string): Signal {
  const signal = 'nvlink_speed_share';
  const usual = LINK_SPEEDS.find(([reported]) => reported.test(name))?.[1];
  const speed = numberOf(facts.device('nvlink_speed_mbs'));
  if (usual === undefined)
    return { signal, value: null, not_read: 'the speed of this model’s links is not known here' };
  if (speed === null) return { signal, value: null, not_read: facts.why('nvlink_speed_mbs') };
  const told = `${speed.toLocaleString('en-US')} of ${usual.toLocaleString('en-US')} MB/s`;
  return { signal, value: speed / usual, told };
}

/**
 * Links that are down on a card whose links all lead somewhere. None active at all is judged only beside other cards of the
 * model: a card that is rented alone is often cut off from its peers.
 */
function inactiveLinks(facts: FactReader, { name, isPart }: SignalledCard, cardsOfModel: number): Signal {
  const signal = 'nvlinks_inactive';
  const all = linksOf(name);
  const active = numberOf(facts.device('nvlink_active'));
  if (all === null) return { signal, value: null, not_read: 'on this model not every link leads somewhere' };
  if (isPart || facts.device('mig_enabled') === true)
    return { signal, value: null, not_read: 'links are off while the card is partitioned (MIG)' };
  if (active === null) return { signal, value: null, not_read: facts.why('nvlink_active') };
  if (active === 0 && cardsOfModel < 2)
    return { signal, value: null, not_read: 'a single card, and none of its links is in use' };
  const which = facts.device('nvlink_inactive');
  const missing = Math.max(0, all - active);
  const named = Array.isArray(which) && which.length > 0 ? `, link ${listed(which)}` : '';
  return { signal, value: missing, told: `${missing} of ${all}${named}` };
}

/** The first few of a list from a runner, as text. */
const listed = (items: readonly unknown[]): string =>
  items
    .slice(0, 20)
    .map((item) => String(item).slice(0, 20))
    .join(', ')
    .toWellFormed();

/** Lanes of a link between two cards. A link that is disabled leads nowhere, as that of a card to itself. */
const XGMI_LANES = 16;

export function xgmiSignals(facts: FactReader): Signal[] {
  const found = facts.device('xgmi');
  const links = Array.isArray(found) ? found.map(factsOf) : null;
  const not_read = facts.why('xgmi');
  const widths = (links ?? []).flatMap((link) => numberOf(link['width']) ?? []);
  const down = (links ?? []).filter(({ status }) => typeof status === 'string' && /^down$/i.test(status));
  return [
    links === null
      ? { signal: 'xgmi_links_down', value: null, not_read }
      : { signal: 'xgmi_links_down', value: down.length },
    widths.length === 0
      ? { signal: 'xgmi_links_narrow', value: null, not_read: links === null ? not_read : 'the driver did not tell it' }
      : { signal: 'xgmi_links_narrow', value: widths.filter((width) => width < XGMI_LANES).length },
    counter(facts, 'xgmi_corrected_errors', null, 'xgmi_errors_during_run.corrected'),
    counter(facts, 'xgmi_uncorrected_errors', null, 'xgmi_errors_during_run.uncorrected'),
  ];
}
