/** Files that the service offers for download: reports, CSV archives. Objects are immutable and named by their content. */
export interface ArtifactStore {
  /** Stores `content`, which may be a stream, under its SHA-256 and returns its key; storing the same bytes again is a no-op. */
  put: (
    content: Buffer | AsyncIterable<Uint8Array>,
    object: { contentType: string; extension: string },
  ) => Promise<StoredArtifact>;
  /** The key that `put` gives these bytes. */
  keyOf: (content: Buffer, object: { extension: string }) => string;
  /** A URL that works with a plain GET until `lifetimeSeconds` have passed; the download is named `fileName`. */
  signedUrl: (key: string, options: { fileName: string; lifetimeSeconds: number }) => Promise<string>;
  /** The content of a key for one pass; null if it does not exist. Throws before the last piece if it is damaged. */
  open: (key: string) => Promise<OpenArtifact | null>;
  /** Removes the content of a key, if any. A read in progress continues to its end. */
  remove: (key: string) => Promise<void>;
  /** Whether a URL's signature is from this store and has not expired. */
  checkUrl: (key: string, signed: SignedParts) => UrlCheck;
}

export interface OpenArtifact {
  sizeBytes: number;
  /** Differs once other bytes lie in the object's place. */
  version: string;
  content: AsyncGenerator<Buffer, void>;
  /** Some of the bytes, both ends included, without a check: only the whole has a hash. */
  part: (range: { first: number; last: number }) => AsyncGenerator<Buffer, void>;
}

export interface StoredArtifact {
  key: string;
  sha256: string;
  sizeBytes: number;
}

/** The parts of a signed URL besides the key. */
export interface SignedParts {
  fileName: string;
  /** Unix seconds */
  expires: number;
  /** base64url */
  signature: string;
}

export type UrlCheck = 'good' | 'expired' | 'altered';
