import { spellings } from './label-spellings.ts';

/** Words for form factors, and what the catalogue calls them. */
const spoken: readonly (readonly [RegExp, string])[] = [
  // HGX and DGX are the boards and machines around SXM modules
  [/^(?:SXM[2-6]?|HGX|DGX)$/, 'SXM'],
  [/^PCIE$/, 'PCIe'],
  [/^NVL$/, 'NVL'],
  [/^OAM$/, 'OAM'],
  // the racks of GB200 and GB300; nothing else is sold under these words
  [/^(?:NVL36|NVL72|SUPERCHIP)$/, 'superchip'],
];

/** The form factor that a single word names, as the catalogue writes it; null if it names none. */
export function formFactorOf(word: string): string | null {
  const upper = word.trim().toUpperCase();
  return spoken.find(([pattern]) => pattern.test(upper))?.[1] ?? null;
}

/**
 * Whether a product of this form factor fits the stated ones. An NVL card is a PCIe card, so both words can occur
 * together; PCIe alone never means NVL, which is always named. Price lists write SXM for a superchip for lack of a
 * better word.
 */
export function fitsFormFactor(formFactor: string | null, said: readonly string[]): boolean {
  if (formFactor === null) return true;
  const telling = said.includes('NVL') ? said.filter((one) => one !== 'PCIe') : said;
  return telling.every((one) => one === formFactor || (formFactor === 'superchip' && one === 'SXM'));
}

/** A parsed label. */
interface ReadLabel {
  /** in the label's order, upper case, without memory sizes, form factors and machine counts */
  words: readonly string[];
  /** GB, every stated size */
  memories: readonly number[];
  formFactors: readonly string[];
}

const MEMORY = /^(\d+(?:\.\d+)?)(?:GB|GIB|G)$/;
/** Number of accelerators in the machine: `x8`, `8x`. */
const COUNT = /^(?:X\d{1,2}|\d{1,2}X)$/;

/** Splits a label into memory sizes, form factors and the remaining words. */
export function readLabel(label: string): ReadLabel {
  const words: string[] = [];
  const memories: number[] = [];
  const formFactors: string[] = [];
  for (const word of normaliseLabel(label).split(' ')) {
    const memory = MEMORY.exec(word)?.[1];
    const formFactor = formFactorOf(word);
    if (memory !== undefined) memories.push(Number(memory));
    else if (formFactor !== null) formFactors.push(formFactor);
    else if (word !== '' && !COUNT.test(word)) words.push(word);
  }
  return { words, memories, formFactors };
}

/**
 * Upper case, single spaces as separators, the catalogue's spelling. A number in brackets is a memory size (`T4 (16)`).
 * A point before a digit does not separate words: `1g.24gb` is a slice of a card and must not be read as 24 GB.
 */
export function normaliseLabel(label: string): string {
  const plain = label
    .replace(/[®™©]/g, ' ')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\((\d{1,3})\)/g, ' $1GB ')
    .replace(/(?:[\s_\-/(),]|\.(?!\d))+/g, ' ')
    .trim();
  return spellings.reduce((text, [written, meant]) => text.replace(written, meant), plain);
}
