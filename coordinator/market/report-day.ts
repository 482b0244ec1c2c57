import type { Context } from '../platform/context.ts';
import {
  selectChangedProviders,
  selectMoves,
  selectScreenedVotes,
  selectSourceDays,
  type ChangedProvider,
  type PriceMove,
  type ScreenedVote,
  type SourceDay,
} from './queries/day-report.ts';

export type { ChangedProvider, PriceMove, ScreenedVote };

/** A source that has delivered nothing for longer than this is left out of the report. */
const LOOK_BACK_DAYS = 31;
const DAY_MS = 86_400_000;
/** The report asks about a vote that is screened out for this many readings in a row. */
export const ASKED_AFTER = 5;
/** A source has fallen if it delivers less than this share of what it delivered before. */
export const FALLEN = 0.8;
/** A price that moves by more than this factor within a day is reported for review. */
export const MOST_TIMES = 2;

export interface SourceCoverage {
  source: string;
  /** null if it delivered nothing for this day */
  now: SourceDay | null;
  /** its newest earlier day; null if there is none within 31 days */
  last: SourceDay | null;
}

export interface DayReport {
  day: string;
  sources: SourceCoverage[];
  screened: ScreenedVote[];
  /** providers that had no vote for the product in the 31 days before */
  joined: ChangedProvider[];
  /** providers that voted the day before and do not now */
  left: ChangedProvider[];
  moves: PriceMove[];
}

/**
 * The report of a day: each source compared with its own newest earlier day, votes not counted, providers that came or
 * went, prices that jumped.
 */
export async function reportDay({ sql }: Context, day: string): Promise<DayReport> {
  const from = new Date(Date.parse(day) - LOOK_BACK_DAYS * DAY_MS).toISOString().slice(0, 10);
  const [days, screened, changed, moves] = await Promise.all([
    selectSourceDays(sql, { from, to: day }),
    selectScreenedVotes(sql, day),
    selectChangedProviders(sql, day, LOOK_BACK_DAYS),
    selectMoves(sql, day, MOST_TIMES),
  ]);
  const sources = [...Map.groupBy(days, ({ source }) => source)].map(([source, all]): SourceCoverage => ({
    source,
    now: all.find((one) => one.day === day) ?? null,
    last: all.find((one) => one.day !== day) ?? null,
  }));
  return { day, sources, screened, ...changed, moves };
}

export interface NotCounted {
  votes: number;
  /** those screened out for five readings or more */
  asked: number;
}

/** Votes of a day that are kept but not counted, of all sources. */
export async function countNotCounted({ sql }: Context, day: string): Promise<NotCounted> {
  const screened = await selectScreenedVotes(sql, day);
  return { votes: screened.length, asked: screened.filter(({ readings }) => readings >= ASKED_AFTER).length };
}
