const BETWEEN = ': ';

/** A label as the operator sees it among the unmatched ones, with who sells it before it if the source says so. */
export const labelText = ({ label, provider }: { label: string; provider: string | null }): string =>
  provider === null ? label : `${provider}${BETWEEN}${label}`;

/** The same taken apart again. */
export function labelOfText(text: string): { label: string; provider: string | null } {
  const at = text.indexOf(BETWEEN);
  return at < 0
    ? { label: text, provider: null }
    : { provider: text.slice(0, at), label: text.slice(at + BETWEEN.length) };
}
