import { createRunWatch } from '../../../../coordinator/network/watch/run-watch.ts';
import { connectDatabase } from '../../../../coordinator/platform/db/client.ts';
import { createLog } from '../../../../coordinator/platform/log.ts';

/** A process that heard of a node and cannot write it down: its database is gone, and nobody waits for an answer. */
const sql = connectDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1, applicationName: 'gone' });
await sql.end();
const log = createLog('error', { write: (line) => void process.stdout.write(line) });
const watch = createRunWatch({ platform: { sql, log, now: () => new Date() }, isDraining: () => false });
watch.heard({ jobId: '1', item: 1 }, 0);
