import { Server as TlsServer } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { ensureFirstAdmin, oldestAdmin } from '../accounts/ensure-first-admin.ts';
import { GENERATED_PASSWORD_DAYS } from '../accounts/generated-password.ts';
import { createApp } from '../app.ts';
import { startBackground } from '../background.ts';
import { systemContext } from '../platform/context.ts';
import { watchDatabase } from '../platform/db/ping.ts';
import { heedRenewal, readCertificate } from '../platform/http/certificate.ts';
import { limitsOf, listen } from '../platform/http/serve.ts';
import type { Edges } from './edges.ts';
import { openPlatform, type OpenPlatform, fillMarket } from './open-platform.ts';
import { warnOfPlainHttp } from './warn-of-plain-http.ts';
import { ensureCarbon } from '../carbon/store-editions.ts';

export const serveCommand = (edges: Edges): Command =>
  new Command('serve').description('Serves the API until it is told to stop (the default)').action(async () => {
    const stop = stopRequest(edges);
    const opened = await openPlatform(edges, {
      applicationName: 'gpumark coordinator',
      onDatabaseDown: stop.fail,
      logsToFile: edges.stderr.isTTY === true,
    });
    try {
      await serve(edges, opened, stop);
    } finally {
      await opened.close();
    }
  });

/** Starts everything, announces the address, and shuts everything down once asked to. */
async function serve(
  edges: Edges,
  { platform, config, connectDirectly, logFile }: OpenPlatform,
  stop: StopRequest,
): Promise<void> {
  const context = systemContext(platform, 'start');
  await fillMarket(context);
  await ensureCarbon(context);
  let draining = false;
  const app = createApp(platform, { processMetrics: true, isDraining: () => draining });
  if (config.tls === null) await warnOfPlainHttp(config, platform.log);
  const certificate = config.tls && (await readCertificate(config.tls));
  const listening = await listen(app, config, limitsOf(config), certificate);
  // Not before: the one-time password is shown once, and a start that cannot listen is tried again.
  const admin = await firstAdmin({ platform, config }).catch(async (error: unknown) => {
    await listening.stop();
    throw error;
  });
  const renewal =
    config.tls && certificate && listening.server instanceof TlsServer
      ? heedRenewal(listening.server, { files: config.tls, first: certificate }, platform)
      : null;
  config.publicUrl ??= listening.url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost');
  const background = await startBackground(platform, connectDirectly);
  const unwatch = watchDatabase(platform.sql, { onSilent: stop.fail });
  platform.log.info({ url: config.publicUrl, listening: listening.url }, 'ready');
  // Deliberately not logged: the password is shown to a person once, and no log collector should keep it.
  edges.stdout.write(readyBlock({ url: config.publicUrl, listening: listening.url, admin, logFile }));
  const reason = await stop.asked;
  platform.log.info({ reason: reason instanceof Error ? reason.message : reason }, 'stopping');
  draining = true;
  // Load balancers learn a little later than we do that no request should come here. A person at the terminal does not wait.
  if (reason === 'SIGTERM') await wait(config.drainSeconds * 1000);
  unwatch();
  await renewal?.stop();
  await listening.stop();
  await background.stop();
  if (reason instanceof Error) throw reason;
}

/** The admin that this start made, or else the one who has been here longest. */
async function firstAdmin({ platform, config }: Pick<OpenPlatform, 'platform' | 'config'>): Promise<Ready['admin']> {
  const given = { email: config.adminEmail, password: config.adminPassword };
  const context = systemContext(platform, 'first-start');
  const made = await ensureFirstAdmin(context, given);
  if (made === null) return { email: await oldestAdmin(platform), password: 'set before' };
  return { email: made.email, password: made.generatedPassword === null ? 'given' : { once: made.generatedPassword } };
}

interface Ready {
  /** what people and agents are told */
  url: string;
  /** what this process has bound */
  listening: string;
  admin: {
    /** null: nobody administers the service any more */
    email: string | null;
    password: { once: string } | 'given' | 'set before';
  };
  /** null: JSON lines go to stderr */
  logFile: string | null;
}

/** What a start ends with on stdout: where the pages are, how to sign in, what to do next. */
function readyBlock({ url, listening, admin, logFile }: Ready): string {
  const lines: [name: string, words: string][] = [
    ['page', url === listening ? url : `${url}   (listening on ${listening})`],
    ['sign in', signIn(admin)],
    ['next', 'open the page, New job, paste its line on a machine'],
  ];
  if (logFile !== null) lines.push(['log', logFile]);
  return ['gpumark is ready', ...lines.map(([name, words]) => `  ${name.padEnd(9)} ${words}`), ''].join('\n');
}

function signIn({ email, password }: Ready['admin']): string {
  if (email === null) return 'nobody can administer: user create --role root_admin adds somebody';
  if (password === 'set before')
    return `${email}   (password lost: node_modules/.bin/node coordinator/main.ts user password --email ${email})`;
  if (password === 'given') return `${email}   with the password of ADMIN_PASSWORD`;
  return `${email}   one-time password  ${password.once}   (shown once, good for ${GENERATED_PASSWORD_DAYS} days)`;
}

interface StopRequest {
  asked: Promise<'SIGINT' | 'SIGTERM' | Error>;
  fail: (error: Error) => void;
}

/** Resolves on the first signal, or on a failure that serving cannot survive. The second signal ends the process at once. */
function stopRequest(edges: Edges): StopRequest {
  const { promise, resolve } = Promise.withResolvers<'SIGINT' | 'SIGTERM' | Error>();
  let signals = 0;
  edges.onStop((signal) => {
    signals += 1;
    if (signals > 1) edges.exit(signal === 'SIGINT' ? 130 : 143);
    resolve(signal);
  });
  return { asked: promise, fail: resolve };
}
