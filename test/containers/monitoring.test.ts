import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { createApp } from '../../coordinator/app.ts';
import { testApp } from '../support/app.ts';
import { root } from '../support/source-files.ts';
import { whyWithout } from '../support/debian-packages.ts';
import { run } from './image-tools.ts';

const folder = join(root, 'containers/monitoring');
const app = await testApp({ after });

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; remedy: string };
}
const rules = (
  parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

/** Names that Prometheus itself makes. */
const OF_PROMETHEUS = new Set(['up']);
const WORDS = /\b[a-z][a-z0-9_]*_(?:seconds|bytes|total|count|bucket|sum|items|aside|fds)\b|\bup\b/g;

/** Metric names of an expression: words in strings and label lists are left out. */
const namesIn = (expr: string): string[] => expr.replaceAll(/\{[^}]*\}|"[^"]*"/g, ' ').match(WORDS) ?? [];

/** Every series that a coordinator which has answered something shows, with its labels. */
async function shown(): Promise<string> {
  const served = createApp(app.platform, { processMetrics: true, isDraining: () => false });
  await served.request('/healthz');
  const answer = await served.request('/metrics');
  return answer.text();
}

test('dashboard and alerts ask for metrics and labels that /metrics has', async () => {
  const text = await shown();
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const names = [...new Set(expressions.flatMap(namesIn))];
  assert.ok(names.length >= 8, names.join(' '));
  const missing = names.filter((name) => !OF_PROMETHEUS.has(name) && !new RegExp(`^${name}[ {]`, 'm').test(text));
  assert.deepEqual(missing, []);
  for (const expr of expressions) assert.ok(namesIn(expr).length > 0, `no metric in ${expr}`);
  assert.match(text, /http_request_duration_seconds_bucket\{le="[^"]+",method="GET",route="[^"]+",status="200"/);
  // A name that nobody has is found.
  assert.equal(/^http_requests_total[ {]/m.test(text), false);
});

test('every alert says what is the matter and what to do', () => {
  assert.ok(rules.length >= 6);
  for (const { alert, annotations } of rules) {
    assert.ok(annotations.summary.length > 10, alert);
    assert.ok(annotations.remedy.length > 10, alert);
  }
});

test('promtool takes the rules', { skip: await whyWithout(['promtool'], 'prometheus') }, async () => {
  const { stdout } = await run('promtool', ['check', 'rules', join(folder, 'alerts.yaml')]);
  assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules found`));
});
