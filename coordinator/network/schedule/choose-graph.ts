import type { NetworkConfig } from '../../contract/network-config.ts';

/** Share of the time that rounds may take; the rest is for retests and the ends of phases. */
const ROUNDS_SHARE = 0.8;
/**
 * Preferred degrees of a sample, best first. With degree 8 and 20 % bad nodes a run blames fewer than 0.2 good ones.
 */
const DEGREES = [24, 16, 12, 8] as const;
/** Lower degrees are used only if time is short. */
const TRUSTED_DEGREE = 8;
/** Links per direction below which no verdict on a node is given, see verdict/. */
const FEWEST_JUDGED = 3;

interface GraphTime {
  /** nodes that take part */
  count: number;
  config: Pick<NetworkConfig, 'graph' | 'degree'> | null;
  slotSeconds: number;
  /** for everything from the first round on */
  budgetSeconds: number;
}

/** `degree` null: every pair. */
interface GraphChoice {
  degree: number | null;
  note: string | null;
}

/**
 * Chooses every pair, or a number of random matchings: as configured, or else by the time available. Always returns a
 * graph, with a note if the time is short.
 */
export function chooseGraph(time: GraphTime): GraphChoice {
  const full = fullRounds(time.count);
  const asked = time.config?.graph === 'degree' ? (time.config.degree ?? full) : null;
  if (time.config?.graph === 'full') return { degree: null, note: beyondTime(full, time) };
  if (asked !== null && asked < time.count - 1)
    return { degree: asked, note: joined(beyondTime(asked, time), fewLinks(asked)) };
  if (asked !== null) return { degree: null, note: beyondTime(full, time) };
  const affordable = Math.floor((ROUNDS_SHARE * time.budgetSeconds) / time.slotSeconds + 1e-9);
  if (full <= affordable) return { degree: null, note: null };
  const most = Math.min(affordable, time.count - 2);
  const degree = DEGREES.find((degree) => degree <= most) ?? Math.max(1, most);
  return { degree, note: joined(beyondTime(degree, time), fewLinks(degree)) };
}

const fullRounds = (count: number): number => count - 1 + (count % 2);

function beyondTime(rounds: number, { slotSeconds, budgetSeconds }: GraphTime): string | null {
  const seconds = rounds * slotSeconds;
  if (seconds <= budgetSeconds) return null;
  const fit = Math.floor(budgetSeconds / slotSeconds);
  const need = rounds === 1 ? 'The 1 round of this graph needs' : `The ${rounds} rounds of this graph need`;
  return `${need} ${seconds} s and the time left is ${Math.floor(budgetSeconds)} s, enough for ${fit}; links that no round reaches are unmeasured.`;
}

function fewLinks(degree: number): string | null {
  if (degree >= TRUSTED_DEGREE) return null;
  if (degree < FEWEST_JUDGED)
    return `With ${degree === 1 ? 'one link' : `${degree} links`} per node no node is judged.`;
  return `With ${degree} links per node a bad node is detected less reliably than with ${TRUSTED_DEGREE} or more.`;
}

const joined = (...notes: (string | null)[]): string | null => notes.filter((note) => note !== null).join(' ') || null;
