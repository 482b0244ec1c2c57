import type { NodeSignal } from '../../coordinator/contract/health.ts';
import type { Probed } from '../inventory/probe.ts';
import { shortAddress } from '../inventory/pci-cards.ts';
import type { KernelLog, KernelMessage } from './kernel-log.ts';

/** A message of a driver about a fault. */
export interface KernelEvent {
  signal: KernelSignal;
  /** PCI address, as in /sys/bus/pci/devices. */
  of: string;
  /** Number of the Xid or SXid; null for signals that are counted. */
  number: number | null;
}

/** Each with the kind of machine that can have it. */
const SIGNALS = {
  kernel_xid: 'nvidia',
  kernel_sxid: 'nvswitch',
  kernel_pcie_aer: 'any',
  kernel_amdgpu_ras: 'amd',
  kernel_amdgpu_reset: 'amd',
} as const;
type KernelSignal = keyof typeof SIGNALS;
/** Their value is the number of the message; that of the others counts the messages. */
const NUMBERED: ReadonlySet<KernelSignal> = new Set(['kernel_xid', 'kernel_sxid']);
/** What the machine has, besides PCI. */
export type Makers = ReadonlySet<'nvidia' | 'nvswitch' | 'amd'>;

const ADDRESS = String.raw`[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}`;
const at = (source: string): RegExp => new RegExp(source.replaceAll('ADDRESS', ADDRESS), 'i');

/**
 * `NVRM: Xid (PCI:0000:19:00): 79, pid=1234, name=python, GPU has fallen off the bus.`, on a MIG device
 * `(PCI:0000:19:00 GPU-I:02 GPU-CI:00)`; drivers of Kepler's time left out `PCI:`. NVIDIA's open-gpu-kernel-modules,
 * src/nvidia/src/kernel/gpu/rc/kernel_rc.c.
 */
const XID = at(String.raw`^NVRM: Xid \((?:PCI:)?(ADDRESS)[^)]{0,60}\): (\d{1,5})\b`);
/**
 * `nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)`; lines with the
 * data of the same event follow, with `Severity` or `Data` instead. common/nvswitch/kernel, error_nvswitch.h.
 */
const SXID = at(String.raw`^nvidia-nvswitch\d{1,3}: SXid \(PCI:(ADDRESS\.[0-7])\): (\d{1,6}), (?:Non-fatal|Fatal)`);
/**
 * `nvidia 0000:19:00.0: PCIe Bus Error: severity=Corrected, type=...`, with `AER: ` before it in some versions; where the
 * firmware handles the errors first, `nvme 0000:2c:00.0: AER: aer_status: 0x00002001, ...`. drivers/pci/pcie/aer.c.
 */
const AER = at(String.raw`\b(ADDRESS\.[0-7]): (?:AER: )?(?:PCIe Bus Error: severity=|aer_status: )`);
/**
 * `amdgpu 0000:c3:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block`, with socket and die in some versions;
 * `no uncorrectable` and 0 are the all-clear, `in total` repeats what was said. drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c.
 */
const RAS = at(
  String.raw`^amdgpu (ADDRESS\.[0-7]): .{0,80}?\b[1-9]\d{0,18} (?:new )?uncorrectable hardware errors detected in (?!total)`,
);
/** `amdgpu 0000:03:00.0: amdgpu: GPU reset begin!`, after a ring that timed out. amdgpu_device.c. */
const RESET = at(String.raw`^amdgpu (ADDRESS\.[0-7]): (?:amdgpu: )?GPU reset begin!`);

export function eventOf(text: string): KernelEvent | null {
  const xid = XID.exec(text);
  if (xid !== null) return event('kernel_xid', `${xid[1]}.0`, Number(xid[2]));
  const sxid = SXID.exec(text);
  if (sxid !== null) return event('kernel_sxid', sxid[1], Number(sxid[2]));
  for (const [signal, form] of [
    ['kernel_pcie_aer', AER],
    ['kernel_amdgpu_ras', RAS],
    ['kernel_amdgpu_reset', RESET],
  ] as const) {
    const found = form.exec(text);
    if (found !== null) return event(signal, found[1], null);
  }
  return null;
}

const event = (signal: KernelSignal, address: string | undefined, number: number | null): KernelEvent => ({
  signal,
  of: shortAddress(address ?? ''),
  number,
});

/** More cards, bridges and numbers than a machine has; a log with more is cut. */
const ROWS_MAX = 400;

interface Row {
  event: KernelEvent;
  before: number;
  during: number;
  /** Of the latest before the run. */
  seconds: number | null;
}

/**
 * What the log says about faults, a row for each device and number, with how long before the run the latest was and how many
 * there were during it; `none` or 0 of a kind that the log has none of, and why where it could not be read.
 * @param uptime of the machine when the log was read before the run; null if unknown: then the newest message counts as now
 * @param after of the same log after the run; null if there is no second reading
 */
export function kernelSignals(
  before: Probed<KernelLog>,
  after: Probed<KernelLog> | null,
  uptime: number | null,
  makers: Makers,
): NodeSignal[] {
  const signals = (Object.keys(SIGNALS) as KernelSignal[]).filter((signal) => {
    const maker = SIGNALS[signal];
    return maker === 'any' || makers.has(maker);
  });
  if (before.value === null)
    return signals.map((signal) => ({ signal, value: null, not_read: before.reason.slice(0, 200) }));
  const rows = rowsOf(before.value, after?.value ?? null);
  const found = rows
    .slice(0, ROWS_MAX)
    .map((row) => signalOf(row, uptime ?? before.value.newest.seconds, after?.value ?? null));
  const more = rows.length > ROWS_MAX ? `${rows.length - ROWS_MAX} further kinds of message are left out` : null;
  const cut = before.value.cut ?? after?.value?.cut ?? more;
  return [
    ...found,
    ...signals
      .filter((signal) => cut !== null || !found.some((row) => row.signal === signal))
      .map((signal) =>
        cut === null
          ? { signal, value: NUMBERED.has(signal) ? 'none' : 0, ...(after?.value ? { during_run: 0 } : {}) }
          : { signal, value: null, not_read: cut },
      ),
  ];
}

function rowsOf(before: KernelLog, after: KernelLog | null): Row[] {
  const rows = new Map<string, Row>();
  const rowOf = ({ text }: KernelMessage): Row | null => {
    const event = eventOf(text);
    if (event === null) return null;
    const key = `${event.signal} ${event.of} ${event.number}`;
    const row = rows.get(key) ?? { event, before: 0, during: 0, seconds: null };
    rows.set(key, row);
    return row;
  };
  for (const message of before.messages) {
    const row = rowOf(message);
    if (row === null) continue;
    row.before += 1;
    row.seconds = Math.max(row.seconds ?? 0, message.seconds);
  }
  // The clock of the log drifts from that of programs, so the run begins behind the last message before it.
  const { newest } = before;
  for (const message of after?.messages ?? []) {
    const isNew =
      message.sequence === null || newest.sequence < 0
        ? message.seconds > newest.seconds
        : message.sequence > newest.sequence;
    const row = isNew ? rowOf(message) : null;
    if (row !== null) row.during += 1;
  }
  return [...rows.values()];
}

function signalOf({ event, before, during, seconds }: Row, uptime: number, after: KernelLog | null): NodeSignal {
  return {
    signal: event.signal,
    of: event.of,
    value: event.number ?? before,
    ...(after === null ? {} : { during_run: during }),
    ...(seconds === null ? {} : { seconds_ago: Math.max(0, Math.round(uptime - seconds)) }),
  };
}
