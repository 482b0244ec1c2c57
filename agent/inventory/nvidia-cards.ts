import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KnownCard } from './known-card.ts';
import { probeNvidiaSmi } from './library-probes.ts';
import { probe } from './probe.ts';
import { enabledWord, leadingInteger, leadingNumber, member, scaled, word } from './read-answer.ts';
import { parseSmiXml } from './smi-xml.ts';

const MIB = 2 ** 20;
const QUERY_MS = 4_000;
/** The output for 16 cards is half a megabyte. */
const ANSWER_BYTES_MAX = 8 * 2 ** 20;
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
  'vbios_version',
  'serial',
  'ecc.mode.current',
  'power.limit',
] as const;

type NvidiaCard = KnownCard;

/**
 * The cards reported by nvidia-smi. node-nvidia-smi fails if nvidia-smi writes a warning to stderr, although the answer
 * is complete: then nvidia-smi is run again with stderr ignored and, if that output cannot be parsed either, once more
 * for CSV (without the CUDA version and MIG mode). The warning is kept as a note.
 */
export async function nvidiaCards(): Promise<{ cards: NvidiaCard[]; warning: string | null }> {
  const document = await probeNvidiaSmi();
  if (document.value !== null) return { cards: cardsOfLog(document.value), warning: null };
  const warning = document.reason;
  const again = await probe('nvidia-smi', QUERY_MS, async () => cardsOfLog(parseSmiXml(await ask(['-q', '-x']))));
  if (again.value !== null && again.value.length > 0) return { cards: again.value, warning };
  const options = [`--query-gpu=${COLUMNS.join(',')}`, '--format=csv,noheader,nounits'];
  const table = await probe('nvidia-smi', QUERY_MS, async () => cardsOfTable(await ask(options)));
  return { cards: table.value ?? [], warning };
}

async function ask(options: string[]): Promise<string> {
  const limits = { timeout: QUERY_MS, maxBuffer: ANSWER_BYTES_MAX };
  return (await promisify(execFile)('nvidia-smi', options, limits)).stdout;
}

/** `gpu` is an object on a machine with one card and an array with more. */
function cardsOfLog(log: unknown): NvidiaCard[] {
  const root = member(log, 'nvidia_smi_log');
  const gpu = member(root, 'gpu');
  const cards = Array.isArray(gpu) ? gpu : gpu === undefined ? [] : [gpu];
  return cards.map((card: unknown) => {
    const link = member(card, 'pci', 'pci_gpu_link_info');
    const mig = enabledWord(member(card, 'mig_mode', 'current_mig'));
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
      vbios: word(member(card, 'vbios_version')),
      serial: word(member(card, 'serial')),
      ecc_mode: enabledWord(member(card, 'ecc_mode', 'current_ecc')),
      power_cap_watts: powerCap(card),
      mig_enabled: mig === null ? null : mig === 'enabled',
    };
  });
}

/** Drivers before 530 use other names. Modules that share a limit report one more group, which is not the card's limit. */
function powerCap(card: unknown): number | null {
  const [newer, older] = [member(card, 'gpu_power_readings'), member(card, 'power_readings')];
  return leadingNumber(member(newer, 'current_power_limit')) ?? leadingNumber(member(older, 'power_limit'));
}

function cardsOfTable(table: string): NvidiaCard[] {
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
      vbios: word(cells[9]),
      serial: word(cells[10]),
      ecc_mode: enabledWord(cells[11]),
      power_cap_watts: leadingNumber(cells[12]),
      mig_enabled: null,
    };
  });
}
