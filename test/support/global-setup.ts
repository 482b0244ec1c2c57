import { sweepDataDirs } from './data-dir.ts';
import { startTestServer, TEST_DATABASE_VARIABLE, type TestServer } from './test-server.ts';

let server: TestServer | undefined;

/**
 * For `node --test --test-global-setup=test/support/global-setup.ts`: one throw-away Postgres and one
 * migrated template for the whole run. TEST_DATABASE_URL names another server to use instead.
 */
export async function globalSetup(): Promise<void> {
  await sweepDataDirs();
  server = await startTestServer(process.env['TEST_DATABASE_URL']);
  // Test files run in child processes, which inherit this.
  process.env[TEST_DATABASE_VARIABLE] = JSON.stringify({ url: server.url, template: server.template });
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
