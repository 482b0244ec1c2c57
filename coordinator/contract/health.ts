import { z } from 'zod';
import { text } from './wire.ts';

/** info: worth knowing, nothing to do; warning: use it, but act; critical: do not use it before the action is done. */
export const healthSeverity = z.enum(['info', 'warning', 'critical']);
export type HealthSeverity = z.infer<typeof healthSeverity>;

/** What to do, from the least to the most costly. */
export const healthAction = z.enum(['none', 'check_cabling', 'reset', 'reboot', 'drain', 'return']);
export type HealthAction = z.infer<typeof healthAction>;

/** Most findings told of one device, or of one node beside its devices; the worst are kept. */
export const MOST_FINDINGS = 40;

/** One rule of the table (`GET .../health-rules`, `gpumark-agent help health`) that found its fault. */
export const healthFinding = z.object({
  rule: text(60, 1),
  severity: healthSeverity,
  evidence: text(300).meta({ description: 'what was read, with its number and the limit' }),
  action: healthAction,
  source: text(200).meta({ description: 'document and section that the rule rests on' }),
  of: text(80).optional().meta({ description: 'port, link or PCI address, if the rule concerns one of several' }),
});
export type HealthFinding = z.infer<typeof healthFinding>;

/** Signals that could not be read, and why; they are never taken for healthy. */
export const notReadSignals = z.object({ because: text(200, 1), signals: z.array(text(60, 1)).max(200) });
export type NotReadSignals = z.infer<typeof notReadSignals>;

/** What one device or node showed: its findings, worst first, and what could not be read. */
export const healthFindings = z.array(healthFinding).max(MOST_FINDINGS);
export const healthNotRead = z.array(notReadSignals).max(MOST_FINDINGS);

/** Most signals of one node: 16 cards, 16 ports and their bridges have a few hundred. */
const MOST_SIGNALS = 2000;

/**
 * One thing that the agent read of its machine before the run, and how far a counter advanced during it. A signal that cannot
 * be read has no value, and says why; one that the machine does not have is left out.
 */
export const nodeSignal = z.object({
  signal: text(60, 1),
  of: text(80).optional().meta({ description: 'port, link, interface or PCI address that it belongs to' }),
  value: z.union([z.number(), z.boolean(), text(200)]).nullable(),
  during_run: z.number().nullable().optional().meta({ description: 'after the run minus before it' }),
  seconds_ago: z.number().nonnegative().optional().meta({ description: 'of an event: how long before the run' }),
  not_read: text(200).optional().meta({ description: 'why `value` is null' }),
});
export type NodeSignal = z.infer<typeof nodeSignal>;
export const nodeSignals = z.array(nodeSignal).max(MOST_SIGNALS);
