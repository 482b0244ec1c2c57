/**
 * Whose prices a path or URL says they are, of the names that the format knows: the first word of the file's own name
 * (`aws.vms.csv`), else of the folders it lies in, innermost first and `folders` of them (`v8/aws/vms.csv`). Null: none.
 */
export function providerInName(name: string, known: ReadonlySet<string>, folders: number): string | null {
  const parts = name
    .replace(/[?#].*$/, '')
    .split(/[/\\]/)
    .toReversed();
  for (const part of parts.slice(0, folders + 1)) {
    const word = (part.split('.')[0] ?? '').toLowerCase();
    if (known.has(word)) return word;
  }
  return null;
}
