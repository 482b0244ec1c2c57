/** How a price of one series of a source (a provider's machine of a product, on one term) moved since the source's day before. */
export interface Move {
  product_id: number;
  provider_id: number;
  /** accelerators in the machine; null if not stated */
  cards: number | null;
  /** price now / price before */
  ratio: number;
}

/** Most prices of a source moved by one factor, which another unit of its prices would explain. */
export interface UnitBreak<Of extends Move = Move> {
  /** times or divided by; null: each by the number of its own accelerators */
  factor: number | null;
  isUp: boolean;
  /** those that moved so, and the number of those that could have */
  moved: readonly Of[];
  of: number;
}

/**
 * Counts of accelerators in a machine; percent, thousands and millionths; minutes, hours, days and months of other units
 * of time. 720 and 730 are the hours of a month, 8760 those of a year.
 */
const FACTORS = [2, 3, 4, 6, 8, 10, 16, 24, 60, 72, 100, 720, 730, 1000, 3600, 8760, 1_000_000];
/** Prices in cents, rounded, and those that moved a little on the same day. */
const TOLERANCE = 0.03;
const LEAST_MOVE = Math.log((FACTORS[0] as number) / (1 + TOLERANCE) - TOLERANCE);
/** Fewer prices that move alike are a coincidence, or a provider that changed its prices. */
const LEAST_MOVED = 3;

/**
 * The break between two days of a source; null if there is none. Only if most of its prices, or most prices of most of its
 * providers or products, moved alike: a provider that halves its prices is not a unit.
 */
export function unitBreak<Of extends Move>(moves: readonly Of[]): UnitBreak<Of> | null {
  const far = moves.filter(({ ratio }) => Math.abs(Math.log(ratio)) > LEAST_MOVE);
  if (far.length < LEAST_MOVED) return null;
  const several = moves.filter(({ cards }) => cards !== null && cards >= 2);
  const candidates = [
    ...[true, false].map((isUp) => broken(several, null, isUp, ({ cards }) => cards as number)),
    ...FACTORS.flatMap((factor) => [true, false].map((isUp) => broken(moves, factor, isUp, () => factor))),
  ];
  const [largest] = candidates
    .filter((candidate) => candidate !== null)
    .toSorted((a, b) => b.moved.length - a.moved.length);
  return largest ?? null;
}

function broken<Of extends Move>(
  moves: readonly Of[],
  factor: number | null,
  isUp: boolean,
  factorOf: (move: Of) => number,
): UnitBreak<Of> | null {
  const hasMoved = (move: Of): boolean => {
    const times = isUp ? move.ratio : 1 / move.ratio;
    return Math.abs(times / factorOf(move) - 1) <= TOLERANCE;
  };
  const moved = moves.filter(hasMoved);
  if (moved.length < LEAST_MOVED) return null;
  const found = { factor, isUp, moved, of: moves.length };
  if (isMost(moved.length, moves.length)) return found;
  const isMostOf = (key: 'provider_id' | 'product_id'): boolean => {
    const groups = [...Map.groupBy(moves, (move) => move[key]).values()];
    const most = groups.filter((group) => isMost(group.filter(hasMoved).length, group.length));
    return most.length >= LEAST_MOVED && isMost(most.length, groups.length);
  };
  return isMostOf('provider_id') || isMostOf('product_id') ? found : null;
}

const isMost = (some: number, all: number): boolean => some * 2 > all;

/** "132 of 193 prices are divided by the number of their own accelerators (2, 4, 8)". */
export function describeBreak({ factor, isUp, moved, of }: UnitBreak): string {
  const counts = [...new Set(moved.map(({ cards }) => cards ?? 0))].toSorted((a, b) => a - b);
  const by =
    factor === null ? `the number of their own accelerators (${counts.join(', ')})` : factor.toLocaleString('en-US');
  return `${moved.length} of ${of} prices ${isUp ? 'are multiplied' : 'are divided'} by ${by}`;
}
