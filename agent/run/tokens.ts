/** Three base64url parts of which the first is a JSON header: what a job token looks like. */
export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$/.test(text);
}

/** The same text with every token, and every thing that looks like one, replaced. For all that may be printed. */
export function withoutTokens(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret.length >= 8);
  const masked = known.reduce((result, secret) => result.replaceAll(secret, '[token]'), text);
  return masked.replace(/eyJ[\w-]{5,}\.[\w-]{2,}(\.[\w-]*)?/g, '[token]');
}
