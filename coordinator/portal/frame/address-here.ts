import type { Visit } from './visit.ts';

/** Where this portal stands: PUBLIC_URL, without one as the browser asked for it. */
export const addressHere = ({ context, header }: Pick<Visit, 'context' | 'header'>): string =>
  context.config.publicUrl ?? `http://${header('host') ?? ''}`;
