import type { HealthSeverity } from '../../contract/health.ts';
import { fromMemory, type HealthRule, onePage, read, type Source } from './rule.ts';

/** Corrected flits in one run above which a link is told of; below, the link repeats them at no cost. */
const FLITS_MANY = 100;

/** Of the links from Blackwell on, whose counters have other names. */
const NVLINK_5 = onePage('dcgm', 'health watch, NVLink 5: watches it; the limit is that of NVLink 4');

/** Links between cards: NVLink and xGMI. */
export const linkRules: readonly HealthRule[] = [
  {
    id: 'nvlinks_inactive',
    scope: 'device',
    signal: 'nvlinks_inactive',
    reading: 'level',
    when: { above: 0 },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'reset',
    says: 'NVLinks that are not active: {value}',
    source: read('validation', 'NVLink, nvlink_active: critical above 0 (A100, H100, GB200, GB300)'),
  },
  {
    id: 'nvlink_lost_during_run',
    scope: 'device',
    signal: 'nvlinks_lost',
    reading: 'during_run',
    when: { above: 0 },
    vendor: 'nvidia',
    severity: 'critical',
    action: 'reset',
    says: 'NVLinks lost during the run: {value}',
    source: read('validation', 'NVLink, nvlink_active: critical above 0 (A100, H100, GB200, GB300)'),
    unless: ['nvlinks_inactive'],
  },
  {
    id: 'nvlink_slow',
    scope: 'device',
    signal: 'nvlink_speed_share',
    reading: 'level',
    when: { below: 0.99 },
    vendor: 'nvidia',
    severity: 'warning',
    action: 'reset',
    says: 'the slowest active NVLink runs at {value}',
    source: read('validation', 'NVLink, nvlink_bandwidth_count_speed: 26,562 MB/s (H100), 53,125 (GB200, GB300)'),
  },
  ...nvlinkErrors(
    ['recovery', 'recoveries', 'warning', read('dcgm', 'health watch, NVLink 4: any recovery error fails')],
    ['replay', 'replays', 'warning', read('dcgm', 'health watch, NVLink 4: any replay error fails')],
    ['crc_data', 'data with a wrong checksum', 'warning', read('dcgm', 'health watch, NVLink 4: CRC warns from 1')],
    ['recovery_failed', 'links given up after a recovery', 'critical', read('dcgm', 'field identifiers, 1212')],
    ['receive', 'packets received with errors', 'warning', NVLINK_5],
    ['integrity', 'local link integrity errors', 'warning', NVLINK_5],
    ['malformed', 'malformed packets', 'warning', NVLINK_5],
    ['overrun', 'buffer overruns', 'info', read('dcgm', 'field identifiers, 1203 to 1210: what each counts')],
    ['discards', 'packets discarded', 'info', read('dcgm', 'field identifiers, 1203 to 1210: what each counts')],
    [
      'ecc',
      'corrected errors of the link’s memory',
      'info',
      fromMemory('nvml', 'nvmlNvLinkErrorCounter_t, DL ECC data'),
    ],
  ),
  {
    id: 'nvlink_crc_flit_errors',
    scope: 'device',
    signal: 'nvlink_crc_flit_errors',
    reading: 'during_run',
    when: { above: FLITS_MANY },
    vendor: 'nvidia',
    severity: 'warning',
    action: 'drain',
    says: `NVLink flits with a wrong checksum during the run: {value}, limit ${FLITS_MANY}`,
    source: read('dcgm', 'health watch, NVLink: CRC warns from 1, fails from 100 a second; 100 in a run is ours'),
  },
  {
    id: 'xgmi_links_down',
    scope: 'device',
    signal: 'xgmi_links_down',
    reading: 'level',
    when: { above: 0 },
    vendor: 'amd',
    severity: 'critical',
    action: 'reset',
    says: 'xGMI links that are down: {value}',
    source: fromMemory('amdsmi', 'amdsmi_get_link_metrics, link status'),
  },
  {
    id: 'xgmi_width_reduced',
    scope: 'device',
    signal: 'xgmi_links_narrow',
    reading: 'level',
    when: { above: 0 },
    vendor: 'amd',
    severity: 'info',
    action: 'none',
    says: 'xGMI links narrower than 16 lanes: {value}, which an idle card may do to save power',
    source: fromMemory('amdsmi', 'gpu_metrics, xgmi_link_width'),
  },
  {
    id: 'xgmi_uncorrected_errors',
    scope: 'device',
    signal: 'xgmi_uncorrected_errors',
    reading: 'during_run',
    when: { above: 0 },
    vendor: 'amd',
    severity: 'critical',
    action: 'reset',
    says: 'uncorrected xGMI errors during the run: {value}',
    source: read('amdsmi', 'ECC information, amdsmi_get_gpu_ecc_count of the xGMI block'),
  },
  {
    id: 'xgmi_corrected_errors',
    scope: 'device',
    signal: 'xgmi_corrected_errors',
    reading: 'during_run',
    when: { above: FLITS_MANY },
    vendor: 'amd',
    severity: 'warning',
    action: 'drain',
    says: `corrected xGMI errors during the run: {value}, limit ${FLITS_MANY}`,
    source: fromMemory('amdsmi', 'amdsmi_get_gpu_ecc_count, xGMI block, without a number; the limit is ours'),
  },
];

/** Rules about any growth of a counter of errors, which the runner sums over the links of a card. */
function nvlinkErrors(
  ...counters: readonly (readonly [kind: string, what: string, severity: HealthSeverity, source: Source])[]
): HealthRule[] {
  return counters.map(([kind, what, severity, source]) => ({
    id: `nvlink_${kind}_errors`,
    scope: 'device',
    signal: `nvlink_${kind}_errors`,
    reading: 'during_run',
    when: { above: 0 },
    vendor: 'nvidia',
    severity,
    action: severity === 'info' ? 'none' : severity === 'critical' ? 'reset' : 'drain',
    says: `NVLink, ${what} during the run: {value}`,
    source,
    ...(kind === 'recovery_failed' ? { unless: ['nvlinks_inactive', 'nvlink_lost_during_run'] } : {}),
  }));
}
