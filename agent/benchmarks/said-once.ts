/** `clock: it failed`, `memory: it failed` -> `clock, memory: it failed`. A dead card fails in every benchmark alike. */
export function saidOnce(sentences: readonly string[]): string[] {
  const parts = sentences.map((sentence) => /^([a-z0-9_]+): (.*)$/s.exec(sentence)?.slice(1) ?? ['', sentence]);
  return [...Map.groupBy(parts, ([, cause]) => cause ?? '')].map(([cause, group]) => {
    const names = [...new Set(group.map(([benchmark]) => benchmark ?? ''))].filter((name) => name !== '');
    return names.length === 0 ? cause : `${names.join(', ')}: ${cause}`;
  });
}
