import { spellings } from './label-spellings.ts';

/** Words for form factors, and what the catalogue calls them. */
const spoken: readonly (readonly [RegExp, string])[] = [
  // HGX and DGX are the boards and machines around SXM modules
  [/^(?:SXM[2-6]?|HGX|DGX)$/, 'SXM'],
  [/^PCIE$/, 'PCIe'],
  [/^NVL$/, 'NVL'],
  [/^OAM$/, 'OAM'],
  // the racks of GB200 and GB300; nothing else is sold by them
  [/^(?:NVL36|NVL72|SUPERCHIP)$/, 'superchip'],
];

/** The form factor that a single word says, as the catalogue writes it; null if it says none. */
export function formFactorOf(word: string): string | null {
  const upper = word.trim().toUpperCase();
  return spoken.find(([pattern]) => pattern.test(upper))?.[1] ?? null;
}

/**
 * Whether a product of this form factor is what was said. An NVL card is a PCIe card, so that both words go together; PCIe
 * alone never means NVL, whose name is always said. For a superchip lists write SXM in want of another word.
 */
export function fitsFormFactor(formFactor: string | null, said: readonly string[]): boolean {
  if (formFactor === null) return true;
  const telling = said.includes('NVL') ? said.filter((one) => one !== 'PCIe') : said;
  return telling.every((one) => one === formFactor || (formFactor === 'superchip' && one === 'SXM'));
}

/** A label taken apart. */
interface ReadLabel {
  /** in their order, upper case, without features and machine counts */
  words: readonly string[];
  /** GB, each that is stated */
  memories: readonly number[];
  formFactors: readonly string[];
}

const MEMORY = /^(\d+(?:\.\d+)?)(?:GB|GIB|G)$/;
/** How many are in the machine: `x8`, `8x`. */
const COUNT = /^(?:X\d{1,2}|\d{1,2}X)$/;

/** Reads memory and form factor out of a label; what is left are its words. */
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
 * Upper case, single spaces for separators, the catalogue's spelling. A number in brackets is a memory size (`T4 (16)`).
 * A point before a digit separates nothing: `1g.24gb` is the slice of a card and must not read as 24 GB.
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
