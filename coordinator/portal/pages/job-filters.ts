import { jobState } from '../../contract/agent-protocol.ts';
import { performanceStatus, type PerformanceStatus } from '../../contract/performance.ts';
import { benchmarkNames } from '../../lifecycle/benchmarks.ts';
import { field, select } from '../components/field.ts';
import { html, raw, type Content } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';

const standings: Record<PerformanceStatus, string> = {
  underperforming: 'low',
  nominal: 'not low',
  outperforming: 'above all of it',
  unknown: 'not known',
};

const usual = ['name', 'state', 'benchmark_id', 'tags'];
const more = [
  'created_after',
  'created_before',
  'node_count_min',
  'node_count_max',
  'has_performance_data',
  'performance_status',
  'per_page',
  'include_results',
];

/** The form above the list of jobs, folded until it is used. */
export function jobFilters({ query }: Pick<Visit, 'query'>, mostOnPage: number): Content {
  const value = (name: string) => ({ name, value: query.get(name) });
  const used = (names: readonly string[]): number => names.filter((name) => (query.get(name) ?? '') !== '').length;
  const inUse = used(more);
  const isUsed = inUse + used(usual) > 0;
  const any = { value: '', label: 'any' };
  return html`<details class="fold"${isUsed ? raw(' open') : null}><summary>Filters</summary><form class="filters" method="get" action="/jobs" role="search" aria-label="Filter jobs">
${field({ ...value('name'), label: 'Name contains', maxlength: 60 })}
${select({ ...value('state'), label: 'State', options: [any, ...jobState.options.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }))] })}
${select({ ...value('benchmark_id'), label: 'Benchmark', options: [any, ...Object.entries(benchmarkNames).map(([id, label]) => ({ value: id, label }))] })}
${field({ name: 'tags', label: 'Tags, all of', value: query.getAll('tags').join(', '), hint: 'with commas between them' })}
<div class="acts"><button class="main">Search</button> <a href="/jobs">Clear</a></div>
<details${inUse > 0 ? raw(' open') : null}><summary>More filters${inUse > 0 ? `, ${inUse} in use` : ''}</summary><div class="more">
${field({ ...value('created_after'), label: 'Created after, UTC', hint: 'as 2026-11-01T00:00:00Z' })}
${field({ ...value('created_before'), label: 'Created before, UTC', hint: 'as 2026-11-30T00:00:00Z' })}
${field({ ...value('node_count_min'), label: 'Nodes, at least', type: 'number', min: 1, max: 256 })}
${field({ ...value('node_count_max'), label: 'Nodes, at most', type: 'number', min: 1, max: 256 })}
${select({ ...value('has_performance_data'), label: 'Compared with others', options: [any, { value: 'true', label: 'yes' }, { value: 'false', label: 'no' }] })}
${select({ ...value('performance_status'), label: 'Compared with peers or the data sheet', options: [any, ...performanceStatus.options.map((one) => ({ value: one, label: standings[one] }))] })}
${field({ ...value('per_page'), label: 'Rows on a page', type: 'number', min: 1, max: mostOnPage })}
</div></details></form></details>`;
}
