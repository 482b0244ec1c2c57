import type { RunnerScript } from './fake-runner.ts';

/** A GPU of the fake runner. */
export interface FakeGpu {
  id: string;
  backend?: 'cuda' | 'rocm';
  name?: string;
  status?: 'ok' | 'error';
  pci_id?: string;
  attributes?: Record<string, unknown>;
  /** Memory bandwidth alone, GB/s; 48.3 if left out. */
  memory?: number;
  /** Share of the memory bandwidth that is lost when all work. */
  loses?: number;
  /** Its matrix products: metric -> the runner's own form of value, engine and details. */
  gemm?: Record<string, { value: number; engine: 'own' | 'vendor'; details: object; stats?: object }>;
  simulated?: boolean;
  /** What happens when all work, and later in the turns: lost = falls off after the memory figure; crash = the runner dies. */
  together?: 'lost' | 'busy' | 'crash' | 'wrong';
  turns?: 'lost' | 'crash' | 'wrong';
  /** Details of its results: metric -> details. */
  details?: Record<string, Record<string, unknown>>;
}

interface Tools {
  say: (event: string, rest: object) => void;
  result: (metric: string, value: number | null, rest: object) => void;
  phase: (state: string) => void;
  finish: (code: number) => void;
  option: (name: string) => string;
  stats: { median: number };
}

/**
 * What the fake runner does with several GPUs, with one that is lost or taken, and with single benchmarks; runs inside it,
 * hence no reference to anything outside.
 * @returns false if the usual run is meant
 */
