/** A reported name as it reads: one form per letter, nothing invisible, single spaces. */
export const plainName = (reported: string): string =>
  reported
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
