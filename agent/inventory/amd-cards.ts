import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KnownCard } from './known-card.ts';
import { pcieGeneration } from './pci-cards.ts';
import { probe } from './probe.ts';
import { enabledWord, leadingInteger, leadingNumber, member, scaled, word } from './read-answer.ts';

const MIB = 2 ** 20;
/** Both programs are written in Python, which takes a second to start, and query the cards one by one. */
const ANSWER_MS = 6_000;
const ANSWER_BYTES_MAX = 8 * 2 ** 20;

/** Individual options: `--showallinfo` also reads sensors and takes several times as long. */
const ROCM_SMI_OPTIONS = [
  '--showproductname',
  '--showbus',
  '--showvbios',
  '--showserial',
  '--showmaxpower',
  '--showdriverversion',
  '--showmeminfo',
  'vram',
  '--json',
];

/** The cards reported by amd-smi, or else by its predecessor rocm-smi; empty, with the reason, if neither answers. */
export async function amdCards(): Promise<{ cards: KnownCard[]; source: string; warning: string | null }> {
  const newer = await probe('amd-smi', ANSWER_MS, async () =>
    cardsOfAmdSmi(await ask('amd-smi', ['static', '--json'])),
  );
  if (newer.value !== null && newer.value.length > 0) return { cards: newer.value, source: 'amd-smi', warning: null };
  const older = await probe('rocm-smi', ANSWER_MS, async () => cardsOfRocmSmi(await ask('rocm-smi', ROCM_SMI_OPTIONS)));
  const cards = older.value ?? [];
  const reasons = [newer.reason ?? 'amd-smi: lists no cards', older.reason ?? 'rocm-smi: lists no cards'];
  return { cards, source: 'rocm-smi', warning: cards.length > 0 ? null : reasons.join('; ').slice(0, 300) };
}

/** Warnings go to stderr, with some versions also to stdout before the document. */
async function ask(program: string, options: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, options, { timeout: ANSWER_MS, maxBuffer: ANSWER_BYTES_MAX });
  return JSON.parse(stdout.slice(Math.max(0, stdout.search(/^\s*[[{]\s*["{\n]/m)))) as unknown;
}

/** `amd-smi static --json`: a list of cards, since ROCm 7 below `gpu_data`; amounts are numbers, `750 W` or {value, unit}. */
export function cardsOfAmdSmi(document: unknown): KnownCard[] {
  const list = member(document, 'gpu_data') ?? document;
  const cards: unknown[] = Array.isArray(list) ? list : [];
  return cards.flatMap((card) => {
    const pci_id = word(member(card, 'bus', 'bdf'));
    if (pci_id === null) return [];
    const limit = member(card, 'limit');
    const [compute, memory] = ['compute_partition', 'memory_partition'].map((name) =>
      word(member(card, 'partition', name)),
    );
    return [
      {
        pci_id,
        name: word(member(card, 'asic', 'market_name')) ?? word(member(card, 'board', 'product_name')),
        total_memory: scaled(member(card, 'vram', 'size'), MIB),
        driver_version: word(member(card, 'driver', 'version')) ?? word(member(card, 'driver', 'driver_version')),
        pci_info: {
          generation_max: pcieGeneration(leadingNumber(member(card, 'bus', 'max_pcie_speed'))),
          generation_current: null,
          link_width_max: leadingInteger(member(card, 'bus', 'max_pcie_width')),
          link_width_current: null,
        },
        vbios: word(member(card, 'vbios', 'part_number')) ?? word(member(card, 'ifwi', 'part_number')),
        serial: word(member(card, 'board', 'product_serial')) ?? word(member(card, 'asic', 'asic_serial')),
        ecc_mode: enabledWord(memoryBlockState(member(card, 'ras', 'ecc_block_state'))),
        // The current limit; `max_power` is its upper bound.
        power_cap_watts:
          leadingNumber(member(limit, 'socket_power')) ?? leadingNumber(member(limit, 'ppt0', 'socket_power_limit')),
        partition: compute == null && memory == null ? null : { compute: compute ?? null, memory: memory ?? null },
      },
    ];
  });
}

/**
 * ECC is reported per block of the chip; UMC is the memory controller. A list of {block, status}, or an object of them.
 */
function memoryBlockState(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return member(blocks, 'UMC');
  const list: unknown[] = blocks;
  return member(
    list.find((block) => member(block, 'block') === 'UMC'),
    'status',
  );
}

/** `rocm-smi ... --json`: one object per `card0`, and `system`. Versions differ in the capitalisation of the names. */
export function cardsOfRocmSmi(document: unknown): KnownCard[] {
  if (document === null || typeof document !== 'object') return [];
  const groups = Object.entries(document).map(([name, group]) => [name, lowered(group)] as const);
  const driver = groups.map(([, group]) => word(group['driver version'])).find((version) => version !== null) ?? null;
  return groups.flatMap(([name, group]) => {
    const pci_id = word(group['pci bus']);
    if (!/^card\d+$/.test(name) || pci_id === null) return [];
    return [
      {
        pci_id,
        name: word(group['card series']),
        total_memory: scaled(group['vram total memory (b)'], 1),
        driver_version: driver,
        pci_info: null,
        vbios: word(group['vbios version']),
        serial: word(group['serial number']),
        ecc_mode: null,
        power_cap_watts: leadingNumber(group['max graphics package power (w)']),
        partition: null,
      },
    ];
  });
}

const lowered = (group: unknown): Record<string, unknown> =>
  group === null || typeof group !== 'object'
    ? {}
    : Object.fromEntries(Object.entries(group).map(([name, value]) => [name.toLowerCase(), value as unknown]));
