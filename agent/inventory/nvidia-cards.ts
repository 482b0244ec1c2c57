import type { KnownCard } from './known-card.ts';
import { askProgram, complaintOf, type ProgramAnswer } from './ask-program.ts';
import { NVIDIA_SMI_MS, probeNvidiaSmi } from './library-probes.ts';
import { isAddress, pcieWidth } from './pci-cards.ts';
import { enabledWord, failureWord, leadingInteger, leadingNumber, member, scaled, word } from './read-answer.ts';
import { parseSmiXml } from './smi-xml.ts';

const MIB = 2 ** 20;
const REMARKS_MAX = 800;

/**
 * RETURN VALUE in the manual of nvidia-smi (docs.nvidia.com/deploy/nvidia-smi); 16 to 18, which it leaves out, are those
 * of nvmlReturn_t in NVML's reference, as are all the others.
 */
const EXITS: Readonly<Record<string, string>> = {
  'exit 2': 'a supplied argument or flag is invalid',
  'exit 3': 'not available on this device',
  'exit 4': 'no permission to access a device',
  'exit 6': 'a query found nothing',
  'exit 8': 'a card’s external power cables are not attached',
  'exit 9': 'the NVIDIA driver is not loaded',
  'exit 10': 'the kernel detected an interrupt issue with a GPU',
  'exit 12': 'the NVML library is not found',
  'exit 13': 'this NVML library lacks a function',
  'exit 14': 'an infoROM is corrupted',
  'exit 15': 'a GPU has fallen off the bus or is otherwise inaccessible',
  'exit 16': 'a GPU needs a reset before it can be used again',
  'exit 17': 'the operating system or a cgroup blocks the control device',
  'exit 18': 'the kernel module and the libraries are of different driver versions',
  'exit 255': 'another error, or an internal one of the driver',
};

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

/**
 * The cards reported by nvidia-smi: by node-nvidia-smi where the answer is sound. It drops the answer for a word on stderr or an
 * exit code, so that nvidia-smi is asked again then: from its whole document whatever the exit code and the text around it, else
 * from its table (without the CUDA version and MIG mode). `warning` quotes what it complained of.
 */
export async function nvidiaCards(): Promise<{ cards: KnownCard[]; warning: string | null }> {
  const sound = await probeNvidiaSmi();
  if (cardsOfLog(sound.value).length > 0) return answerOf(sound.value, null);
  const asked = await ask('-q', '-x');
  const { document, beside } = documentOf(asked.stdout);
  const answer = answerOf(document, complaintOf(asked, beside, EXITS));
  if (answer.cards.length > 0) return answer;
  const table = await ask(`--query-gpu=${COLUMNS.join(',')}`, '--format=csv,noheader,nounits');
  return { cards: cardsOfTable(table.stdout), warning: answer.warning ?? 'nvidia-smi: lists no cards' };
}

const ask = (...options: string[]): Promise<ProgramAnswer> => askProgram('nvidia-smi', options, NVIDIA_SMI_MS);

function answerOf(document: unknown, complaint: string | null): { cards: KnownCard[]; warning: string | null } {
  const remarks = [...(complaint === null ? [] : [complaint]), ...failuresOf(document)].join('; ');
  return { cards: cardsOfLog(document), warning: remarks.slice(0, REMARKS_MAX) || null };
}

