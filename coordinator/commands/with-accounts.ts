import { systemContext, type Context } from '../platform/context.ts';
import type { Edges } from './edges.ts';
import { openPlatform } from './open-platform.ts';

/** Opens what a command on users and keys needs, beside a coordinator that serves or without one. */
export async function withAccounts(edges: Edges, work: (context: Context) => Promise<void>): Promise<void> {
  const { platform, close } = await openPlatform(edges, { applicationName: 'gpumark accounts', max: 2 });
  try {
    await work(systemContext(platform, 'command'));
  } finally {
    await close();
  }
}
