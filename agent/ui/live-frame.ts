import { durationText, figureText } from './figure-text.ts';
import { modeText } from './event-text.ts';
import { LIVE_COLUMNS } from './metric-labels.ts';
import type { Paint } from './paint.ts';
import type { DeviceView, RunView } from './run-view.ts';
import { fitWidth, padEnd, padStart, printable } from './text-width.ts';

const NAME_WIDTH = 20;
const CELL_WIDTH = 9;
const BAR_WIDTH = 24;

/** The lines of the live table, each at most `width` characters. Pure: the same view and time give the same lines. */
export function liveFrame(view: RunView, elapsedMs: number, width: number, paint: Paint): string[] {
  const room = Math.max(20, width - 1);
  const lines: string[] = view.run === null ? [] : [paint('bold', fitWidth(title(view), room))];
  if (view.inventory !== null) lines.push(...machineLines(view).map((line) => paint('dim', fitWidth(line, room))));
  if (view.devices.size > 0) {
    lines.push(
      '',
      fitWidth(
        row(
          '',
          LIVE_COLUMNS.map((column) => column.title),
          ['W', '°C'],
        ),
        room,
      ),
    );
    lines.push(
      paint(
        'dim',
        fitWidth(
          row(
            '',
            LIVE_COLUMNS.map((column) => column.unit),
            ['', ''],
          ),
          room,
        ),
      ),
    );
    for (const device of view.devices.values()) lines.push(fitWidth(deviceRow(device), room));
  }
  lines.push('', fitWidth(view.phase === null ? view.step : progress(view.phase, elapsedMs), room));
  return lines;
}

function title(view: RunView): string {
  const run = view.run;
  if (run === null) return '';
  const at = run.coordinator === null ? '' : ` at ${run.coordinator}`;
  return printable(`gpumark-agent ${run.agent_version}: ${modeText(run.mode)}${at}`);
}

function machineLines(view: RunView): string[] {
  const inventory = view.inventory;
  if (inventory === null) return [];
  const { cpu_info: cpu, ram_info: ram } = inventory;
  const memory = ram.total_memory === null ? null : `${(ram.total_memory / 1e9).toFixed(1)} GB memory`;
  const board = [cpu.hardware_vendor, cpu.hardware_model].filter((part) => part !== null).join(' ') || null;
  const processors = cpu.cpu_count === null ? null : `${cpu.cpu_count} processors`;
  const first = [cpu.processor_brand, processors, memory].filter((part) => part !== null);
  const second = [board, cpu.os, cpu.arch, cpu.virtualization].filter((part) => part !== null);
  return [first.join(', '), second.join(', ')].filter((line) => line !== '').map(printable);
}

function deviceRow(device: DeviceView): string {
  const figures = LIVE_COLUMNS.map(({ metric }) => cell(device.figures.get(metric)));
  return row(printable(device.name), figures, [cell(device.watts ?? undefined), cell(device.celsius ?? undefined)]);
}

/** Blank: not yet; a dash: cannot be measured here. */
const cell = (value: number | null | undefined): string =>
  value === undefined ? '' : value === null ? '-' : figureText(value);

function row(name: string, cells: readonly string[], narrow: readonly string[]): string {
  const wide = cells.map((text) => padStart(text, CELL_WIDTH)).join('');
  return padEnd(fitWidth(name, NAME_WIDTH), NAME_WIDTH) + wide + narrow.map((text) => padStart(text, 7)).join('');
}

/** Phases before this one count in full, this one by time; never full before it has ended. */
function progress(phase: NonNullable<RunView['phase']>, elapsedMs: number): string {
  const spent = (elapsedMs - phase.since_ms) / 1000;
  const inside = phase.expected_seconds > 0 ? Math.min(0.99, spent / phase.expected_seconds) : 0;
  const share = Math.min(1, (phase.index + inside) / Math.max(1, phase.count));
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const left = durationText(Math.max(0, phase.expected_seconds - spent));
  return `${bar} ${padStart(String(Math.floor(share * 100)), 3)} %  ${phase.benchmark}, ${left} left in this phase`;
}
