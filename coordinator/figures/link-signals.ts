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
  const errors = ['recovery', 'replay', 'crc_data', 'crc_flit'].map((kind) =>
    counter(facts, `nvlink_${kind}_errors`, null, `nvlink_errors_during_run.${kind}`),
  );
  const lost = facts.run('nvlink_lost_during_run');
  const state = textOf(facts, 'fabric_state', 'fabric.state');
  return [
    inactiveLinks(facts, card, cardsOfModel),
    Array.isArray(lost)
      ? { signal: 'nvlinks_lost', value: null, during_run: lost.length, told: listed(lost) }
      : { signal: 'nvlinks_lost', value: null, not_read: facts.why('nvlink_lost_during_run') },
    ...errors,
    // A card on its own may have been cut off from the fabric by its provider.
    cardsOfModel < 2 || linksOf(card.name) === null
      ? {
          signal: 'fabric_state',
          value: null,
          not_read: 'it says nothing of a single card, nor of one without a fabric',
        }
      : state,
    textOf(facts, 'fabric_configuration', 'fabric.health.incorrect_configuration'),
    ...['degraded_bandwidth', 'route_unhealthy', 'route_recovery', 'access_timeout'].map((kind) =>
      flag(facts, `fabric_${kind}`, `fabric.health.${kind}`),
    ),
  ];
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
