import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { pciAddressOf, vitalProductData } from './pci-device.ts';
import { readInterfaceFacts } from '../links/interface-facts.ts';
import { converted, counter, countIn, level, notRead, read, type Reading } from './reading.ts';

const DEVICES = 'sys/class/infiniband';
/** Eight to ten ports serve the GPUs of a node, two to four the rest. */
const PORTS_MAX = 48;

/**
 * PortCounters of the InfiniBand specification, 16.1.3.5 (Documentation/ABI/stable/sysfs-class-infiniband), with the number at
 * which each stops to count (drivers/infiniband/core/sysfs.c has their bits).
 */
const PORT_COUNTERS = [
  ['ib_symbol_error', 'symbol_error', 65_535],
  ['ib_link_error_recovery', 'link_error_recovery', 255],
  ['ib_link_downed', 'link_downed', 255],
  ['ib_port_rcv_errors', 'port_rcv_errors', 65_535],
  ['ib_local_link_integrity_errors', 'local_link_integrity_errors', 15],
  ['ib_excessive_buffer_overrun_errors', 'excessive_buffer_overrun_errors', 15],
  ['ib_port_xmit_discards', 'port_xmit_discards', 65_535],
] as const;

/** Of RoCE, by the names of mlx5 (drivers/infiniband/hw/mlx5/counters.c): other drivers have others, or none. */
const ROCE_COUNTERS = [
  ['roce_out_of_sequence', 'out_of_sequence'],
  ['roce_packet_seq_err', 'packet_seq_err'],
  ['roce_cnp_handled', 'rp_cnp_handled'],
  ['roce_ecn_marked', 'np_ecn_marked_roce_packets'],
] as const;

/**
 * State, rate and error counters of every RDMA port, named `mlx5_0/1`. Virtual functions are left out: their port is that of the
 * card, which is listed itself. Nothing without RDMA devices.
 */
export function infinibandSignals(files: SystemFiles): Reading[] {
  const devices = files.names(DEVICES).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const ports = devices
    .filter((device) => !files.names(`${DEVICES}/${device}/device`).includes('physfn'))
    .flatMap((device) => portsOf(files, device).map((port) => ({ device, port })));
  const left = ports.length - PORTS_MAX;
  return [
    ...ports.slice(0, PORTS_MAX).flatMap(({ device, port }) => portSignals(files, device, port)),
    ...(left > 0
      ? [level('ib_port_state', null, notRead(`${left} further ports are left out, after ${PORTS_MAX}`))]
      : []),
  ];
}

const portsOf = (files: SystemFiles, device: string): number[] =>
  files
    .names(`${DEVICES}/${device}/ports`)
    .filter((name) => /^\d{1,5}$/.test(name))
    .map(Number)
    .toSorted((a, b) => a - b);

function portSignals(files: SystemFiles, device: string, port: number): Reading[] {
  const root = `${DEVICES}/${device}/ports/${port}`;
  const of = `${device}/${port}`;
  const layer = files.read(`${root}/link_layer`).value;
  const state = converted(files.read(`${root}/state`), stateOf);
  // Without a link the driver makes a rate up.
  const isActive = state.value === null || state.value.startsWith('ACTIVE');
  const rate = isActive ? converted(files.read(`${root}/rate`), rateOf) : notRead(`the port is ${state.value}`);
  return [
    level('ib_port_state', of, state),
    level('ib_port_physical_state', of, converted(files.read(`${root}/phys_state`), stateOf)),
    level('ib_port_rate_gbps', of, rate),
    level('ib_port_rate_max_gbps', of, highestRate(files, `${DEVICES}/${device}/device`)),
    // Of Ethernet ports the number of lanes and the table are made up by the driver.
    ...(layer === 'Ethernet'
      ? []
      : [
          level('ib_port_lanes', of, isActive ? converted(files.read(`${root}/rate`), lanesOf) : rate),
          level('ib_pkey_default', of, converted(files.read(`${root}/pkeys/0`), isDefault)),
        ]),
    ...PORT_COUNTERS.map(([signal, file, most]) =>
      counter(signal, of, countIn(files, `${root}/counters/${file}`), most),
    ),
    ...(layer === 'Ethernet'
      ? ROCE_COUNTERS.map(([signal, file]) => counter(signal, of, countIn(files, `${root}/hw_counters/${file}`)))
      : []),
  ];
}

/** `4: ACTIVE`, `5: LinkUp`, `7: Phy Test`: the number and its name (drivers/infiniband/core/sysfs.c). */
const stateOf = (text: string): string | null => /^\d: ([A-Z][A-Za-z_ ]{1,40})$/.exec(text)?.[1] ?? null;

/** `400 Gb/sec (4X NDR)`, `2.5 Gb/sec (1X SDR)` where the port is down. */
function rateOf(text: string): number | null {
  const rate = Number(/^(\d{1,5}(?:\.\d)?) Gb\/sec/.exec(text)?.[1] ?? Number.NaN);
  return rate > 0 ? rate : null;
}

/** The 4 of `400 Gb/sec (4X NDR)`. */
function lanesOf(text: string): number | null {
  const lanes = Number(/^\d[\d.]{0,8} Gb\/sec \((\d{1,2})X\b/.exec(text)?.[1] ?? Number.NaN);
  return lanes > 0 ? lanes : null;
}

/** Whether it is the key of the default partition, 0x7fff, or 0xffff with the bit of full membership. */
const isDefault = (text: string): boolean | null => (/^0x[0-9a-f]{4}$/.test(text) ? /^0x[7f]fff$/.test(text) : null);

/**
 * What the port is built for, by the name that the card carries, such as `NVIDIA ConnectX-7 HHHL Adapter card, 400GbE / NDR IB
 * (default mode), Single-port OSFP`: the kernel has no file for it. Only root may read the name, of most kernels.
 */
function highestRate(files: SystemFiles, link: string): Probed<number> {
  const address = pciAddressOf(files, link);
  if (address.value === null) return address;
  const name = vitalProductData(files, address.value);
  if (name.value === null) return name;
  const rates = [...name.value.matchAll(/\b(\d{2,4}) ?Gb(?:E|\/s|ps)\b/g)].map(([, rate]) => Number(rate));
  return rates.length === 0
    ? notRead(`the card's name has no rate: ${name.value.slice(0, 120)}`)
    : read(Math.max(...rates));
}

const INTERFACES = 'sys/class/net';
const INTERFACES_MAX = 32;

/** Names of files below the interface (Documentation/ABI/testing/sysfs-class-net, -net-statistics). */
const INTERFACE_COUNTERS = [
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
      ...INTERFACE_COUNTERS.map(([signal, file]) =>
        counter(signal, name, countIn(files, `${INTERFACES}/${name}/${file}`)),
      ),
      level('net_speed_mbps', name, speed_mbps === null ? notRead('the driver does not tell it') : read(speed_mbps)),
      level('net_speed_max_mbps', name, highestSpeed(files, `${INTERFACES}/${name}/device`)),
    ]),
    ...(left > 0
      ? [level('net_speed_mbps', null, notRead(`${left} further interfaces are left out, after ${INTERFACES_MAX}`))]
      : []),
  ];
}

function highestSpeed(files: SystemFiles, link: string): Probed<number> {
  if (files.names(`${link}/infiniband`).length > 0) return notRead('the port is judged by its RDMA device');
  const rate = highestRate(files, link);
  return rate.value === null ? rate : read(rate.value * 1000);
}
