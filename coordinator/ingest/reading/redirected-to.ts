import { SourceError } from './source-error.ts';

/** Where an answer of `place` leads to. @throws SourceError, which quotes nothing of the answer, where it is not gone to */
export function redirectedTo(url: string, place: URL, location: string): URL {
  const next = URL.canParse(location, place.href) ? new URL(location, place) : null;
  if (next === null || !/^https?:$/.test(next.protocol))
    throw new SourceError(url, 'is redirected to what is no http(s) address');
  if (place.protocol === 'https:' && next.protocol === 'http:')
    throw new SourceError(url, 'is redirected from https to http, where anybody on the way could change it');
  return next;
}