export function runGpus(script: RunnerScript, chosen: FakeGpu[], tools: Tools): boolean {
  const { say, result, phase, finish, option, stats } = tools;
  const end = (code: number): true => {
    finish(code);
    return true;
  };
  const failed = (gpu: FakeGpu, code: string, message: string): void =>
    say('error', { device_id: gpu.id, code, message, remedy: 'See the kernel log.' });
  if (process.argv[2] === 'matrix') {
    for (const source of chosen) {
      for (const target of chosen.filter((gpu) => gpu !== source)) {
        const cell = script.cells?.find(({ from, to }) => from === source.id && to === target.id);
        const gbs = cell === undefined ? 400 : cell.gbs;
        say('cell', {
          source_device_id: source.id,
          target_device_id: target.id,
          connection_type: cell?.connection_type ?? 'NVLink x18',
          peer_access: true,
          simplex_gbs: gbs,
          duplex_gbs: gbs === null ? null : gbs * 1.9,
          reason: gbs === null ? 'the copy failed' : null,
          stats: null,
          duplex_stats: null,
          verified: gbs === null ? null : (cell?.verified ?? true),
          details: gbs === null ? { absence: 'failed' } : {},
        });
      }
    }
    return end(0);
  }
  const benchmarks = option('--benchmarks').split(',');
  if (script.waiting !== undefined && benchmarks.includes(script.waiting)) {
    process.on('SIGTERM', () => finish(143));
    const waiting = setInterval(() => undefined, 1000);
    process.on('SIGTERM', () => clearInterval(waiting));
    // Written once it listens for signals: from then on the run may be stopped.
    phase('start');
    return true;
  }
  const own = (gpu: FakeGpu, metric: string, value: number, unit: string): void =>
    result(metric, value, {
      device_id: gpu.id,
      unit,
      stats: { ...stats, median: value },
      details: gpu.details?.[metric] ?? {},
    });
  const lose = (gpu: FakeGpu): void => {
    failed(gpu, 'device_lost', `${gpu.id} fell off the bus`);
    const gone = { device_id: gpu.id, reason: 'the card was lost', verified: null, details: { absence: 'failed' } };
    result('l2_bandwidth_gbs', null, { ...gone, unit: 'GB/s' });
    result('fp32_tflops', null, gone);
  };
  const busy = (gpu: FakeGpu): void =>
    failed(gpu, 'device_busy', `${gpu.id} has 70 of 80 GB in use by 1 other process`);
  const isTurns = process.argv.includes('--turns');
  if (chosen.length > 1 || isTurns) {
    const at_work = isTurns ? 1 : chosen.length;
    for (const gpu of chosen) {
      const fate = isTurns ? gpu.turns : gpu.together;
      const told = { device_id: gpu.id, expected_seconds: 4, index: 0, count: 1, ...(isTurns ? { turn: true } : {}) };
      if (fate === 'busy') {
        busy(gpu);
        continue;
      }
      say('phase', { ...told, benchmark: 'memory', state: 'start' });
      if (fate === 'crash' || chosen.some(({ id }) => id === script.crashing)) process.exit(3);
      // Copies between the card and its host.
      const copy = { device_id: gpu.id, benchmark: 'link', metric: 'host_to_device_bandwidth_gbs', unit: 'GB/s' };
      say('sample', { ...copy, value: 55, index: 0 });
      const gbs = (gpu.memory ?? 48.3) * (isTurns ? 1 : 1 - (gpu.loses ?? 0));
      const memory = { unit: 'GB/s', benchmark: 'memory', device_id: gpu.id };
      const details = { ...gpu.details?.['memory_bandwidth_gbs'], cards_at_work: at_work };
      if (fate === 'wrong') {
        result('memory_bandwidth_gbs', null, { ...memory, reason: 'what was read differs', verified: false });
        failed(gpu, 'verification_failed', `${gpu.id}: what was read differs`);
      } else if (isTurns || benchmarks.includes('memory')) {
        result('memory_bandwidth_gbs', gbs, { ...memory, stats: { ...stats, median: gbs }, details });
      }
      if (fate === 'lost') lose(gpu);
      else if (benchmarks.includes('gemm_fp32')) result('fp32_tflops', 0.466, { device_id: gpu.id, stats });
      for (const [metric, { value, ...rest }] of Object.entries(
        benchmarks.includes('gemm_bf16') ? (gpu.gemm ?? {}) : {},
      ))
        result(metric, value, { device_id: gpu.id, stats: { ...stats, median: value }, ...rest });
      const seen = gpu.details?.['temperature_centigrade'];
      result('temperature_centigrade', isTurns ? 50 : 60, {
        device_id: gpu.id,
        unit: 'C',
        benchmark: 'energy',
        details: isTurns ? {} : (seen ?? {}),
      });
      say('phase', { ...told, benchmark: 'memory', state: 'end' });
    }
    const fates = new Set(chosen.map((gpu) => (isTurns ? gpu.turns : gpu.together)));
    if (fates.has('wrong')) return end(6);
    return end(chosen.every((gpu) => gpu.together === 'busy') ? 5 : fates.has('lost') || fates.has('busy') ? 4 : 0);
  }
  const [gpu] = chosen;
  if (gpu?.together === 'busy') {
    busy(gpu);
    return end(5);
  }
  if (gpu?.together === 'lost') {
    own(gpu, 'memory_bandwidth_gbs', 48.3, 'GB/s');
    lose(gpu);
    return end(4);
  }
  const isPiece = process.argv.includes('--benchmarks');
  if (!isPiece) return false;
  phase('start');
  if (benchmarks.includes('gemm_fp32')) result('fp32_tflops', 0.466, { stats });
  if (benchmarks.includes('memory')) result('memory_bandwidth_gbs', 48.3, { unit: 'GB/s', stats });
  const isHot = benchmarks.includes('memory');
  const measures = isHot || benchmarks.includes('gemm_fp32');
  result('energy_consumption_wh', measures ? 2 : null, { unit: 'Wh', reason: measures ? null : 'took no time' });
  result('power_consumption_watts', measures ? (isHot ? 310 : 300) : null, {
    unit: 'W',
    reason: measures ? null : 'took no time',
  });
  result('temperature_centigrade', isHot ? 71 : 60, {
    unit: 'C',
    details: { throttle: isHot ? ['sw_power_cap'] : [] },
  });
  phase('end');
  return end(0);
}
