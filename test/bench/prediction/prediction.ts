import type { BenchRow } from '../bench-row.ts';
import { benchDatabase } from '../coordinator/bench-database.ts';
import { seedContext, seedUser } from '../coordinator/seed.ts';
import { benchPredict } from './predict.ts';
import { benchTraining } from './training.ts';

/** Training on a million synthetic votes, and predictions over HTTP with the resulting model. */
export async function benchPrediction(): Promise<BenchRow[]> {
  const { sql, url, close } = await benchDatabase();
  try {
    const training = await benchTraining({ sql, url });
    const { bearer } = await seedUser(seedContext(sql), 'enterprise');
    const sold = await sql<{ slug: string }[]>`
      select slug from product where product_id in (select product_id from latest_price union select product_id from provider_price)
      order by slug limit 20`;
    return [...training, ...(await benchPredict({ url, bearer, products: sold.map(({ slug }) => slug) }))];
  } finally {
    await close();
  }
}
