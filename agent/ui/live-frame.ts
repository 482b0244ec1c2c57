import { figureText } from './figure-text.ts';
import { modeText } from './event-text.ts';
import { linkMatrix } from './link-matrix.ts';
import { metrics } from '../kernels/registry.ts';
import type { Paint } from './paint.ts';
import { progressLine } from './progress-line.ts';
import type { DeviceView, RunView } from './run-view.ts';
import { fitWidth, padEnd, padStart, printable } from './text-width.ts';

interface ScreenSize {
  columns: number;
  rows: number;
}

/** The columns that fit beside a device name in 80 characters. */
const LIVE_COLUMNS = Object.entries(metrics).flatMap(([metric, { column, unit }]) =>
  column === null ? [] : [{ metric, title: column, unit }],
);

const NAME_WIDTH = 20;
const CELL_WIDTH = 9;

/** Lines around the device rows, and one below that the terminal needs. */
const OTHER_LINES = 9;

/**
 * The lines of the live table: none wider than `columns`, and never more than `rows`, since lines that have scrolled
 * away cannot be redrawn. Pure: the same view and time give the same lines.
 */
export function liveFrame(view: RunView, elapsedMs: number, { columns, rows }: ScreenSize, paint: Paint): string[] {
  const room = Math.max(20, columns - 1);
  const lines: string[] = view.run === null ? [] : [paint('bold', fitWidth(title(view), room))];
  if (view.inventory !== null) lines.push(...machineLines(view).map((line) => paint('dim', fitWidth(line, room))));
  if (view.network !== null && view.links !== null) {
    // Room for title, machine, two blank lines, progress and the line below.
    const size = { columns, rows: Math.max(6, rows - lines.length - 4) };
    lines.push('', ...linkMatrix(view.links, size, paint));
  } else if (view.devices.size > 0) {
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
    lines.push(...deviceRows(view, Math.max(1, rows - OTHER_LINES)).map((line) => fitWidth(line, room)));
  }
  lines.push('', fitWidth(progressLine(view, elapsedMs), room));
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

/**
 * Numbered, since cards of one node have the same name. With more devices than lines, those before the current one are
 * left out first.
 */
function deviceRows(view: RunView, lines: number): string[] {
  const devices = [...view.devices.values()];
  const current = devices.findIndex((device) => device.device_id === view.phase?.device_id);
  const first = Math.max(0, Math.min(current, devices.length - lines));
  const shown = devices.slice(first, first + lines);
  return shown.map((device, index) => deviceRow(device, devices.length > 1 ? `${first + index + 1} ` : ''));
}

function deviceRow(device: DeviceView, number: string): string {
  const figures = LIVE_COLUMNS.map(({ metric }) => cell(device.figures.get(metric)));
  return row(number + printable(device.name), figures, [whole(device.watts), whole(device.celsius)]);
}

/** Blank: not yet; a dash: cannot be measured here; a cross: failed its check. */
function cell(value: number | null | 'wrong' | undefined): string {
  if (value === undefined) return '';
  if (value === 'wrong') return '✗';
  return value === null ? '-' : figureText(value);
}

const whole = (value: number | null): string => (value === null ? '' : String(Math.round(value)));

function row(name: string, cells: readonly string[], narrow: readonly string[]): string {
  const wide = cells.map((text) => padStart(text, CELL_WIDTH)).join('');
  return padEnd(fitWidth(name, NAME_WIDTH), NAME_WIDTH) + wide + narrow.map((text) => padStart(text, 7)).join('');
}
