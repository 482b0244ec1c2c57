import type { HealthAction, HealthSeverity } from '../../contract/health.ts';
import { fromMemory, type HealthRule, read, type Source } from './rule.ts';

type Row = readonly [number: number, name: string, severity: HealthSeverity, action: HealthAction, source?: Source];

/**
 * The driver's errors by number, with what NVIDIA's catalogue asks for: RESET_GPU and restarts of the machine are critical,
 * RESTART_APP is a warning if it happened while our own program ran, IGNORE is info.
 */
const catalogue: readonly Row[] = [
  [8, 'the GPU stopped processing', 'warning', 'none'],
  [11, 'invalid commands', 'warning', 'none'],
  [13, 'an exception of the compute engine', 'warning', 'none'],
  [25, 'invalid commands', 'warning', 'none'],
  [31, 'a page fault of GPU memory', 'warning', 'none'],
  [32, 'commands corrupted on their way over PCIe', 'warning', 'check_cabling'],
  [37, 'an error of the firmware', 'info', 'none'],
  [38, 'a watchdog of the firmware ran out', 'warning', 'none'],
  [39, 'an exception of a copy engine', 'warning', 'none'],
  [40, 'an exception of a copy engine', 'warning', 'none'],
  [41, 'an exception of a copy engine', 'warning', 'none'],
  [43, 'a program made the GPU stop', 'info', 'none'],
  [44, 'a fault while the GPU changed programs', 'warning', 'none'],
  [45, 'a program was ended', 'info', 'none'],
  [46, 'the GPU stopped processing', 'critical', 'reset'],
  [48, 'an uncorrectable memory error', 'critical', 'reset'],
  [54, 'auxiliary power is not connected', 'critical', 'check_cabling'],
  [60, 'an exception of the security processor', 'warning', 'none'],
  [61, 'a breakpoint of the power controller', 'warning', 'reset', fromMemory('xid', 'Xid 61, before it was retired')],
  [62, 'the power controller halted', 'critical', 'reset'],
  [63, 'a row of memory was marked for remapping', 'info', 'none'],
  [64, 'a row of memory could not be remapped', 'critical', 'reset'],
  [66, 'an illegal access by the driver', 'info', 'none'],
  [67, 'an illegal access by the driver', 'info', 'none'],
  [69, 'an exception of the compute engine', 'warning', 'none'],
  [70, 'an exception of a copy engine', 'warning', 'none'],
  [71, 'an exception of a copy engine', 'warning', 'none'],
  [72, 'an exception of a copy engine', 'warning', 'none'],
  [74, 'an NVLink error', 'critical', 'reset'],
  [79, 'the GPU has fallen off the bus', 'critical', 'reboot'],
  [80, 'corrupted data sent to the GPU', 'warning', 'none'],
  [92, 'many single-bit memory errors', 'warning', 'drain'],
  [93, 'the wear limit of the card’s settings memory', 'info', 'none'],
  [94, 'a memory error contained to one program', 'warning', 'reset'],
  [95, 'a memory error not contained to one program', 'critical', 'reset'],
  [109, 'the GPU could not change programs in time', 'critical', 'reset'],
  [110, 'a security fault', 'critical', 'reboot'],
  [119, 'the GPU system processor did not answer', 'critical', 'reset'],
  [120, 'an error of the GPU system processor', 'critical', 'reset'],
  [121, 'corrected errors on the link to the processor', 'info', 'none'],
  [122, 'the card’s settings memory could not be read', 'warning', 'drain'],
  [123, 'the card’s settings memory could not be written', 'warning', 'drain'],
  [136, 'an NVLink could not be trained', 'critical', 'reset'],
  [137, 'an illegal access over NVLink', 'warning', 'none'],
  [140, 'an unrecovered memory error', 'critical', 'reset'],
  [141, 'an error of the fast path of a program', 'info', 'none'],
  [143, 'the GPU could not be initialised', 'critical', 'reset'],
  [144, 'an NVLink error (SAW)', 'warning', 'reset'],
  [145, 'an NVLink error (RLW)', 'warning', 'reset'],
  [146, 'an NVLink error (TLW)', 'warning', 'reset'],
  [147, 'an NVLink error (TREX)', 'warning', 'reset'],
  [148, 'an NVLink error (NVLPW)', 'warning', 'reset'],
  [149, 'an NVLink error (NETIR)', 'critical', 'reset'],
  [150, 'an NVLink error (MSE)', 'warning', 'reset'],
  [151, 'keys could not be exchanged', 'critical', 'reboot'],
  [154, 'the driver asks for another recovery action', 'warning', 'drain'],
  [155, 'an NVLink went down', 'warning', 'reset'],
  [156, 'a part of the GPU was retired', 'warning', 'reset'],
  [157, 'a part of the GPU could not be retired', 'critical', 'drain'],
  [171, 'an uncorrectable error of the memory, beside Xid 48', 'critical', 'reset'],
  [172, 'an uncorrectable error of the SRAM, beside Xid 48', 'critical', 'reset'],
];

