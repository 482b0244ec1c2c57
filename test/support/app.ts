import { appOver, type AppOptions, type TestApp } from './app-over.ts';
import type { Lifetime } from './lifetime.ts';
import { freshDatabase } from './postgres.ts';

export type { TestApp } from './app-over.ts';

/** The whole coordinator over a fresh database, without a process of its own. `app.request(path, init)` calls it. */
export async function testApp(lifetime: Lifetime, options: AppOptions = {}): Promise<TestApp> {
  const database = await freshDatabase();
  const { test, close } = await appOver(database, options);
  lifetime.after(async () => {
    await close();
    await database.close().catch(serverIsGone);
  });
  return test;
}

/** Run alone, a file's own Postgres may have been stopped before the app is closed; nothing is left to drop then. */
function serverIsGone(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT' && code !== 'ECONNREFUSED') throw error;
}
