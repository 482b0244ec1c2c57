import type { ArtifactStore } from './store.ts';
import { checkUrl, signUrl } from './url-signature.ts';
import { checkedKey } from './object-key.ts';

interface Signing {
  secret: Buffer;
  /** base of the URLs, asked for at each signing: the port may be known only once the listener is up */
  publicUrl: () => string | null;
  now: () => Date;
}

/** Links that open at the coordinator, whatever store stands behind it. */
export function signedLinks({ secret, publicUrl, now }: Signing): Pick<ArtifactStore, 'signedUrl' | 'checkUrl'> {
  return {
    signedUrl: async (key, { fileName, lifetimeSeconds }) => {
      const base = publicUrl();
      if (base === null) throw new Error('A URL was asked for before the public address of the service was known.');
      const expires = Math.floor(now().getTime() / 1000) + lifetimeSeconds;
      const signature = signUrl(secret, checkedKey(key), fileName, expires);
      const query = new URLSearchParams({ name: fileName, expires: String(expires), signature });
      return `${base}/artifacts/${key}?${query.toString()}`;
    },
    checkUrl: (key, signed) => checkUrl(secret, key, signed, now()),
  };
}
