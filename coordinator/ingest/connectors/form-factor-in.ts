const words: [pattern: RegExp, formFactor: string][] = [
  [/\bSXM\d?\b/i, 'SXM'],
  [/\bNVL\b/i, 'NVL'],
  // One table writes PCle, with an l.
  [/\bPC[IL]-?e\b/i, 'PCIe'],
  [/\bOAM\b/i, 'OAM'],
];

/** `A100 SXM 40GB`, `SXM5`, `MI300X OAM` -> SXM, SXM, OAM; null if not stated. `_` separates words as a space does. */
export function formFactorIn(text: string): string | null {
  const plain = text.replaceAll('_', ' ');
  return words.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
