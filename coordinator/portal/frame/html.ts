import { html, raw } from 'hono/html';

/** A piece of a page whose text has been escaped. */
export type Html = ReturnType<typeof html>;
/** What stands between the tags of `html`: text is escaped, null and false are nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export { html, raw };

/** Most characters of a name that agents or people chose; longer ones are cut with an ellipsis. */
const MOST_NAME = 120;

/** Characters that turn the direction of text or show nothing: a name with them could read as another. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A name chosen by somebody else: at most 120 characters, every one of them to be seen. */
export function named(text: string): string {
  const characters = Array.from(text);
  const cut = characters.length > MOST_NAME ? `${characters.slice(0, MOST_NAME - 1).join('')}…` : text;
  return cut.replace(
    unseen,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/**
 * A page without the indentation of its templates, which is a third of a table's bytes. Text is escaped, so no name ends a
 * block early; what stands in one line by line is kept.
 */
export const compact = (text: string): string =>
  text.replaceAll(/<(pre|output|textarea)\b[^]*?<\/\1>|\s*\n\s*/g, (found) => (found.startsWith('<') ? found : '\n'));
