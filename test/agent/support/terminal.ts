/** A terminal as far as the agent's output needs one: its screen and what has scrolled out of it. */
export interface Terminal {
  write(text: string): void;
  /** Rows that have left the screen at the top, and those on it, without trailing blanks. */
  history: string[];
  screen(): string[];
}

/**
 * Cursor movements, erasing and automatic wrapping of ECMA-48 and xterm. As tmux does with `scroll-on-clear`, its
 * default, erasing the whole screen from its first place pushes what it shows into the history.
 */
export function terminal(columns: number, rows: number): Terminal {
  const blank = (): string[] => Array.from({ length: columns }, () => ' ');
  const cells = Array.from({ length: rows }, blank);
  const history: string[] = [];
  const textOf = (line: string[] = []): string => line.join('').trimEnd();
  let [x, y] = [0, 0];
  const lineFeed = (): void => {
    if (y < rows - 1) return void (y += 1);
    history.push(textOf(cells.shift()));
    cells.push(blank());
  };
  const put = (character: string): void => {
    if (x === columns) {
      x = 0;
      lineFeed();
    }
    const line = cells[y];
    if (line !== undefined) line[x] = character;
    x += 1;
  };
  const control = (parameters: string, final: string): void => {
    const count = Math.max(1, Number(parameters) || 0);
    if (final === 'A') y = Math.max(0, y - count);
    else if (final === 'B') y = Math.min(rows - 1, y + count);
    else if (final === 'K' && parameters === '2') cells[y] = blank();
    else if (final === 'J' && (parameters === '' || parameters === '0')) {
      if (x === 0 && y === 0) {
        const used = cells.findLastIndex((line) => textOf(line) !== '') + 1;
        history.push(...cells.slice(0, used).map(textOf));
      }
      const from = Math.min(x, columns);
      cells[y]?.splice(from, columns - from, ...blank().slice(from));
      for (let below = y + 1; below < rows; below += 1) cells[below] = blank();
    } else if (!['m', 'h', 'l'].includes(final))
      throw new Error(`this terminal does not know CSI ${parameters}${final}`);
  };
  return {
    history,
    screen: () => cells.map(textOf),
    write(text) {
      // oxlint-disable-next-line no-control-regex -- a terminal is controlled by them
      for (const [whole, parameters, final] of text.matchAll(/\u001b\[([0-9;?]*)([A-Za-z])|[\s\S]/gu)) {
        if (final !== undefined) control(parameters ?? '', final);
        else if (whole === '\r') x = 0;
        // The line discipline makes a carriage return and a line feed of it.
        else if (whole === '\n') {
          x = 0;
          lineFeed();
        } else put(whole);
      }
    },
  };
}
