import { type HealthRule, fromMemory, onePage, read } from './rule.ts';

const IB = 'ABI sysfs-class-infiniband';
const port = { scope: 'node' } as const;

/** Ports of the network: InfiniBand, RoCE and Ethernet. */
export const networkRules: readonly HealthRule[] = [
  {
    ...port,
    id: 'ib_port_down',
    signal: 'ib_port_state',
    reading: 'level',
    // A port without a cable is not a fault; one whose cable is in and that does not come up is.
    when: { one_of: ['INIT', 'ARMED'] },
    severity: 'warning',
    action: 'check_cabling',
    says: 'port {of} is connected and not active ({value})',
    source: read('kernel', `${IB}, state`),
  },
  {
    ...port,
    id: 'ib_port_training',
    signal: 'ib_port_physical_state',
    reading: 'level',
    when: { one_of: ['Polling', 'PortConfigurationTraining', 'LinkErrorRecovery', 'Phy Test'] },
    severity: 'info',
    action: 'check_cabling',
    says: 'port {of} has no link ({value})',
    source: read('kernel', `${IB}, phys_state`),
  },
  // What the switch and the cable can do is not known here: a fast card on a slower switch is built so on purpose.
  {
    ...port,
    id: 'ib_port_slow',
    signal: 'ib_port_rate_share',
    reading: 'level',
    when: { below: 0.99 },
    severity: 'info',
    action: 'none',
    says: 'port {of} runs at {value} that its card can do, which is right if the switch or the cable does no more',
    source: read('kernel', `${IB}, rate: active width times active speed; the other end is not told`),
  },
  {
    ...port,
    id: 'ib_port_one_lane',
    signal: 'ib_port_lanes',
    reading: 'level',
    when: { is: 1 },
    severity: 'warning',
    action: 'check_cabling',
    says: 'port {of} runs on one of its lanes: no InfiniBand card or switch of today has ports of one lane',
    source: fromMemory('kernel', `${IB}, rate: active width; ports have four lanes, or two where a cable is split`),
  },
  {
    ...port,
    id: 'ib_pkey_not_default',
    signal: 'ib_pkey_default',
    reading: 'level',
    when: { is: false },
    severity: 'info',
    action: 'none',
    says: 'port {of} is not in the default partition',
    source: onePage('kernel', `${IB}, pkeys`),
  },
  ...(
    [
      ['ib_link_downed', 'times that the link went down', 0, 'check_cabling', 'link_downed'],
      ['ib_link_error_recovery', 'recoveries of the link', 0, 'check_cabling', 'link_error_recovery'],
      ['ib_symbol_error', 'symbol errors', 10, 'check_cabling', 'symbol_error'],
      ['ib_port_rcv_errors', 'packets received with errors', 0, 'check_cabling', 'port_rcv_errors'],
      ['ib_local_link_integrity_errors', 'local integrity errors', 0, 'check_cabling', 'local_link_integrity_errors'],
      ['ib_excessive_buffer_overrun_errors', 'buffer overruns', 0, 'drain', 'excessive_buffer_overrun_errors'],
    ] as const
  ).map(([id, what, limit, action, counter]): HealthRule => ({
    ...port,
    id,
    signal: id,
    reading: 'during_run',
    when: { above: limit },
    severity: 'warning',
    action,
    says: `port {of}, ${what} during the run: {value}${limit > 0 ? `, limit ${limit}` : ''}`,
    source:
      limit === 0
        ? read('kernel', `${IB}, counters/${counter}`)
        : fromMemory('kernel', `${IB}, counters/${counter}, without a number; the limit is ours`),
  })),
  ...(
    [
      ['ib_port_xmit_discards', 'packets discarded for congestion', 1000],
      ['roce_out_of_sequence', 'packets out of order', 1000],
      ['roce_packet_seq_err', 'sequence errors', 1000],
    ] as const
  ).map(([id, what, limit]): HealthRule => ({
    ...port,
    id,
    signal: id,
    reading: 'during_run',
    when: { above: limit },
    severity: 'warning',
    action: 'drain',
    says: `port {of}, ${what} during the run: {value}, limit ${limit}`,
    source: fromMemory('kernel', `${IB}, counters and hw_counters, without a number; the limit is ours`),
  })),
  ...(
    [
      ['roce_cnp_handled', 'congestion notifications handled'],
      ['roce_ecn_marked', 'packets marked for congestion'],
    ] as const
  ).map(([id, what]): HealthRule => ({
    ...port,
    id,
    signal: id,
    reading: 'during_run',
    when: { above: 1000 },
    severity: 'info',
    action: 'none',
    says: `port {of}, ${what} during the run: {value}`,
    source: fromMemory('kernel', `${IB}, hw_counters`),
  })),
  {
    ...port,
    id: 'net_port_slow',
    signal: 'net_speed_share',
    reading: 'level',
    when: { below: 0.99 },
    severity: 'info',
    action: 'none',
    says: 'interface {of} runs at {value} that its card can do, which is right if the switch or the cable does no more',
    source: read('kernel', 'ABI sysfs-class-net, speed: the current one; the other end is not told'),
  },
  {
    ...port,
    id: 'net_link_lost',
    signal: 'net_carrier_changes',
    reading: 'during_run',
    when: { above: 0 },
    severity: 'warning',
    action: 'check_cabling',
    says: 'interface {of} lost or found its link during the run: {value} changes',
    source: fromMemory('kernel', 'ABI sysfs-class-net, carrier_changes'),
  },
  {
    ...port,
    id: 'net_crc_errors',
    signal: 'net_crc_errors',
    reading: 'during_run',
    when: { above: 0 },
    severity: 'warning',
    action: 'check_cabling',
    says: 'interface {of}, frames with a wrong checksum during the run: {value}',
    source: read('kernel', 'ABI sysfs-class-net-statistics, rx_crc_errors'),
  },
  {
    ...port,
    id: 'net_rx_errors',
    signal: 'net_rx_errors',
    reading: 'during_run',
    when: { above: 10 },
    severity: 'warning',
    action: 'check_cabling',
    says: 'interface {of}, frames received with errors during the run: {value}, limit 10',
    source: fromMemory('kernel', 'ABI sysfs-class-net-statistics, rx_errors, without a number; the limit is ours'),
    unless: ['net_crc_errors'],
  },
];
