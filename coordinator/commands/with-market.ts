import { ensureCatalogue } from '../catalog/catalogue-table.ts';
import { ensureProviders } from '../market/providers-table.ts';
import { systemContext, type Context } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

const CONNECTIONS = 4;

/** The catalogue and the providers that come with this version, in the database. */
export async function fillMarket(context: Context): Promise<void> {
  await ensureCatalogue(context);
  await ensureProviders(context);
}

/** Opens what a command on the market needs, filled with the tables that come with the product. */
export async function withMarket(edges: Edges, work: (context: Context) => Promise<void>): Promise<void> {
  const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark market', max: CONNECTIONS });
  try {
    const context = systemContext(platform, 'command');
    await fillMarket(context);
    await work(context);
  } finally {
    await close();
  }
}
