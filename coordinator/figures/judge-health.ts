import { type HealthFinding, type HealthSeverity, MOST_FINDINGS, type NotReadSignals } from '../contract/health.ts';
import type { Signal } from './signal-facts.ts';
import { healthRules } from './health-rules.ts';
import type { Condition, HealthRule } from './health/rule.ts';
import { cutWords } from './cut-words.ts';

/** What the rules found, worst first, and what they could not judge because it was not read. */
export interface Health {
  findings: HealthFinding[];
  notRead: NotReadSignals[];
}

/** Whose signals are judged: rules for one vendor or for some models hold for these only. */
export interface SignalOwner {
  vendor: 'nvidia' | 'amd' | null;
  name: string;
}

const rulesBySignal = Map.groupBy(healthRules, ({ signal }) => signal);

/**
 * Judges signals by the table of rules. Pure: the same signals give the same findings, on the machine and on the coordinator. A
 * signal without a value is never taken for healthy.
 * @param told rules that found their fault elsewhere in the node, which silences those that would only repeat it
 */
export function judgeHealth(
  signals: readonly Signal[],
  owner: SignalOwner,
  told: ReadonlySet<string> = new Set(),
): Health {
  const found: { rule: HealthRule; signal: Signal }[] = [];
  const missing = new Map<string, Set<string>>();
  for (const signal of signals) {
    const isUnread = signal.not_read !== undefined || (signal.value === null && signal.during_run == null);
    for (const rule of rulesBySignal.get(signal.signal) ?? []) {
      if (!concerns(rule, owner)) continue;
      if (meets(rule, signal)) found.push({ rule, signal });
      else if (isUnread && valueFor(rule, signal) === null) note(missing, signal);
    }
  }
  const places = placesOf(found);
  const isTold = (id: string, of: string | undefined): boolean => {
    const at = places.get(id);
    return told.has(id) || (at !== undefined && (of === undefined || at.has(ANYWHERE) || at.has(of)));
  };
  const findings = found
    .filter(({ rule, signal }) => !(rule.unless ?? []).some((id) => isTold(id, signal.of)))
    .map(({ rule, signal }) => findingOf(rule, signal))
    .toSorted((a, b) => SEVERITY.indexOf(b.severity) - SEVERITY.indexOf(a.severity))
    .slice(0, MOST_FINDINGS);
  return { findings, notRead: notReadOf(missing) };
}

const ANYWHERE = '';

/** Rule -> the ports, links and devices in which it found its fault: one port's fault says nothing of another's. */
function placesOf(found: readonly { rule: HealthRule; signal: Signal }[]): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { rule, signal } of found)
    places.set(rule.id, (places.get(rule.id) ?? new Set()).add(signal.of ?? ANYWHERE));
  return places;
}

const SEVERITY: readonly HealthSeverity[] = ['info', 'warning', 'critical'];

function concerns({ vendor, models }: HealthRule, owner: SignalOwner): boolean {
  if (vendor !== undefined && owner.vendor !== null && vendor !== owner.vendor) return false;
  return models === undefined || models.reported.test(owner.name);
}

const valueFor = ({ reading }: HealthRule, { value, during_run }: Signal): Signal['value'] =>
  reading === 'level' ? value : (during_run ?? null);

const isEvent = (when: Condition): boolean => 'event' in when || 'event_other_than' in when;

function meets(rule: HealthRule, signal: Signal): boolean {
  const { when, reading } = rule;
  const value = valueFor(rule, signal);
  if ('above' in when) return typeof value === 'number' && value > when.above;
  if ('below' in when) return typeof value === 'number' && value < when.below;
  if ('is' in when) return value === when.is;
  if ('one_of' in when) return typeof value === 'string' && when.one_of.includes(value);
  const number = typeof signal.value === 'number' ? signal.value : null;
  const isMeant = 'event' in when ? number === when.event : number !== null && !when.event_other_than.includes(number);
  if (!isMeant) return false;
  return reading === 'during_run' ? (signal.during_run ?? 0) > 0 : signal.seconds_ago !== undefined;
}

function findingOf(rule: HealthRule, signal: Signal): HealthFinding {
  const { id, severity, action, source } = rule;
  const value = signal.told ?? valueWords(rule, signal);
  const evidence = rule.says
    .replaceAll('{value}', () => value)
    .replaceAll('{of}', () => signal.of ?? 'of the machine')
    .replaceAll('{ago}', () => agoWords(signal.seconds_ago ?? 0));
  return {
    rule: id,
    severity,
    evidence: cutWords(evidence, 300),
    action,
    source: `${source.document}: ${source.section}`.slice(0, 200),
    ...(signal.of === undefined ? {} : { of: signal.of }),
  };
}

function valueWords({ reading, when }: HealthRule, signal: Signal): string {
  const value = reading === 'level' || isEvent(when) ? signal.value : signal.during_run;
  if (typeof value === 'number') return Number(value.toPrecision(6)).toLocaleString('en-US');
  return String(value);
}

/** How long ago, in the unit that a person would use. */
export function agoWords(seconds: number): string {
  const [size, unit] =
    seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : seconds < 172_800 ? [3600, 'h'] : [86_400, 'days'];
  return `${Math.round(seconds / size)} ${unit} ago`;
}

function note(missing: Map<string, Set<string>>, { signal, not_read }: Signal): void {
  const because = not_read ?? 'the agent gave no reason';
  missing.set(because, (missing.get(because) ?? new Set()).add(signal));
}

const notReadOf = (missing: Map<string, Set<string>>): NotReadSignals[] =>
  [...missing].slice(0, MOST_FINDINGS).map(([because, signals]) => ({ because, signals: [...signals].slice(0, 200) }));
