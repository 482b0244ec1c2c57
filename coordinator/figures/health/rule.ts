import type { HealthAction, HealthSeverity } from '../../contract/health.ts';

/**
 * What a signal must be for the rule to find its fault. `event` is for logs, whose signal has a number as its value: in the
 * reading `during_run` it must have been logged during the run, in `level` before it.
 */
export type Condition =
  | { above: number }
  | { below: number }
  | { is: string | number | boolean }
  | { one_of: readonly string[] }
  | { event: number }
  | { event_other_than: readonly number[] };

/**
 * How sure a rule is of its number. read: in the vendor's own document, or in two that agree; one page: in a single one of
 * another origin; memory: known in the field, not found in a document by us.
 */
type Confidence = 'read' | 'one page' | 'memory';
export interface Source {
  document: string;
  section: string;
  confidence: Confidence;
}

/** One rule about the health of a card, a machine or a job. The table of all of them is all that we judge by. */
export interface HealthRule {
  id: string;
  scope: 'device' | 'node' | 'job';
  signal: string;
  /** level: as it was before the run; during_run: how far it changed */
  reading: 'level' | 'during_run';
  when: Condition;
  /** absent: every vendor that has the signal */
  vendor?: 'nvidia' | 'amd';
  /** Models that it holds for, as a sentence and as their reported names; absent: all. */
  models?: { words: string; reported: RegExp };
  severity: HealthSeverity;
  action: HealthAction;
  /** The finding in words; `{value}` is what was read, `{of}` where, `{ago}` how long before the run. */
  says: string;
  source: Source;
  /** Rules that tell the same fact more exactly: where one of them found it, this one is silent. */
  unless?: readonly string[];
}

const documents = {
  xid: 'NVIDIA Xid errors, Analyzing Xid Errors with the Xid Catalog',
  memory: 'NVIDIA GPU Memory Error Management',
  retirement: 'NVIDIA Dynamic Page Retirement',
  validation: 'NVIDIA Health Validation, check catalog',
  nvml: 'NVML API reference',
  dcgm: 'NVIDIA DCGM documentation',
  sentinel: 'NVIDIA NVSentinel, issues',
  gpud: 'leptonai/gpud, source',
  gcm: 'Meta GCM, health checks',
  azure: 'Azure azurehpc-health-checks',
  kernel: 'Linux kernel documentation',
  amdgpu: 'Linux kernel, amdgpu driver',
  amdsmi: 'AMD SMI documentation',
  nccl: 'NVIDIA NCCL user guide',
  own: 'gpumark, source',
  field: 'known in the field',
} as const;

export const read = (document: keyof typeof documents, section: string): Source => ({
  document: documents[document],
  section,
  confidence: 'read',
});
export const onePage = (document: keyof typeof documents, section: string): Source => ({
  ...read(document, section),
  confidence: 'one page',
});
export const fromMemory = (document: keyof typeof documents, section: string): Source => ({
  ...read(document, section),
  confidence: 'memory',
});

/** What a person does about a finding. */
export const actionWords: Readonly<Record<HealthAction, string>> = {
  none: 'nothing to repair',
  check_cabling: 'check the cable, the seat and the slot',
  reset: 'reset the GPU',
  reboot: 'restart the machine',
  drain: 'take it out of service and look into it',
  return: 'return the part',
};

/** The condition of a rule as the printed table says it. */
export function conditionWords({ when, reading }: Pick<HealthRule, 'when' | 'reading'>): string {
  const during = reading === 'during_run' ? ' during the run' : '';
  if ('above' in when) return `above ${when.above}${during}`;
  if ('below' in when) return `below ${when.below}${during}`;
  if ('is' in when)
    return when.is === true ? `yes${during}` : when.is === false ? `no${during}` : `${when.is}${during}`;
  if ('one_of' in when) return `${when.one_of.join(' or ')}${during}`;
  const time = reading === 'during_run' ? 'logged during the run' : 'logged before the run';
  return 'event' in when ? `number ${when.event} ${time}` : `any other number ${time}`;
}

/** What a rule finds, with an ellipsis for each value. */
export const plainSays = ({ says }: Pick<HealthRule, 'says'>): string =>
  says.replaceAll('{ago}', '… ago').replaceAll(/\{(?:value|of)\}/g, '…');

/** Which cards a rule holds for; empty for all. */
export const whoseWords = ({ vendor, models }: Pick<HealthRule, 'vendor' | 'models'>): string =>
  models?.words ?? (vendor === undefined ? '' : { nvidia: 'NVIDIA', amd: 'AMD' }[vendor]);
