import { join } from 'node:path';
import { benchAgentStartUp } from './agent-start-up.ts';
import { benchTable, meets } from './bench-row.ts';
import { benchCarbon } from './coordinator/carbon.ts';
import { benchCsv } from './csv.ts';
import { benchDriver } from './coordinator/driver.ts';
import { benchHeartbeats } from './coordinator/heartbeats.ts';
import { benchLimits } from './coordinator/limits.ts';
import { benchParseJson } from './coordinator/parse-json.ts';
import { benchListJobs } from './coordinator/list-jobs.ts';
import { benchSignIn } from './coordinator/sign-in.ts';
import { benchMarket } from './market/market.ts';
import { benchNative } from './native.ts';
import { benchNetwork } from './network/network.ts';
import { benchPrediction } from './prediction/prediction.ts';
import { benchTokenAnswers } from './tokens/answers.ts';
import { benchTokenArchives } from './tokens/archives.ts';

/** Ratios to peers and floors measured in this run. A missed target is printed and exits 8; this is not a test. */
const root = join(import.meta.dirname, '..', '..');
const only = new Set(process.argv.slice(2));
const groups = {
  agent: async () => benchAgentStartUp(root),
  native: () => benchNative(),
  network: () => benchNetwork(root),
  list: () => benchListJobs(),
  heartbeats: () => benchHeartbeats(),
  limits: () => benchLimits(),
  carbon: () => benchCarbon(),
  csv: () => benchCsv(),
  driver: () => benchDriver(),
  'sign-in': () => benchSignIn(),
  parse: async () => benchParseJson(),
  'token-answers': () => benchTokenAnswers(),
  'token-archives': () => benchTokenArchives(),
  prediction: () => benchPrediction(),
  // Loaded only when chosen: its seeds come from the tests, and loading those makes node's runner print counts of its
  // own.
  portal: async () => (await import('./portal/portal.ts')).benchPortal(),
  market: () => benchMarket(process.env['ROWS'] === undefined ? undefined : Number(process.env['ROWS'])),
};

const rows = [];
for (const [name, bench] of Object.entries(groups)) {
  if (only.size > 0 && !only.has(name)) continue;
  process.stderr.write(`bench: ${name}\n`);
  rows.push(...(await bench()));
}
process.stdout.write(`${benchTable(rows)}\n${JSON.stringify({ schema: 'gpumark.bench/1', rows })}\n`);
process.exitCode = rows.every((row) => row.skipped === true || meets(row)) ? 0 : 8;
