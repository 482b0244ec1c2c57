/**
 * At most `most` characters of a text, for places that hold no more: it ends after a whole word with a sign that there was more,
 * since half a number reads as another one.
 */
export function cutWords(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const room = text.slice(0, Math.max(0, most - 1));
  const end = /\s/.test(text.charAt(room.length)) ? room.length : room.search(/\s\S*$/);
  return `${room.slice(0, end < 0 ? 0 : end).trimEnd()}…`.toWellFormed();
}
