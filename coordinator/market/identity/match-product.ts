import { Cache } from '../../platform/cache.ts';
import { createChipFinder, type FindChip, type KnownProduct, type MatchableProduct } from './find-chip.ts';
import { fillerWords } from './label-spellings.ts';
import { fitsFormFactor, formFactorOf, normaliseLabel, readLabel } from './read-label.ts';

export type { MatchableProduct };

interface SaidAccelerator {
  label: string;
  /** GB of one accelerator */
  memoryGb: number | null;
  formFactor: string | null;
}

export type Match = { kind: 'product'; product_id: number } | NoMatch;

interface NoMatch {
  kind: 'none';
  /** words that no product of the chip has; several products left; no product fits everything the label says */
  reason: 'unknown-words' | 'ambiguous' | 'contradiction';
  /** slugs of the products it could mean */
  candidates: string[];
}

/**
 * Products that the trade means by the bare name of the chip, because its other products are always spelled out. `H200`
 * is the SXM board: NVIDIA calls the other one `H200 NVL`, in its driver too. `GH200` is the one with 96 GB: every
 * price list read so far that states a size says 96, and the later one is offered as `144GB`.
 */
const meantByBareName: ReadonlySet<string> = new Set(['nvidia-h200-sxm-141gb', 'nvidia-gh200-96gb']);

/** Up to half full, the cache costs no more than a bare Map. */
const MOST_REMEMBERED = 40_000;

/**
 * Matches a source's words for an accelerator to exactly one product, or to none. The longest run of words that names a
 * chip decides the chip; every other word must be a feature, a filler, or part of the product's own name; memory and
 * form factor, in the label and stated separately, must then leave one product. Results are cached because labels
 * repeat.
 */
export function createProductMatcher(products: readonly MatchableProduct[]): (said: SaidAccelerator) => Match {
  const findChip = createChipFinder(products);
  const byLabel = Map.groupBy(
    products.flatMap((product) => product.labels.map((label) => ({ label: normaliseLabel(label), product }))),
    ({ label }) => label,
  );
  const remembered = new Cache<string, Match>(MOST_REMEMBERED);

  return (said) => {
    const key = `${said.memoryGb} ${said.formFactor} ${said.label}`;
    const known = remembered.get(key);
    if (known) return known;
    const exact = byLabel.get(normaliseLabel(said.label));
    const match = exact ? verdict(exact.map(({ product }) => product)) : matchByRules(said, findChip);
    remembered.set(key, match);
    return match;
  };
}

function matchByRules(said: SaidAccelerator, findChip: FindChip): Match {
  const { words, memories, formFactors } = readLabel(said.label);
  const found = findChip(words);
  if (!found) return none('unknown-words', []);
  const named = found.products.filter((one) => found.others.every((word) => isAccountedFor(word, one)));
  if (named.length === 0) {
    const isKnown = found.others.every((word) => found.products.some((one) => isAccountedFor(word, one)));
    return none(isKnown ? 'contradiction' : 'unknown-words', found.products);
  }
  // sources write 0 if the size is unknown
  const sizes = said.memoryGb !== null && said.memoryGb > 0 ? [...memories, said.memoryGb] : memories;
  const beside = formFactorOf(said.formFactor ?? '');
  const forms = beside === null ? formFactors : [...formFactors, beside];
  const fitting = named.filter(
    ({ product }) => fitsMemory(product, sizes) && fitsFormFactor(product.form_factor, forms),
  );
  if (fitting.length === 0) return none('contradiction', named);
  const saidWords = new Set(words);
  const meant = pickMeant(fitting, saidWords);
  if (meant.some((one) => lacksGeneration(one, saidWords))) return none('ambiguous', named);
  return verdict(meant.map(({ product }) => product));
}

const isAccountedFor = (word: string, { brand, words }: KnownProduct): boolean =>
  fillerWords.has(word) || brand.has(word) || words.has(word);

/**
 * Picks among several: the only one whose full name the label contains (`RTX PRO 6000 Workstation` is not the `Max-Q
 * Workstation`); else the one that the bare name means; else all of them.
 */
