import type { DeviceSummary } from '../../../agent/run/run-summary.ts';
import type { QuickMarkTestResult } from '../../../coordinator/contract/quick-mark.ts';
import { emptyDevices, figureFindings, gradedFigures } from '../../../coordinator/figures/findings/device-findings.ts';
import { findingSentence, ofOneNode } from '../../../coordinator/figures/findings/finding-words.ts';

/** The problems that the judgement finds in the figures of these devices, as sentences. */
export function problemsOf(devices: readonly DeviceSummary[]): string[] {
  const graded = gradedFigures(devices.map(entryOf));
  const found = figureFindings(graded);
  const told = new Set(found.flatMap((finding) => finding.devices));
  const names = ofOneNode(devices.length, devices[0]?.vendor === 'cpu');
  return [...found, ...emptyDevices(graded, told)].map((finding) => findingSentence(finding, names));
}

/** The verdicts as an upload has them. */
function entryOf({ vendor, metrics }: DeviceSummary): Parameters<typeof gradedFigures>[0][number] {
  const known = (['nvidia', 'amd', 'cpu'] as const).find((one) => one === vendor) ?? 'nvidia';
  const verdicts: QuickMarkTestResult['verdicts'] = {};
  const details: QuickMarkTestResult['details'] = {};
  for (const { metric, verdict, rule, reason, absence } of metrics) {
    verdicts[metric] = {
      verdict,
      rule: rule === null || reason?.startsWith(rule) ? (reason ?? 'passed') : `${rule}: ${reason}`,
    };
    details[metric] = { absence };
  }
  return { vendor: known, verdicts, unavailable: {}, details };
}
