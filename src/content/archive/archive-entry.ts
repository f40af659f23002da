import type { Readable } from 'node:stream';

/** One file of an archive. */
export interface ArchiveEntry {
  /** Segments joined with `/`; safe below any folder. */
  name: string;
  /** Whether it gets smaller when packed. */
  packs: boolean;
  /** Its bytes, read when they are needed. */
  open: () => Promise<Readable>;
}
