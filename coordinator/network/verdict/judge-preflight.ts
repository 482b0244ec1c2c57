import { pairNumber } from '../schedule/pair-number.ts';

/** Result of one node's dial to another; unreported dials count as failed. */
interface ReachedDial {
  from: number;
  to: number;
  /** `ok`, or why not */
  status: string;
  /** the address of `to` that answered */
  address: string | null;
}

interface PreflightToJudge {
  /** seats that take part */
  nodes: readonly number[];
  /** seats at the start of the run; pairs are numbered by it */
  count: number;
  reach: Iterable<ReachedDial>;
  /** preferred listening end of a pair if both can listen */
  listenerOf: (a: number, b: number) => number;
}

interface PairChoice {
  dialer: number;
  /** of the listener */
  address: string;
}

interface PreflightJudgement {
  /** groups of nodes that reach each other, directly or through others, the largest first */
  partitions: number[][];
  /** dials that work while the reverse dial failed */
  one_way_pairs: { from: number; to: number }[];
  /** nodes that can dial others, but cannot be dialled */
  inbound_blocked: number[];
  /** nodes without any working dial, while others reach each other */
  unreachable: number[];
  /** by pair number, all pairs of `nodes`; null: no direction works */
  links: Map<number, PairChoice | null>;
}

/**
 * Minimum number of failed dials by other nodes, and of successful dials among others, before a node's inbound side is
 * blamed.
 */
const FEWEST_WITNESSES = 2;

/** Judges reachability, and chooses the dialling end and the address for each pair. */
export function judgePreflight({ nodes: seats, count, reach, listenerOf }: PreflightToJudge): PreflightJudgement {
  const present = new Set(seats);
  const dials: (ReachedDial | undefined)[][] = Array.from({ length: count }, () => []);
  for (const dial of reach) {
    const own = dials[dial.from];
    if (own && dial.from !== dial.to && present.has(dial.from) && present.has(dial.to)) own[dial.to] = dial;
  }
  const works = (from: number, to: number): boolean => isWorking(dials[from]?.[to]);
  const failed = (from: number, to: number): boolean => dials[from]?.[to] !== undefined && !works(from, to);
  const reaches = dials.map((own) => seats.filter((to) => isWorking(own[to])));
  const reachedBy = dials.map((_, to) => seats.filter((from) => works(from, to)));
  const isCutOff = (seat: number): boolean => reaches[seat]?.length === 0 && reachedBy[seat]?.length === 0;
  const isAnyoneReached = reaches.some((own) => own.length > 0);
  return {
    partitions: groupsOf(seats, reaches, reachedBy),
    one_way_pairs: seats.flatMap((from) =>
      (reaches[from] ?? []).filter((to) => failed(to, from)).map((to) => ({ from, to })),
    ),
    inbound_blocked: seats.filter((seat) => {
      const witnesses = seats.filter((from) => failed(from, seat) && (reaches[from]?.length ?? 0) > 0);
      return reachedBy[seat]?.length === 0 && !isCutOff(seat) && witnesses.length >= FEWEST_WITNESSES;
    }),
    unreachable: isAnyoneReached ? seats.filter(isCutOff) : [],
    links: chooseEnds(seats, count, dials, listenerOf),
  };
}

const isWorking = (dial: ReachedDial | undefined): dial is ReachedDial & { address: string } =>
  dial?.status === 'ok' && dial.address !== null;

function chooseEnds(
  seats: readonly number[],
  count: number,
  dials: readonly (readonly (ReachedDial | undefined)[])[],
  listenerOf: PreflightToJudge['listenerOf'],
): Map<number, PairChoice | null> {
  const links = new Map<number, PairChoice | null>();
  for (const [at, one] of seats.entries())
    for (const two of seats.slice(at + 1)) {
      const listener = listenerOf(one, two);
      const dialer = listener === one ? two : one;
      const wanted = dials[dialer]?.[listener];
      const other = dials[listener]?.[dialer];
      const choice = isWorking(wanted)
        ? { dialer, address: wanted.address }
        : isWorking(other)
          ? { dialer: listener, address: other.address }
          : null;
      links.set(pairNumber(one, two, count), choice);
    }
  return links;
}

/** Connected components over pairs with at least one working direction. */
function groupsOf(seats: readonly number[], reaches: readonly number[][], reachedBy: readonly number[][]): number[][] {
  const seen = new Set<number>();
  const groups: number[][] = [];
  for (const seat of seats) {
    if (seen.has(seat)) continue;
    const group = new Set([seat]);
    // iterating over a set includes members added meanwhile
    for (const member of group)
      for (const next of [...(reaches[member] ?? []), ...(reachedBy[member] ?? [])]) group.add(next);
    for (const member of group) seen.add(member);
    groups.push([...group].toSorted((a, b) => a - b));
  }
  return groups.toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}
