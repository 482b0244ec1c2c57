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

/** The form factor that a single word says, as the catalogue writes it; null where it says none. */
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