const sourceOf = ([number, , , , source]: Row): Source => source ?? read('xid', `Xid ${number}`);

/**
 * What was logged before the run counts one step less: the card may have been reset since, and what is left of it shows in the
 * card's own signals. Errors of programs then say nothing about the card.
 */
const BEFORE = { critical: 'warning', warning: 'info', info: 'info' } as const;

const known = catalogue.map(([number]) => number);

/** Two rules per number: logged during the run, and before it. */
export const xidRules: readonly HealthRule[] = [
  ...catalogue.flatMap((row): HealthRule[] => {
    const [number, name, severity, action] = row;
    const common = { signal: 'xid', scope: 'device', vendor: 'nvidia', source: sourceOf(row) } as const;
    const before = BEFORE[severity];
    return [
      {
        id: `xid_${number}`,
        ...common,
        reading: 'during_run',
        when: { event: number },
        severity,
        action,
        says: `the driver logged Xid ${number} during the run: ${name}`,
      },
      {
        id: `xid_${number}_before_run`,
        ...common,
        reading: 'level',
        when: { event: number },
        severity: before,
        action: before === 'info' ? 'none' : action,
        says: `the kernel log has Xid ${number}, {ago}: ${name}`,
        unless: [`xid_${number}`],
      },
    ];
  }),
  {
    id: 'xid_unknown',
    scope: 'device',
    signal: 'xid',
    reading: 'during_run',
    when: { event_other_than: known },
    vendor: 'nvidia',
    severity: 'warning',
    action: 'none',
    says: 'the driver logged Xid {value} during the run, which this table does not have',
    source: read('xid', 'the whole catalogue'),
  },
  {
    id: 'xid_unknown_before_run',
    scope: 'device',
    signal: 'xid',
    reading: 'level',
    when: { event_other_than: known },
    vendor: 'nvidia',
    severity: 'info',
    action: 'none',
    says: 'the kernel log has Xid {value}, {ago}, which this table does not have',
    source: read('xid', 'the whole catalogue'),
    unless: ['xid_unknown'],
  },
  {
    id: 'sxid',
    scope: 'node',
    signal: 'kernel_sxid',
    reading: 'during_run',
    when: { event_other_than: [] },
    severity: 'warning',
    action: 'drain',
    says: 'an NVSwitch logged SXid {value} during the run',
    source: read('xid', 'What is an SXid message; their numbers are in the Fabric Manager user guide'),
  },
  {
    id: 'sxid_before_run',
    scope: 'node',
    signal: 'kernel_sxid',
    reading: 'level',
    when: { event_other_than: [] },
    severity: 'info',
    action: 'none',
    says: 'the kernel log has SXid {value} of an NVSwitch, {ago}',
    source: read('xid', 'What is an SXid message; their numbers are in the Fabric Manager user guide'),
    unless: ['sxid'],
  },
];
