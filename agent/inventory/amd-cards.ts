import { askProgram, complaintOf } from './ask-program.ts';
import type { KnownCard } from './known-card.ts';
import { isAddress, pcieGeneration, pcieWidth } from './pci-cards.ts';
import { enabledWord, leadingInteger, leadingNumber, member, scaled, word } from './read-answer.ts';

const MIB = 2 ** 20;
/** Both programs are written in Python, which takes a second to start, and query the cards one by one. */
const ANSWER_MS = 6_000;
const WARNING_MAX = 800;
/** Lines in brackets before the document. */
const CANDIDATES_MAX = 100;

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

/**
 * The cards reported by amd-smi, or else by its predecessor rocm-smi, whatever their exit codes and the text around the
 * document; `warning` quotes what they complained of.
 */
export async function amdCards(): Promise<{ cards: KnownCard[]; source: string; warning: string | null }> {
  const newer = await cardsBy('amd-smi', ['static', '--json'], cardsOfAmdSmi);
  if (newer.cards.length > 0) return { ...newer, source: 'amd-smi' };
  const older = await cardsBy('rocm-smi', ROCM_SMI_OPTIONS, cardsOfRocmSmi);
  const reasons = [newer.warning ?? 'amd-smi: lists no cards', older.warning ?? 'rocm-smi: lists no cards'];
  const warning = older.cards.length > 0 ? older.warning : reasons.join('; ').slice(0, WARNING_MAX);
  return { cards: older.cards, source: 'rocm-smi', warning };
}

async function cardsBy(
  program: string,
  options: string[],
  cardsOf: (document: unknown) => KnownCard[],
): Promise<{ cards: KnownCard[]; warning: string | null }> {
  const answer = await askProgram(program, options, ANSWER_MS);
  const { document, beside } = documentIn(answer.stdout);
  return { cards: cardsOf(document), warning: complaintOf(answer, beside) };
}

/**
 * The longest object or list in a text, and the text around it: some versions print warnings to stdout, before the
 * document (amd-smi of a user without the group render) or after it.
 */
function documentIn(text: string): { document: unknown; beside: string } {
  let best = { document: undefined as unknown, start: 0, end: 0 };
  let passed = 0;
  for (const { 0: indent, index } of [...text.matchAll(/^[ \t]*(?=[[{])/gm)].slice(0, CANDIDATES_MAX)) {
    const start = index + indent.length;
    if (start < passed) continue;
    const end = endOfJson(text, start);
    try {
      const document = JSON.parse(text.slice(start, end)) as unknown;
      if (end - start > best.end - best.start) best = { document, start, end };
      passed = end;
    } catch {
      // A warning in brackets, or a document that is cut.
    }
  }
  return { document: best.document, beside: `${text.slice(0, best.start)} ${text.slice(best.end)}` };
}

/** The place after the bracket that closes the one at `start`. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return text.length;
}

/** `amd-smi static --json`: a list of cards, since ROCm 7 below `gpu_data`; amounts are numbers, `750 W` or {value, unit}. */
export function cardsOfAmdSmi(document: unknown): KnownCard[] {
  const list = member(document, 'gpu_data') ?? document;
  const cards: unknown[] = Array.isArray(list) ? list : [];
  return cards.flatMap((card) => {
    const pci_id = word(member(card, 'bus', 'bdf'));
    if (pci_id === null || !isAddress(pci_id)) return [];
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
          link_width_max: pcieWidth(leadingInteger(member(card, 'bus', 'max_pcie_width'))),
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
    if (!/^card\d+$/.test(name) || pci_id === null || !isAddress(pci_id)) return [];
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
