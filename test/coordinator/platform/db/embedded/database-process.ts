/**
 * Run as a child by the tests of this folder: `node database-process.ts OPTIONS_JSON [insert]`.
 * Opens the embedded database, prints one JSON line when ready, with `insert` one line per
 * acknowledged row, and leaves the server on SIGTERM.
 */
import { connectDatabase } from '../../../../../coordinator/platform/db/client.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedOptions,
} from '../../../../../coordinator/platform/db/embedded/embedded-postgres.ts';

const [optionsJson = '{}', mode] = process.argv.slice(2);
const say = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
const log = {
  info: (fields: object, message: string) => say({ log: message, ...fields }),
  warn: (fields: object, message: string) => say({ log: message, ...fields }),
  error: (fields: object, message: string) => say({ log: message, ...fields }),
};

const options: Omit<EmbeddedOptions, 'log'> = JSON.parse(optionsJson);
const server = await startEmbeddedPostgres({ ...options, log });
const sql = connectDatabase({ embedded: server.connection, max: 1 });
const leave = async () => {
  await sql.end({ timeout: 1 });
  await server.stop();
  process.exit(0);
};
process.once('SIGTERM', () => void leave());
// Nothing else keeps this process alive while it waits for its signal.
setInterval(() => undefined, 60_000);
say({ ready: true, pid: server.pid, attached: server.attached, host: server.connection.host });
if (mode === 'insert') {
  await sql`create table if not exists kept (id integer primary key)`;
  for (let id = 1; ; id += 1) {
    await sql`insert into kept (id) values (${id})`;
    say({ acknowledged: id });
  }
}
