import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import * as fontkit from 'fontkit';

/**
 * DejaVu Sans Condensed: free, TTF, digits of equal width, Latin, Greek, Cyrillic, Hebrew, Arabic, arrows and marks.
 * It has no CJK; `printable` replaces missing characters with a visible sign and records their code points.
 */
export const fontFiles = {
  regular: locate('DejaVuSansCondensed.ttf'),
  bold: locate('DejaVuSansCondensed-Bold.ttf'),
} as const;
export type FontName = keyof typeof fontFiles;

/** U+FFFD, a question mark in a diamond; the font has it. */
const REPLACEMENT = '\uFFFD';

export interface Glyphs {
  /** `text` in NFC with every character that cannot be printed replaced; never throws. */
  printable: (text: string) => string;
  /** Original texts that lost characters, with their code points, in order of first use. */
  replaced: () => { shown: string; codePoints: string[] }[];
}

/** Distinct texts remembered for the annex. */
const MAX_REMEMBERED = 200;

export function readGlyphs(): Glyphs {
  const font = fontkit.create(readFileSync(fontFiles.regular));
  if (!('hasGlyphForCodePoint' in font)) throw new Error('the report font is a collection, not a font');
  const replaced = new Map<string, string[]>();
  return {
    printable: (text) => {
      const missing: string[] = [];
      const shown = Array.from(text.toWellFormed().normalize('NFC'), (character) => {
        const codePoint = character.codePointAt(0) ?? 0;
        if (!isUnsafe(character) && font.hasGlyphForCodePoint(codePoint)) return character;
        missing.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
        return REPLACEMENT;
      });
      const result = shown.join('');
      if (missing.length > 0 && replaced.size < MAX_REMEMBERED) replaced.set(result, missing);
      return result;
    },
    replaced: () => [...replaced].map(([shown, codePoints]) => ({ shown, codePoints })),
  };
}

/** Control and invisible format characters: they could reorder or hide what is printed. */
const isUnsafe = (character: string): boolean => /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(character);

function locate(file: string): string {
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${file}`);
}
