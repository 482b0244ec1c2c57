import type { TestApp } from '../../support/app.ts';

interface Outcome {
  /** seller -> why it is not counted */
  screened: Record<string, string>;
  mean: number | null;
  sellers: number;
}

/** What became of a model's prices on a day. */
export async function outcome({ platform: { sql } }: TestApp, day: string, model = 'lab/m'): Promise<Outcome> {
  const book = await sql<{ source_id: string; screened_by: string | null }[]>`
    select source_id, screened_by from token_book where day = ${day} and model = ${model} order by source_id`;
  const [pulse] = await sql<{ mean: number | null; sellers: number }[]>`
    select avg_price_output::float8 as mean, sellers from token_pulse where day = ${day} and model = ${model}`;
  return {
    screened: Object.fromEntries(
      book.flatMap(({ source_id, screened_by }) => (screened_by === null ? [] : [[source_id, screened_by]])),
    ),
    mean: pulse?.mean ?? null,
    sellers: pulse?.sellers ?? 0,
  };
}
