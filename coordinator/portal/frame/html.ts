import { html, raw } from 'hono/html';

/** A fragment of a page whose text has been escaped. */
export type Html = ReturnType<typeof html>;
/** Values allowed inside `html` templates: text is escaped; null and false render nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export { html, raw };

/** Maximum length of a name that agents or people chose; longer ones are cut with an ellipsis. */
const MOST_NAME = 120;

/** Characters that change the text direction or are invisible: a name with them could look like another. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A name chosen by somebody else: at most 120 characters unless told, all of them visible. */
export function named(text: string, most = MOST_NAME): string {
  const characters = Array.from(text);
  const cut = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
  return cut.replace(
    unseen,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/**
 * Removes the templates' indentation, a third of a table's bytes. Text is escaped, so no name can end a block early;
 * blocks whose line breaks matter are kept.
 */
export const compact = (text: string): string =>
  text.replaceAll(/<(pre|output|textarea)\b[^]*?<\/\1>|\s*\n\s*/g, (found) => (found.startsWith('<') ? found : '\n'));
