import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PerftestTools } from '../../../../../agent/links/rdma/probe-rdma.ts';

export interface FakeDevice {
  gbps: number;
  latency_us: number;
  fault?: 'hang' | 'stubborn' | 'exit' | 'garbage' | 'misreport' | 'deaf';
  /** the only program, and the only role, that has the fault; both by default */
  fault_in?: 'ib_write_bw' | 'ib_write_lat';
  fault_role?: 'server' | 'client';
}

export interface FakeConfig {
  version: string;
  help: string;
  no_device: string;
  journal: string;
  json: 'valid' | 'broken';
  sleep_ms: number;
  measure_ms: number;
  ping_ms: number;
  devices: Record<string, FakeDevice>;
}

export interface JournalLine {
  event: string;
  program: string;
  pid: number;
  role: 'server' | 'client';
  device: string;
  at_ms: number;
}

export interface FakeTools {
  tools: PerftestTools;
  journal(): JournalLine[];
}

export const recorded = (name: string): string => join(import.meta.dirname, '..', 'recorded', name);
export const readRecorded = (name: string): string => readFileSync(recorded(name), 'utf8');

/** ib_write_bw and ib_write_lat of one node: real processes, see fake-perftest.ts. The real one sleeps and measures 1 s each. */
export function fakeTools(t: TestContext, wanted: Partial<FakeConfig> & Pick<FakeConfig, 'devices'>): FakeTools {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-perftest-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journal = join(folder, 'journal');
  const config: FakeConfig = {
    version: '6.06',
    help: recorded('ib_write_bw-6.06-help.txt'),
    no_device: recorded('ib_write_bw-6.06-no-device.stderr.txt'),
    journal,
    json: 'broken',
    sleep_ms: 20,
    measure_ms: 20,
    ping_ms: 20,
    ...wanted,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(journal, '');
  const make = (program: string): string => {
    const path = join(folder, program);
    const script = join(import.meta.dirname, 'fake-perftest.ts');
    writeFileSync(
      path,
      `#!/bin/sh\nexec '${process.execPath}' '${script}' '${join(folder, 'config.json')}' ${program} "$@"\n`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  return {
    tools: { write_bw: make('ib_write_bw'), write_lat: make('ib_write_lat') },
    journal: () =>
      readFileSync(journal, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as JournalLine),
  };
}

/** Whether any process of the journal is still there: asked by its number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
