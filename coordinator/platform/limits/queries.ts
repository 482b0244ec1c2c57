import type { Queryable } from '../db/client.ts';

export interface Ask {
  key: string;
  perMinute: number;
  burst: number;
  /** whole tokens; negative: the number given back */
  wanted: number;
}

export interface Answer {
  key: string;
  granted: number;
  /** tokens left in the bucket afterwards */
  left: number;
}

/**
 * Refills each bucket by the database's clock and takes the wanted tokens, or as many whole ones as it has. One statement
 * for up to a few hundred buckets, in the order of their keys, so that two processes never deadlock. A statement that waited
 * for a lock does not move a row's `at` back; if `at` is over a second ahead, the clock was set back, and counting starts
 * again from now: no tokens accrue for the time between, but nobody waits for it to pass either.
 */
export async function exchangeTokens(sql: Queryable, asks: readonly Ask[]): Promise<Answer[]> {
  return sql<Answer[]>`
    insert into rate_bucket as b (key, tokens, granted, burst, per_second, at)
    select key, least(burst, burst - least(wanted, burst)), least(wanted, burst), burst, per_minute / 60, now()
    from unnest(${asks.map((ask) => ask.key)}::text[], ${asks.map((ask) => ask.burst)}::float8[],
      ${asks.map((ask) => ask.perMinute)}::float8[], ${asks.map((ask) => ask.wanted)}::float8[])
      as asked (key, burst, per_minute, wanted)
    order by key
    on conflict (key) do update set (tokens, granted, burst, per_second, at) = (
      select least(excluded.burst, filled - least(excluded.granted, floor(filled))),
        least(excluded.granted, floor(filled)), excluded.burst, excluded.per_second,
        case when b.at > now() + interval '1 second' then now() else greatest(b.at, now()) end
      from (
        select least(excluded.burst,
          b.tokens + excluded.per_second * greatest(0, extract(epoch from now() - b.at)::float8)) as filled
      ) refill
    )
    returning key, granted, tokens as left`;
}

/** Deletes full buckets (an absent one counts as full; addresses would soon be very numerous). Returns how many it deleted. */
export async function deleteFullBuckets(sql: Queryable): Promise<number> {
  const deleted = await sql`
    delete from rate_bucket where tokens + per_second * extract(epoch from now() - at)::float8 >= burst`;
  return deleted.count;
}
