import type { Queryable } from '../db/client.ts';

export interface Ask {
  key: string;
  perMinute: number;
  burst: number;
  /** whole tokens; below 0: so many are given back */
  wanted: number;
}

export interface Answer {
  key: string;
  granted: number;
  /** in the bucket after it */
  left: number;
}

/**
 * Fills each bucket up by the database's clock and takes what is wanted, as far as whole tokens are there. One statement
 * for up to some hundred buckets, in the order of their keys, so that two processes never wait for each other in a ring.
 * The row's own `at` never goes back by a statement that waited for its turn; if it is over a second ahead the clock was
 * set back, and counting begins anew from now: no tokens for the time between, but none are waited for either.
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

/** Deletes buckets that are full again: one that is not there is full, and of addresses there would soon be very many. Returns how many. */
export async function deleteFullBuckets(sql: Queryable): Promise<number> {
  const deleted = await sql`
    delete from rate_bucket where tokens + per_second * extract(epoch from now() - at)::float8 >= burst`;
  return deleted.count;
}
