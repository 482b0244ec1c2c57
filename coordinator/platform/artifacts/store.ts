/** Files the service hands out: reports, CSV archives. Objects are immutable and named by their content. */
export interface ArtifactStore {
  /** Stores `content`, in pieces as they come, under its SHA-256 and returns the key; storing the same bytes twice is a no-op. */
  put: (
    content: Buffer | AsyncIterable<Uint8Array>,
    object: { contentType: string; extension: string },
  ) => Promise<StoredArtifact>;
  /** The key that `put` gives these bytes. */
  keyOf: (content: Buffer, object: { extension: string }) => string;
  /** A URL that opens with a plain GET until `lifetimeSeconds` have passed; downloads under `fileName`. */
  signedUrl: (key: string, options: { fileName: string; lifetimeSeconds: number }) => Promise<string>;
  /** The content of a key for one pass, or null. Throws before the last piece if it is damaged. */
  open: (key: string) => Promise<OpenArtifact | null>;
  /** Takes the content of a key away; nothing happens if there is none. Who reads it now reads it to its end. */
  remove: (key: string) => Promise<void>;
  /** Whether the parts of a signed URL of this store are its own and still good. */
  checkUrl: (key: string, signed: SignedParts) => UrlCheck;
}

interface OpenArtifact {
  sizeBytes: number;
  content: AsyncGenerator<Buffer, void>;
}

export interface StoredArtifact {
  key: string;
  sha256: string;
  sizeBytes: number;
}

/** What a signed URL carries beside the key. */
export interface SignedParts {
  fileName: string;
  /** Unix seconds */
  expires: number;
  /** base64url */
  signature: string;
}

export type UrlCheck = 'good' | 'expired' | 'altered';
