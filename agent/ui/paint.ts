import type { OutputStream } from '../run/host.ts';

const CODES = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  // Backgrounds from dark red to dark green, white on red for a failure; the cells say the same in characters.
  heat0: '97;48;5;88',
  heat1: '97;48;5;130',
  heat2: '97;48;5;58',
  heat3: '97;48;5;22',
  failed: '97;41',
} as const;
export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_style, text) => text;
export const colourPaint: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;

/** NO_COLOR (any value) overrides FORCE_COLOR; otherwise terminals that support colours get them. */
export function choosePaint(env: Readonly<Record<string, string | undefined>>, stream: OutputStream): Paint {
  if (env['NO_COLOR']) return plainPaint;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return colourPaint;
  return stream.isTTY === true && env['TERM'] !== 'dumb' ? colourPaint : plainPaint;
}