function pickMeant(fitting: readonly KnownProduct[], said: ReadonlySet<string>): readonly KnownProduct[] {
  const isShared = (word: string): boolean => fitting.every(({ words }) => words.has(word));
  const inFull = fitting.filter(({ words }) => [...words].every((word) => said.has(word) || isShared(word)));
  if (inFull.length === 1) return inFull;
  const bare = fitting.filter(({ product }) => meantByBareName.has(product.slug));
  return bare.length === 1 ? bare : fitting;
}

/**
 * A label without the word Ada can mean an older card, even if the memory fits: TensorDock sold the Quadro RTX 6000 as
 * a card of 48 GB, and the RTX A6000 has 48 GB too.
 */
const lacksGeneration = ({ words }: KnownProduct, said: ReadonlySet<string>): boolean =>
  words.has('ADA') && !said.has('ADA');

function verdict(products: readonly MatchableProduct[]): Match {
  const [first, ...more] = products;
  if (first && more.length === 0) return { kind: 'product', product_id: first.product_id };
  return { kind: 'none', reason: 'ambiguous', candidates: products.map(({ slug }) => slug) };
}

const none = (reason: NoMatch['reason'], candidates: readonly KnownProduct[]): NoMatch => ({
  kind: 'none',
  reason,
  candidates: candidates.map(({ product }) => product.slug),
});

/**
 * Range of the sizes that sources print for a vendor's GB. Lower bound: error correction in GDDR takes a sixteenth and
 * the driver a little more (an L40S of 48 GB shows 46,068 MiB, a T4 of 16 GB 15,109). Upper bound: MiB divided by 1000.
 * Two memory sizes of one chip differ by more than that.
 */
const LEAST = 0.92;
const MOST = 1.025;

/** Sizes in GB, both ends inclusive, that sources state for the product of this chip whose own size is in `ranges`. */
interface StatedSizes {
  chip: string;
  ranges: readonly (readonly [from: number, to: number])[];
}

/** Chips for which `LEAST` and `MOST` are too narrow or too wide. */
const exceptions: readonly StatedSizes[] = [
  // AWS counts 22,888 MiB on an L4 and an A10G and 45,776 on an L40S, and lists cut that to whole GiB. Not so for all cards:
  // 11 of an RTX 3080 are not 12.
  { chip: 'L4', ranges: [[22, 24.6]] },
  { chip: 'A10G', ranges: [[22, 24.6]] },
  { chip: 'L40S', ranges: [[44, 49.2]] },
  // 94 GB is shown as 95,830 MiB; the few H100 made with 96 GB are a different product
  { chip: 'H100', ranges: [[93, 95.9]] },
  // 192 GB on the chip and 180 usable; 183,359 MiB is read as 179 or as 183 GB; 185 is a GB200
  {
    chip: 'B200',
    ranges: [
      [178, 184],
      [190, 193],
    ],
  },
  // 192 GB on the chip and 186 usable; AWS counts 185
  {
    chip: 'GB200',
    ranges: [
      [184.5, 187],
      [190, 193],
    ],
  },
  // 288 GB on the chip and 268 to 270 usable; Verda says 268,288 MiB, AWS 2,100 GB for eight, the driver 275,040 MiB
  {
    chip: 'B300',
    ranges: [
      [262, 276],
      [286, 289],
    ],
  },
  // 288 GB on the chip and 279 usable
  {
    chip: 'GB300',
    ranges: [
      [277, 280],
      [284, 289],
    ],
  },
];

/** Whether all stated sizes fit a product with this memory in GB; always true if its memory is unknown (null). */
export function fitsMemory({ chip, mem }: { chip: string; mem: number | null }, said: readonly number[]): boolean {
  if (mem === null) return true;
  const own = exceptions.find((one) => one.chip === chip && isAmong(one.ranges, mem));
  const ranges = own?.ranges ?? [[mem * LEAST, mem * MOST] as const];
  return said.every((size) => isAmong(ranges, size));
}

const isAmong = (ranges: StatedSizes['ranges'], size: number): boolean =>
  ranges.some(([from, to]) => size >= from && size <= to);
