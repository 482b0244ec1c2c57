import { Command, CommanderError } from 'commander';
import { unverifiedTls } from '../contract/unverified-tls.ts';
import { apiKeyCommands } from './api-key-commands.ts';
import { archiveCommand } from './archive-command.ts';
import { backupCommand, restoreCommand } from './backup-commands.ts';
import { carbonCommand } from './carbon-command.ts';
import { customerCommands } from './customer-commands.ts';
import { dayReportCommand } from './day-report-command.ts';
import { doctorCommand } from './doctor-command.ts';
import type { Edges } from './edges.ts';
import { formatHelp } from './format-help.ts';
import { forwardCommands } from './forward-commands.ts';
import { ingestCommand } from './ingest-command.ts';
import { marketTableCommands } from './market-tables.ts';
import { openPlatform } from './open-platform.ts';
import { predictionCommands, shortTrainCommand } from './prediction-commands.ts';
import { rotateKeyCommand } from './rotate-key-command.ts';
import { serveCommand } from './serve-command.ts';
import { subscriptionCommands } from './subscription-commands.ts';
import { tierCommands } from './tier-commands.ts';
import { tokenIndexCommands } from './token-index-commands.ts';
import { userCommands } from './user-commands.ts';

/** Arguments -> exit code: 0 done, 1 failed (one sentence on stderr), 2 wrong usage. */
export async function runProgram(argv: readonly string[], edges: Edges): Promise<number> {
  const unsafe = unverifiedTls(edges.environment);
  if (unsafe !== null) {
    edges.stderr.write(
      `${unsafe}. Unset it; for an authority of your own set NODE_EXTRA_CA_CERTS to its certificate.\n`,
    );
    return 2;
  }
  const program = new Command('coordinator')
    .description('Runs benchmark jobs and answers for their results. Settings come from the environment.')
    .addHelpText('after', ENVIRONMENT);
  program.addCommand(serveCommand(edges), { isDefault: true });
  program.addCommand(migrateCommand(edges));
  program.addCommand(doctorCommand(edges));
  program.addCommand(backupCommand(edges));
  program.addCommand(restoreCommand(edges));
  const ingest = ingestCommand(edges);
  for (const command of tokenIndexCommands(edges)) ingest.addCommand(command);
  ingest.addCommand(dayReportCommand(edges));
  ingest.addHelpText('after', ({ command }) => formatHelp(command.args[0]));
  program.addCommand(ingest);
  for (const command of marketTableCommands(edges)) program.addCommand(command);
  program.addCommand(archiveCommand(edges));
  program.addCommand(carbonCommand(edges));
  program.addCommand(forwardCommands(edges));
  program.addCommand(predictionCommands(edges));
  program.addCommand(shortTrainCommand(edges), { hidden: true });
  program.addCommand(userCommands(edges));
  program.addCommand(customerCommands(edges));
  program.addCommand(subscriptionCommands(edges));
  program.addCommand(tierCommands(edges));
  program.addCommand(apiKeyCommands(edges));
  program.addCommand(new Command('key').description('Keys that sign tokens').addCommand(rotateKeyCommand(edges)));
  confine(program, edges);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    edges.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

const ENVIRONMENT = `
Environment:
  PORT (8080), HOST (127.0.0.1), PUBLIC_URL   where to listen, and the address that is handed out,
                                              a host without a path
  DATABASE_POOLER (none), DATABASE_DIRECT_URL transaction: DATABASE_URL leads through pgbouncer; the way past it
  DATABASE_PREPARE (on), DATABASE_CONNECTIONS (16)
                                              off for pgbouncer before 1.21; connections of this process
  DATABASE_URL                                a Postgres 15 to 18; absent: our own in DATA_DIR. Its sslmode: disable,
                                              prefer (the default) and require check no certificate, verify-full does
  DATA_DIR (./var)                            database, reports, keys; closed to other users of the machine at each start
  ARTIFACT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION (us-east-1), AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN                           s3://BUCKET/PREFIX: files in any store that speaks S3
  ARTIFACT_LINKS (coordinator)                store: links to reports open at the store itself
  TLS_CERT_FILE, TLS_KEY_FILE                 PEM: serve https; renewed files are taken within 30 s
  AGENT_IMAGE (localhost/gpumark-agent:latest) what a job's launch lines name
  AGENT_DIR (./dist)                          the agents that a job's first line downloads: gpumark-agent-VERSION-linux-x64
                                              or -arm64 of a release, or what make agent and make arm64 build
  ADMIN_EMAIL, ADMIN_PASSWORD                 the first admin; absent: a password is printed once
  KEEP_JOBS_DAYS                              days after their end until jobs are deleted; absent: never
  JOB_TOKEN_HOURS (24), TOKEN_INDEX_EARLIEST_DATE (2025-12-01)
  DRAIN_SECONDS (5)                           after SIGTERM: /readyz answers 503 and connections are still taken for so
                                              long; then what has begun has 10 s to end
  TRUSTED_PROXIES (0)                         proxies of yours in front, whose X-Forwarded-For is believed;
                                              without it all callers behind them count as one address
  HSTS (subdomains)                           over TLS browsers take no plain http from this host for a year, nor
                                              from names beneath it; host: from it alone; off: not told
  METRICS_TOKEN                               opens /metrics to others than this machine; 16 characters or more.
                                              Set it if a proxy on this machine adds no X-Forwarded-For
  CONNECTIONS (10000), CONNECTIONS_PER_ADDRESS (512), REQUESTS_PER_ADDRESS (512)
                                              open at once; an address is an IPv4 address or an IPv6 /64
  BODY_MIB (256), BODY_MIB_PER_CUSTOMER (64), BODY_MIB_PER_ADDRESS (128), BODY_KIB_OF_STRANGERS (8192)
                                              memory for bodies that are still arriving
  BODY_BYTES_PER_SECOND (1024), BODY_GRACE_SECONDS (5)
                                              the least rate at which a body arrives
  ANSWER_MIB_PER_ADDRESS (64)                 memory for answers that are not read
  RATE_LIMIT_ADDRESS (600/300), RATE_LIMIT_JOB (60000/10000), RATE_LIMIT_LINK (120/60)
                                              requests a minute and at once: of one address without a credential,
                                              of all nodes of a job, of one address by one signed link; people and
                                              programs have their tier's
  RATE_LIMITS (on)                            off: nobody is limited
  UPLOAD_THREADS (2)                          threads that parse and check large bodies
  SMTP_URL, MAIL_FROM                         mail for password links; absent: user reset-link prints one
  ELECTRICITY_MAPS_TOKEN                      key of the Electricity Maps API, for ingest electricity-maps-live
  NODE_EXTRA_CA_CERTS                         PEM authorities to trust beside the usual ones, for verify-full and ingestion
  LOG_LEVEL (info)                            JSON lines on stderr; if that is a terminal, in DATA_DIR/coordinator.log, and
                                              only warnings are shown`;

/** Output goes to the given streams, and errors come back as exceptions instead of ending the process. */
function confine(command: Command, edges: Edges): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void edges.stdout.write(text),
    writeErr: (text) => void edges.stderr.write(text),
  });
  for (const child of command.commands) confine(child, edges);
}

const migrateCommand = (edges: Edges): Command =>
  new Command('migrate').description('Brings the database to the schema of this version').action(async () => {
    // Opening a database migrates it.
    const opened = await openPlatform(edges, { applicationName: 'gpumark migrate', max: 1 });
    await opened.close();
    edges.stdout.write('the database has the schema of this version\n');
  });
