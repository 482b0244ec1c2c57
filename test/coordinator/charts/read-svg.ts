export const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1] ?? '');

export const count = (svg: string, what: RegExp): number => [...svg.matchAll(what)].length;
