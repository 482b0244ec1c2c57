/** Files the service hands out: reports, CSV archives. Objects are immutable and named by their content. */
export interface ArtifactStore {
  /** Stores `content` under its SHA-256 and returns the key; storing the same bytes twice is a no-op. */
  put: (content: Buffer, object: { contentType: string; extension: string }) => Promise<StoredArtifact>;
  /** A URL that opens with a plain GET until `lifetimeSeconds` have passed; downloads under `fileName`. */
  signedUrl: (key: string, options: { fileName: string; lifetimeSeconds: number }) => Promise<string>;
  /** The content of a key, or null. */
  read: (key: string) => Promise<Buffer | null>;
  /** Whether the parts of a signed URL of this store are its own and still good. */
  checkUrl: (key: string, signed: SignedParts) => UrlCheck;
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
