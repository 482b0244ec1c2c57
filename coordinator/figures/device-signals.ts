import { nvlinkSignals, xgmiSignals } from './link-signals.ts';
import { throttleSignals } from './throttle-signals.ts';
import {
  counter,
  FactReader,
  factsOf,
  flag,
  numberOf,
  type Signal,
  type SignalledCard,
  summed,
  textOf,
} from './signal-facts.ts';

/**
 * The signals of one card from the facts that every upload has in `details.device`, and from the record of its run in the details
 * of the temperature. A fact that is missing is a signal that could not be read, with the runner's reason.
 * @param cardsOfModel how many cards of this model the node has: a single one may have been cut off from its peers on purpose
 */
export function deviceSignals(card: SignalledCard, cardsOfModel: number): Signal[] {
  if (card.vendor === 'cpu') return [];
  const facts = new FactReader(card.details('device'), card.details('temperature_centigrade'));
  return [
    ...memorySignals(facts, card.vendor),
    ...(card.vendor === 'nvidia' ? nvlinkSignals(facts, card, cardsOfModel) : xgmiSignals(facts)),
    ...pcieSignals(facts, card),
    ...throttleSignals(facts, card),
    ...clockSignals(facts, card.vendor),
    ...(card.vendor === 'nvidia' ? xidSignals(facts) : []),
  ];
}

function memorySignals(facts: FactReader, vendor: string): Signal[] {
  if (vendor === 'amd') {
    // Earlier runners counted the memory only, newer ones all blocks.
    const errors = (kind: string): string =>
      facts.run('ras_during_run') === undefined ? `ecc_${kind}_during_run` : `ras_during_run.${kind}`;
    return [
      counter(facts, 'bad_pages_unreservable', 'bad_pages.unreservable', null),
      counter(facts, 'bad_pages_pending', 'bad_pages.pending', null),
      counter(facts, 'bad_pages_retired', 'bad_pages.retired', null),
      counter(facts, 'ras_uncorrected', 'ras.uncorrected', null),
      counter(facts, 'ras_deferred', null, 'ras_during_run.deferred'),
      counter(facts, 'ecc_uncorrected', null, errors('uncorrected')),
      counter(facts, 'ecc_corrected', null, errors('corrected')),
    ];
  }
  const [current, pending] = [facts.device('ecc_mode'), facts.device('ecc_mode_pending')];
  const remapped = ['correctable', 'uncorrectable'].map((kind) => numberOf(facts.run(`row_remaps_during_run.${kind}`)));
  const pages = ['single_bit', 'double_bit'].map((kind) => numberOf(facts.device(`retired_pages.${kind}`)));
  return [
    flag(facts, 'row_remap_failure', 'row_remaps.failure', 'row_remaps_during_run.failure'),
    flag(facts, 'row_remap_pending', 'row_remaps.pending', 'row_remaps_during_run.pending'),
    counter(facts, 'row_remaps_uncorrectable', 'row_remaps.uncorrectable', null),
    summed(facts, 'row_remaps', remapped, 'row_remaps_during_run', 'during_run'),
    textOf(facts, 'ecc_mode', 'ecc_mode'),
    typeof current === 'string' && typeof pending === 'string'
      ? { signal: 'ecc_mode_changes_at_reset', value: current !== pending, told: pending.slice(0, 20) }
      : { signal: 'ecc_mode_changes_at_reset', value: null, not_read: facts.why('ecc_mode_pending') },
    counter(facts, 'ecc_uncorrected', 'ecc_errors.uncorrected', 'ecc_uncorrected_during_run'),
    counter(facts, 'ecc_uncorrected_volatile', 'ecc_errors_volatile.uncorrected', null),
    counter(facts, 'ecc_corrected', null, 'ecc_corrected_during_run'),
    flag(facts, 'retired_page_pending', 'retired_pages.pending'),
    summed(facts, 'retired_pages', pages, 'retired_pages', 'value'),
  ];
}

