const MOST = 600;

/** Words of a file as they may stand in a line for a person: no line ends, no codes that a terminal would obey, not endless. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}
