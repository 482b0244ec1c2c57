import type { SystemFiles } from '../inventory/system-files.ts';
import { readInterfaceFacts } from '../links/interface-facts.ts';
import { counter, countIn, level, notRead, read, type Reading } from './reading.ts';

const INTERFACES = 'sys/class/net';
const INTERFACES_MAX = 32;

/** Names of files below the interface (Documentation/ABI/testing/sysfs-class-net, -net-statistics). */
const COUNTERS = [
  ['net_carrier_changes', 'carrier_changes'],
  ['net_crc_errors', 'statistics/rx_crc_errors'],
  ['net_rx_errors', 'statistics/rx_errors'],
] as const;

/** Of every physical interface that is up: link changes, errors and speed. */
export function networkSignals(files: SystemFiles): Reading[] {
  const isPhysical = (name: string): boolean => files.names(`${INTERFACES}/${name}`).includes('device');
  const facts = files
    .names(INTERFACES)
    .filter(isPhysical)
    .map((name) => readInterfaceFacts(files, name))
    .filter(({ is_up }) => is_up);
  const shown = facts.slice(0, INTERFACES_MAX);
  const left = facts.length - shown.length;
  return [
    ...shown.flatMap(({ name, speed_mbps }) => [
      ...COUNTERS.map(([signal, file]) => counter(signal, name, countIn(files, `${INTERFACES}/${name}/${file}`))),
      level('net_speed_mbps', name, speed_mbps === null ? notRead('the driver does not tell it') : read(speed_mbps)),
    ]),
    ...(left > 0
      ? [level('net_speed_mbps', null, notRead(`${left} further interfaces are left out, after ${INTERFACES_MAX}`))]
      : []),
  ];
}
