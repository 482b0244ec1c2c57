import { startInnocent } from './innocent.ts';
import { listAttacks } from './list-attacks.ts';
import { runAttack, type AttackReport } from './run-attack.ts';
import { openSite } from './site.ts';

/**
 * `make attack [ONLY=name]`: every attack against a coordinator of its own, with an innocent tenant beside it. Prints what
 * was tried and what came of it, and last one JSON line; exit code 8 if one succeeded or the tenant was disturbed.
 */
const chosen = await listAttacks(process.argv.slice(2));
const reports: AttackReport[] = [];
for (const { name, attack } of chosen) {
  const site = await openSite({ short: false, ...(attack.environment && { environment: attack.environment }) });
  try {
    const innocent = await startInnocent(site);
    const report = await runAttack(name, attack, site, innocent);
    await innocent.stop();
    reports.push(report);
    show(report);
  } finally {
    await site.close();
  }
}
const ok = reports.length > 0 && reports.every(holds);
process.stdout.write(`${JSON.stringify({ schema: 'gpumark.attack/1', ok, reports })}\n`);
process.exitCode = ok ? 0 : 8;

function holds({ broken, innocent, mostP99Ms }: AttackReport): boolean {
  return broken.length === 0 && innocent.p99_ms <= mostP99Ms;
}

function show(report: AttackReport): void {
  const { name, title, findings, innocent, seconds } = report;
  const lines = [
    `${holds(report) ? 'held  ' : 'BROKEN'}  ${name} (${seconds.toFixed(1)} s): ${title}`,
    ...findings.map(({ held, tried, answer }) => `  ${held ? '✓' : '✗'} ${tried}\n      -> ${answer}`),
    `  innocent tenant: ${innocent.requests} requests, ${innocent.errors} errors, p50 ${innocent.p50_ms} ms, p99 ${innocent.p99_ms} ms (at most ${report.mostP99Ms}), worst ${innocent.worst_ms} ms`,
    ...innocent.first_errors.map((sentence) => `      ${sentence}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