function pcieSignals(facts: FactReader, { name, details }: SignalledCard): Signal[] {
  const loaded = ['host_to_device_bandwidth_gbs', 'device_to_host_bandwidth_gbs']
    .map((metric) => factsOf(details(metric)['pcie_under_load']))
    .find((link) => numberOf(link['width_current']) !== null);
  // The superchips reach their host over NVLink-C2C; the PCIe link that they report carries nothing.
  const superchip = /\bG[HB]\d{2,3}\b/.test(name);
  const missing = (signal: string, kind: 'width' | 'generation'): Signal => {
    const [now, most] = [numberOf(loaded?.[`${kind}_current`]), numberOf(facts.device(`pcie.${kind}_max`))];
    if (superchip) return { signal, value: null, not_read: 'this model reaches its host by another link than PCIe' };
    if (now === null || most === null)
      return { signal, value: null, not_read: now === null ? 'the link was not read under load' : facts.why('pcie') };
    return {
      signal,
      value: Math.max(0, most - now),
      told: kind === 'width' ? `x${now} of x${most}` : `${now} of ${most}`,
    };
  };
  return [
    facts.device('pcie.replays') === undefined
      ? counter(facts, 'pcie_replays', null, 'pcie_replays_during_run')
      : counter(facts, 'pcie_replays', 'pcie.replays', 'pcie_replays_during_run'),
    missing('pcie_lanes_missing', 'width'),
    missing('pcie_generations_missing', 'generation'),
  ];
}

function clockSignals(facts: FactReader, vendor: string): Signal[] {
  const [cap, usual] = [numberOf(facts.device('power_cap_watts')), numberOf(facts.device('power_cap_default_watts'))];
  const power: Signal =
    cap === null || usual === null || usual <= 0
      ? {
          signal: 'power_cap_share',
          value: null,
          not_read: facts.why(cap === null ? 'power_cap_watts' : 'power_cap_default_watts'),
        }
      : { signal: 'power_cap_share', value: cap / usual, told: `${cap} of ${usual} W` };
  if (vendor === 'amd') return [power];
  const bits = facts.run('throttle');
  const held = (reason: string, signal: string): Signal =>
    Array.isArray(bits)
      ? { signal, value: null, during_run: bits.includes(reason) ? 1 : 0 }
      : { signal, value: null, not_read: facts.why('throttle') };
  const clock = numberOf(facts.device('application_clocks.sm_mhz'));
  const most = numberOf(facts.device('clocks_max.sm_mhz'));
  // Where the default lies below the highest clock, a card at its default reports the setting as well.
  const isDefault =
    clock !== null &&
    clock === numberOf(facts.device('application_clocks.default_sm_mhz')) &&
    most !== null &&
    clock < most;
  return [
    held('sync_boost', 'throttle_sync_boost'),
    isDefault ? { signal: 'clocks_held', value: null, during_run: 0 } : held('application_clocks', 'clocks_held'),
    clockShare(facts, 'application_clock_share', 'sm_mhz'),
    clockShare(facts, 'application_memory_clock_share', 'memory_mhz'),
    power,
    textOf(facts, 'recovery_action', 'recovery_action'),
    flag(facts, 'gsp_firmware', 'gsp_firmware.enabled'),
  ];
}

/** The clock that programs get, of the one that they get by default. */
function clockShare(facts: FactReader, signal: string, clock: string): Signal {
  const [now, usual] = [clock, `default_${clock}`].map((name) => numberOf(facts.device(`application_clocks.${name}`)));
  return now == null || usual == null || usual <= 0
    ? { signal, value: null, not_read: facts.why('application_clocks') }
    : { signal, value: now / usual, told: `${now} of ${usual} MHz` };
}

/** One signal per number that the driver logged while the card was measured. */
function xidSignals(facts: FactReader): Signal[] {
  const told = facts.run('xid');
  if (told === undefined || told === null) return [{ signal: 'xid', value: null, not_read: facts.why('xid') }];
  const numbers = (Array.isArray(told) ? told : typeof told === 'string' ? told.split(/[ ,]+/) : [told])
    .slice(0, 1000)
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 0);
  return [...Map.groupBy(numbers, (number) => number)].map(([value, all]) => ({
    signal: 'xid',
    value,
    during_run: all.length,
  }));
}
