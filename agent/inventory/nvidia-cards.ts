import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { probeNvidiaSmi } from './library-probes.ts';
import { probe } from './probe.ts';

const MIB = 2 ** 20;
const QUERY_MS = 4_000;
const COLUMNS = [
  'uuid',
  'pci.bus_id',
  'name',
  'memory.total',
  'driver_version',
  'pcie.link.gen.max',
  'pcie.link.gen.current',
  'pcie.link.width.max',
  'pcie.link.width.current',
] as const;

export interface NvidiaCard {
  uuid: string;
  pci_id: string;
  name: string | null;
  total_memory: number | null;
  driver_version: string | null;
  cuda_version: string | null;
  pci_info: {
    generation_max: number | null;
    generation_current: number | null;
    link_width_max: number | null;
    link_width_current: number | null;
  };
}

/**
 * The cards as nvidia-smi knows them. node-nvidia-smi gives up when nvidia-smi writes a warning to stderr, although the
 * answer is complete; then the same facts are asked for as CSV (without the CUDA version, which CSV does not have).
 */
export async function nvidiaCards(): Promise<{ cards: NvidiaCard[]; warning: string | null }> {
  const document = await probeNvidiaSmi();
  if (document.value !== null) return { cards: cardsOfLog(document.value), warning: null };
  const table = await probe('nvidia-smi', QUERY_MS, async () => {
    const options = [`--query-gpu=${COLUMNS.join(',')}`, '--format=csv,noheader,nounits'];
    return (await promisify(execFile)('nvidia-smi', options, { timeout: QUERY_MS })).stdout;
  });
  return { cards: table.value === null ? [] : cardsOfTable(table.value), warning: document.reason };
}

/** `gpu` is an object on a machine with one card and an array with more. */
export function cardsOfLog(log: unknown): NvidiaCard[] {
  const root = member(log, 'nvidia_smi_log');
  const gpu = member(root, 'gpu');
  const cards = Array.isArray(gpu) ? gpu : gpu === undefined ? [] : [gpu];
  return cards.map((card: unknown) => {
    const link = member(card, 'pci', 'pci_gpu_link_info');
    return {
      uuid: word(member(card, 'uuid')) ?? '',
      pci_id: word(member(card, '$', 'id')) ?? '',
      name: word(member(card, 'product_name')),
      total_memory: scaled(member(card, 'fb_memory_usage', 'total'), MIB),
      driver_version: word(member(root, 'driver_version')),
      cuda_version: word(member(root, 'cuda_version')),
      pci_info: {
        generation_max: leadingInteger(member(link, 'pcie_gen', 'max_link_gen')),
        generation_current: leadingInteger(member(link, 'pcie_gen', 'current_link_gen')),
        link_width_max: leadingInteger(member(link, 'link_widths', 'max_link_width')),
        link_width_current: leadingInteger(member(link, 'link_widths', 'current_link_width')),
      },
    };
  });
}

export function cardsOfTable(table: string): NvidiaCard[] {
  const rows = table.split('\n').filter((line) => line.trim() !== '');
  return rows.map((row) => {
    const cells = row.split(',').map((cell) => cell.trim());
    return {
      uuid: cells[0] ?? '',
      pci_id: cells[1] ?? '',
      name: word(cells[2]),
      total_memory: scaled(cells[3], MIB),
      driver_version: word(cells[4]),
      cuda_version: null,
      pci_info: {
        generation_max: leadingInteger(cells[5]),
        generation_current: leadingInteger(cells[6]),
        link_width_max: leadingInteger(cells[7]),
        link_width_current: leadingInteger(cells[8]),
      },
    };
  });
}

function member(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !/^\[?(n\/a|not supported|unknown error)\]?$/i.test(value)
    ? value
    : null;

const leadingInteger = (value: unknown): number | null => {
  const digits = /^\d+/.exec(word(value) ?? '');
  return digits === null ? null : Number(digits[0]);
};

const scaled = (value: unknown, unit: number): number | null => {
  const amount = leadingInteger(value);
  return amount === null ? null : amount * unit;
};
