import type { JobDetail } from '../../coordinator/contract/job.ts';
import { quickMarkResults, type QuickMarkResults } from '../../coordinator/contract/quick-mark.ts';

/** `var/demo/summary.json`. */
export interface DemoSummary {
  base_url: string;
  job_id: string;
  task_id: string | null;
  job_state: string;
  /** cpu, cuda or rocm: the backend that measured */
  device_kind: string | null;
  quick_mark: QuickMarkResults | null;
  report_pdf: string | null;
  seconds: number;
}

const backendOf = { cpu: 'cpu', nvidia: 'cuda', amd: 'rocm' } as const;

export function summarise(
  job: JobDetail,
  run: { baseUrl: string; reportPdf: string | null; seconds: number },
): DemoSummary {
  const task = job.tasks[0];
  const quickMark = quickMarkResults.safeParse(task?.benchmark_results['quick_mark']?.results).data ?? null;
  const vendor = quickMark?.test_results[0]?.vendor;
  return {
    base_url: run.baseUrl,
    job_id: job.id,
    task_id: task?.id ?? null,
    job_state: job.state,
    device_kind: vendor === undefined ? null : backendOf[vendor],
    quick_mark: quickMark,
    report_pdf: run.reportPdf,
    seconds: run.seconds,
  };
}

/** The few lines a person reads last; every figure with its unit. */
export function summaryLines(summary: DemoSummary): string[] {
  const devices = summary.quick_mark?.test_results ?? [];
  const figure = (value: number | null, unit: string): string =>
    value === null ? 'not measured' : `${value.toPrecision(4)} ${unit}`;
  return [
    '',
    `Job ${summary.job_id}: ${summary.job_state}, ${summary.seconds} s, measured on ${summary.device_kind ?? 'nothing'}`,
    ...devices.map(
      (device) =>
        `  ${device.gpu_id} ${device.gpu_model}: fp32 ${figure(device.fp32_tflops, 'TFLOPS')}, ` +
        `memory ${figure(device.memory_bandwidth_gbs, 'GB/s')}`,
    ),
    `Report: ${summary.report_pdf ?? 'not rendered'}`,
    'Details: var/demo/summary.json',
  ];
}
