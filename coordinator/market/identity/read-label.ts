import { formFactorOf } from './form-factor.ts';
import { spellings } from './label-spellings.ts';

/** A label taken apart. */
export interface ReadLabel {
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
