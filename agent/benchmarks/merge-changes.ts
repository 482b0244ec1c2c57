/** What changed on a card during one of several runner processes, or while all cards worked: part of the run's details. */
type Changes = Readonly<Record<string, unknown>>;

/** The record of the run that names a card's changes besides those that end in `_during_run`. */
const ALSO_CHANGES: ReadonlySet<string> = new Set(['throttle_seconds', 'nvlink_error_links', 'xid']);
const isChange = (name: string): boolean => name.endsWith('_during_run') || ALSO_CHANGES.has(name);

/**
 * The changes of all parts of a run as those of one: counts are added, states hold if they held in any, lists are joined. What
 * no part tells stays null, and `health_problems` keeps the reasons of these alone.
 */
export function mergeChanges(parts: readonly Changes[]): Record<string, unknown> {
  const names = new Set(parts.flatMap((part) => Object.keys(part)).filter(isChange));
  const merged = Object.fromEntries([...names].map((name) => [name, joined(parts.map((part) => part[name]))]));
  const told = parts.flatMap(({ health_problems }) => (isObject(health_problems) ? [health_problems] : []));
  if (told.length === 0) return merged;
  const problems = Object.entries(Object.assign({}, ...told) as Changes);
  const health_problems = Object.fromEntries(problems.filter(([name]) => isUntold(merged, name)));
  return { ...merged, health_problems };
}

/** `name` is a fact, or a fact and its member: "throttle_seconds.sw_power_cap". */
function isUntold(merged: Changes, name: string): boolean {
  const [fact = '', member] = name.split('.');
  const value = merged[fact] ?? null;
  return value === null || (member !== undefined && isObject(value) && (value[member] ?? null) === null);
}

function joined(values: readonly unknown[]): unknown {
  const told = values.filter((value) => value !== null && value !== undefined);
  const [first] = told;
  if (first === undefined) return null;
  if (typeof first === 'number')
    return told.reduce((sum: number, value) => sum + (typeof value === 'number' ? value : 0), 0);
  if (typeof first === 'boolean') return told.includes(true);
  if (Array.isArray(first))
    return joinedLists(told.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [])));
  return joinedObjects(told.filter(isObject));
}

const joinedObjects = (all: readonly Changes[]): Changes =>
  Object.fromEntries(
    [...new Set(all.flatMap((one) => Object.keys(one)))].map((name) => [name, joined(all.map((one) => one[name]))]),
  );

/** Entries about the same link are one. */
function joinedLists(entries: readonly unknown[]): unknown[] {
  const links = Map.groupBy(entries.filter(isObject), ({ link }) => link);
  return [
    ...new Set(entries.filter((entry) => !isObject(entry))),
    ...[...links].map(([link, of]) => ({ ...joinedObjects(of), link })),
  ];
}

const isObject = (value: unknown): value is Changes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
