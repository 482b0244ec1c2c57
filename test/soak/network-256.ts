import { styleText } from 'node:util';
import { crowdEpochs } from '../coordinator/network/crowd-epochs.ts';
import { crowdFigures } from '../coordinator/network/crowd-figures.ts';
import { runCrowd } from '../coordinator/network/crowd.ts';

/**
 * K_256 planned and reported by 256 simulated agents against one coordinator process, which is killed together with its
 * Postgres and restarted three times during the run. `NODES=64 node test/soak/network-256.ts` is shorter. Exits with 8 if a
 * report is lost, duplicated or altered, or if polls are slower than the limit.
 */
const nodes = Number(process.env['NODES'] ?? 256);
const slotSeconds = 2;
const links = (nodes * (nodes - 1)) / 2;
const roundsMs = (nodes - 1 + (nodes % 2)) * slotSeconds * 1000;
const POLL_P99_MS = 250;
const SLOWEST_SHOWN = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const config = { graph: 'full', slot_seconds: slotSeconds, timeout: roundsMs / 1000 + 240, collective: 'off' };
const killsAfterMs = [0.2, 0.5, 0.8].map((share) => Math.round(share * roundsMs));
const crowd = await runCrowd({ nodes, config, killsAfterMs, say: (line) => say(`  ${line}`) });
for (const epoch of crowdEpochs(crowd)
  .toSorted((a, b) => b.last_ms - a.last_ms)
  .slice(0, SLOWEST_SHOWN)) {
  const since = epoch.since_return_s === null ? '' : `, ${epoch.since_return_s.toFixed(0)} s after a return`;
  const times = [epoch.first_ms, epoch.middle_ms, epoch.last_ms].map((ms) => ms.toFixed(0)).join(' ');
  say(`  plan ${epoch.sequence}: first, middle, last answer of ${epoch.answers} after ${times} ms${since}`);
}
const figures = crowdFigures(crowd, links);
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(24)}${Number(value.toFixed(1))}`);

const failures = [
  figures.missing !== 0 && `${figures.missing} links are missing`,
  figures.doubled !== 0 && `${figures.doubled} links are duplicated`,
  figures.wrong !== 0 && `${figures.wrong} links have figures that differ from the reported ones`,
  figures.ok !== links && `${links - figures.ok} links are not ok`,
  figures.unacknowledged !== 0 && `${figures.unacknowledged} reports were not acknowledged`,
  figures.epoch_p99_ms > POLL_P99_MS && `polls: p99 ${figures.epoch_p99_ms.toFixed(0)} ms of ${POLL_P99_MS} ms`,
  crowd.state !== 'completed' && `the run ended in state ${crowd.state}`,
].filter((failure) => failure !== false);
for (const failure of failures) say(styleText('red', failure));
say(JSON.stringify({ soak: 'network-256', passed: failures.length === 0, failures, ...figures }));
process.exitCode = failures.length === 0 ? 0 : 8;
