import type { ResultsRequest } from '../contract/agent-protocol.ts';
import type { QuickMarkResults } from '../contract/quick-mark.ts';
import { judgeResults } from '../figures/judge-results.ts';

/** What is kept of an upload's measurements. Of other benchmarks the coordinator makes the results itself. */
export const resultsToStore = ({ benchmark_id, payload }: ResultsRequest): QuickMarkResults | null =>
  benchmark_id === 'quick_mark' && payload !== null ? judgeResults(payload.benchmark_results.quick_mark) : null;
