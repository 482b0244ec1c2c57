import { deviceNames } from '../../coordinator/figures/device-name.ts';
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

/** Lines that a body needs at least: of the table, headings and a device; of the matrix, headings, a row and the legend. */
const TABLE_LINES_MIN = 3;
const MATRIX_LINES_MIN = 4;

/**
 * The lines of the live table: none wider than `columns`, and always fewer than `rows`, since lines that have scrolled
 * away cannot be redrawn, and the cursor stands on the line below. In a low terminal the machine is left out first, then
 * the blank lines, then the title. Pure: the same view and time give the same lines.
 */
export function liveFrame(view: RunView, elapsedMs: number, { columns, rows }: ScreenSize, paint: Paint): string[] {
  const room = Math.max(1, columns - 1);
  const most = Math.max(1, rows - 1);
  const title = view.run === null ? [] : [paint('bold', fitWidth(titleText(view), room))];
  const machine = machineLines(view).map((line) => paint('dim', fitWidth(line, room)));
  const isMatrix = view.network !== null && view.links !== null;
  const least = isMatrix ? MATRIX_LINES_MIN : view.devices.size > 0 ? TABLE_LINES_MIN : 0;
  const layouts = [
    { head: [...title, ...machine], blank: [''] },
    { head: title, blank: [''] },
    { head: title, blank: [] },
    { head: [], blank: [] },
  ];
  const used = ({ head, blank }: (typeof layouts)[number]): number =>
    head.length + blank.length * (least > 0 ? 2 : 1) + 1;
  const { head, blank } = layouts.find((layout) => used(layout) + least <= most) ?? { head: [], blank: [] };
  const lines = most - used({ head, blank });
  const body = isMatrix ? matrixLines(view, { columns, rows: lines }, paint) : tableLines(view, lines, room, paint);
  return [...head, ...(least > 0 ? blank : []), ...body, ...blank, fitWidth(progressLine(view, elapsedMs), room)];
}

function matrixLines(view: RunView, size: ScreenSize, paint: Paint): string[] {
  return view.links === null || size.rows < MATRIX_LINES_MIN ? [] : linkMatrix(view.links, size, paint);
}

/** Headings, units and devices; with fewer lines first the units are left out, then the headings. */
function tableLines(view: RunView, lines: number, room: number, paint: Paint): string[] {
  if (view.devices.size === 0 || lines < 1) return [];
  const titles = row(
    '',
    LIVE_COLUMNS.map((column) => column.title),
    ['W', '°C'],
  );
  const units = row(
    '',
    LIVE_COLUMNS.map((column) => column.unit),
    ['', ''],
  );
  const headings = [
    ...(lines > 1 ? [fitWidth(titles, room)] : []),
    ...(lines > 2 ? [paint('dim', fitWidth(units, room))] : []),
  ];
  return [...headings, ...deviceRows(view, lines - headings.length).map((line) => fitWidth(line, room))];
}

function titleText(view: RunView): string {
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
 * With their names, since cards of one node are of one model. With more devices than lines, those before the current one are
 * left out first.
 */
function deviceRows(view: RunView, lines: number): string[] {
  const devices = [...view.devices.values()];
  const current = devices.findIndex((device) => device.device_id === view.phase?.device_id);
  const first = Math.max(0, Math.min(current, devices.length - lines));
  const shown = devices.slice(first, first + lines);
  const names = deviceNames(devices);
  return shown.map((device, index) => deviceRow(device, devices.length > 1 ? `${names[first + index]} ` : ''));
}

function deviceRow(device: DeviceView, name: string): string {
  const figures = LIVE_COLUMNS.map(({ metric }) => cell(device.figures.get(metric)));
  return row(name + printable(device.name), figures, [whole(device.watts), whole(device.celsius)]);
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
