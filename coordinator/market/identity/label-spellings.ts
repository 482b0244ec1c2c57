/**
 * What sources write, and how the catalogue spells it. Applied in this order to a label in upper case whose separators
 * are single spaces. Each entry was needed for a public price list or for a driver's name of a card.
 */
export const spellings: readonly (readonly [written: RegExp, meant: string])[] = [
  // "80 GB". The B is required: a lone G can belong to a chip's name
  [/\b(\d+(?:\.\d+)?) (GB|GIB)\b/g, '$1$2'],

  // written without spaces, mostly by gpuhunt: TeslaV100; RTX4090, RTXA6000, Gaudi2; RTXPRO6000; H100NVL;
  // RTX4070TiSUPER, RTX4000AdaSFF; 3080Ti, 4070S, RTXPRO6000MaxQ
  [/\b(NVIDIA|GEFORCE|TESLA|QUADRO)(?=[A-Z0-9])/g, '$1 '],
  [/\b(RTX|GTX|RX|GAUDI|TPU)(?=[A-Z0-9])/g, '$1 '],
  [/\bPRO(?=\d{4})/g, 'PRO '],
  [/(?<=\d)(?=(?:SXM\d?|NVL|PCIE)\b)/g, ' '],
  [/\b(\d{4})(TI|ADA|SFF)(?=(?:SUPER|S|SFF|ADA|LHR)\b)/g, '$1$2 '],
  [/\b(\d{4})(?=(?:TI|SUPER|XTX|XT|GRE|ADA|SFF|MAXQ|WK|WS|SE|S|LHR)\b)/g, '$1 '],
  // machine counts: A6000x8, A100-80Gx2, H100-sxm5x2; 8xH100
  [/(?<=[A-Z0-9]{2})X(\d{1,2})\b/g, ' X$1'],
  [/\b(\d{1,2})X(?=[A-Z])/g, '$1X '],

  // editions of the RTX PRO cards as Runpod, Vast and Hugging Face shorten them
  [/\bPRO (\d{4})( BLACKWELL)? (?:SE|S)\b/g, 'PRO $1$2 SERVER EDITION'],
  [/\bPRO (\d{4})( BLACKWELL)? (?:WS|WK)\b/g, 'PRO $1$2 WORKSTATION EDITION'],
  [/\bMAXQ\b/g, 'MAX Q'],
  // S after any other four digits is SUPER; Vast writes 4070S Ti for the 4070 Ti SUPER
  [/\b(\d{4}) (?:S|SUPER) TI\b/g, '$1 TI SUPER'],
  [/\b(\d{4}(?: TI)?) S\b/g, '$1 SUPER'],
  // Vast shortens Quadro
  [/^Q RTX\b/g, 'QUADRO RTX'],

  // words in another order
  [/\bADA SFF\b/g, 'SFF ADA'],
  [/\bRTX TITAN\b/g, 'TITAN RTX'],
  // a lower-case L instead of the I, in United Compute's tables
  [/\bPCLE\b/g, 'PCIE'],
  [/\bPCI E\b/g, 'PCIE'],
  // Hyperstack's PCIe cards that are joined by NVLink bridges
  [/\bPCIE NVLINK\b/g, 'PCIE'],

  // the driver's name of the SXM board: the PCIe card has HBM2e and says PCIe, the NVL says NVL
  [/\bH100 80GB HBM3\b/g, 'H100 SXM 80GB'],
  // Google's name for the same board in its A3 Mega machines
  [/\bH100 MEGA\b/g, 'H100 SXM'],
  // the driver names this one after the memory of its processor
  [/\bGH200 480GB\b/g, 'GH200 96GB'],
  // AWS leaves a word out; the first Gaudi was sold without a number, and its card is the HL-205
  [/(?<!CLOUD )\bAI 100\b/g, 'CLOUD AI 100'],
  [/\bGAUDI(?: HL 205)?(?! \d\b)/g, 'GAUDI 1'],
  // Google's own name for the seventh generation; gpuhunt's two ways of renting the older ones, priced per chip
  [/\bTPU 7X\b/g, 'TPU V7'],
  [/\b(TPU V\d) (?:POD|DEVICE)\b/g, '$1'],
];

/** Words that do not distinguish products. */
export const fillerWords: ReadonlySet<string> = new Set([
  // generic nouns
  'GPU',
  'GPUS',
  'CARD',
  'ACCELERATOR',
  'ACCELERATORS',
  // "T4 Tensor Core", "Ada Generation"
  'TENSOR',
  'CORE',
  'GENERATION',
  // kinds of memory
  'HBM2',
  'HBM2E',
  'HBM3',
  'HBM3E',
  'GDDR6',
  'GDDR6X',
  'GDDR7',
  // a mining limiter, built in from 2021 on: otherwise the same card
  'LHR',
  // air-cooled, in the driver's name of the B300
  'AC',
  // Spheron's word for how the machine is rented out
  'BAREMETAL',
]);

const brands: ReadonlyMap<string, readonly string[]> = new Map([
  ['NVIDIA', ['GEFORCE', 'TESLA']],
  ['AMD', ['RADEON', 'INSTINCT']],
  ['INTEL', ['HABANA']],
  ['GOOGLE', ['CLOUD']],
  ['AWS', ['AMAZON']],
]);

/**
 * The manufacturer and its brands. A label can omit them but must not contain another manufacturer's: `Arc Pro A40` is
 * not NVIDIA's A40.
 */
export function brandWords(manufacturer: string): string[] {
  const name = manufacturer.toUpperCase();
  return [name, ...(brands.get(name) ?? [])];
}
