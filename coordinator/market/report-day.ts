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

/** A source that has brought nothing for longer is no longer waited for. */
const LOOK_BACK_DAYS = 31;
const DAY_MS = 86_400_000;
/** A vote that stays outside for as many readings is asked about. */
export const ASKED_AFTER = 5;
/** A source that brings less than this part of what it brought before. */
export const FALLEN = 0.8;
/** A price that moves by more within a day is looked at by a person. */
export const MOST_TIMES = 2;

export interface SourceCoverage {
  source: string;
  /** null: it brought nothing of this day */
  now: SourceDay | null;
  /** its newest day before; null: none within 31 days */
  last: SourceDay | null;
}

export interface DayReport {
  day: string;
  sources: SourceCoverage[];
  screened: ScreenedVote[];
  /** providers of a product that had no vote in the 31 days before */
  joined: ChangedProvider[];
  /** and those that voted the day before and do not now */
  left: ChangedProvider[];
  moves: PriceMove[];
}

/** What was read of a day and what came of it: each source against its own newest day before, votes not counted, providers that came or went, prices that jumped. */
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
  /** of them outside for five readings and more */
  asked: number;
}

/** Votes of a day that are kept and not counted, of all sources. */
export async function countNotCounted({ sql }: Context, day: string): Promise<NotCounted> {
  const screened = await selectScreenedVotes(sql, day);
  return { votes: screened.length, asked: screened.filter(({ readings }) => readings >= ASKED_AFTER).length };
}