/** The document in what nvidia-smi printed, undefined if it is cut or missing, and the text before and after it. */
function documentOf(stdout: string): { document: unknown; beside: string } {
  const [all = stdout, log = ''] =
    /(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(<nvidia_smi_log[\s\S]*<\/nvidia_smi_log>)/.exec(stdout) ?? [];
  // Of a cut document only the words before it are of use.
  if (log === '') return { document: undefined, beside: stdout.split('<')[0] ?? '' };
  try {
    return { document: parseSmiXml(log), beside: stdout.replace(all, ' ') };
  } catch (error) {
    return { document: undefined, beside: error instanceof Error ? error.message : String(error) };
  }
}

/** `gpu` is an object on a machine with one card and an array with more. */
function cardsIn(log: unknown): unknown[] {
  const gpu = member(log, 'nvidia_smi_log', 'gpu');
  return Array.isArray(gpu) ? (gpu as unknown[]) : gpu === undefined ? [] : [gpu];
}

/** One sentence per card that has failures instead of values: `00000000:18:00.0: 'GPU is lost' instead of 41 values`. */
function failuresOf(log: unknown): string[] {
  return cardsIn(log).flatMap((card) => {
    const words = textsOf(card).flatMap((text) => failureWord(text) ?? []);
    const address = word(member(card, '$', 'id')) ?? 'a card';
    return [...Map.groupBy(words, (text) => text)].map(
      ([text, all]) => `${address}: '${text}' instead of ${all.length} ${all.length === 1 ? 'value' : 'values'}`,
    );
  });
}

/** Without those of other programs, whose names a container may not see. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => (name.includes('process') ? [] : textsOf(inner)));
}

function cardsOfLog(log: unknown): KnownCard[] {
  const root = member(log, 'nvidia_smi_log');
  return cardsIn(log).flatMap((card: unknown) => {
    const pci_id = word(member(card, '$', 'id')) ?? '';
    const uuid = word(member(card, 'uuid'));
    if (uuid === null && !isAddress(pci_id)) return [];
    const link = member(card, 'pci', 'pci_gpu_link_info');
    const mig = enabledWord(member(card, 'mig_mode', 'current_mig'));
    return [
      {
        uuid,
        pci_id,
        name: word(member(card, 'product_name')),
        total_memory: scaled(member(card, 'fb_memory_usage', 'total'), MIB),
        driver_version: word(member(root, 'driver_version')),
        cuda_version: word(member(root, 'cuda_version')),
        pci_info: {
          generation_max: leadingInteger(member(link, 'pcie_gen', 'max_link_gen')),
          generation_current: leadingInteger(member(link, 'pcie_gen', 'current_link_gen')),
          link_width_max: pcieWidth(leadingInteger(member(link, 'link_widths', 'max_link_width'))),
          link_width_current: pcieWidth(leadingInteger(member(link, 'link_widths', 'current_link_width'))),
        },
        vbios: word(member(card, 'vbios_version')),
        serial: word(member(card, 'serial')),
        ecc_mode: enabledWord(member(card, 'ecc_mode', 'current_ecc')),
        power_cap_watts: powerCap(card),
        mig_enabled: mig === null ? null : mig === 'enabled',
      },
    ];
  });
}

/** Drivers before 530 use other names. Modules that share a limit report one more group, which is not the card's limit. */
function powerCap(card: unknown): number | null {
  const [newer, older] = [member(card, 'gpu_power_readings'), member(card, 'power_readings')];
  return leadingNumber(member(newer, 'current_power_limit')) ?? leadingNumber(member(older, 'power_limit'));
}

/** A line that is not a row of the table is a complaint, such as `Unable to determine the device handle for GPU ...`. */
function cardsOfTable(table: string): KnownCard[] {
  const rows = table.split('\n').map((line) => line.split(',').map((cell) => cell.trim()));
  return rows
    .filter((cells) => cells.length === COLUMNS.length && isAddress(cells[1] ?? ''))
    .map((cells) => ({
      uuid: word(cells[0]),
      pci_id: cells[1] ?? '',
      name: word(cells[2]),
      total_memory: scaled(cells[3], MIB),
      driver_version: word(cells[4]),
      cuda_version: null,
      pci_info: {
        generation_max: leadingInteger(cells[5]),
        generation_current: leadingInteger(cells[6]),
        link_width_max: pcieWidth(leadingInteger(cells[7])),
        link_width_current: pcieWidth(leadingInteger(cells[8])),
      },
      vbios: word(cells[9]),
      serial: word(cells[10]),
      ecc_mode: enabledWord(cells[11]),
      power_cap_watts: leadingNumber(cells[12]),
      mig_enabled: null,
    }));
}
