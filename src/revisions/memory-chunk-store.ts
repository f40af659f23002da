import type { Chunk, WrittenChunk } from './chunk.js';
import { emptyMap } from './chunk-edit.js';
import type { ChunkStore } from './map-draft.js';

/** A chunk store that lives as long as the process and counts its reads: for tests and measurements. */
export class MemoryChunkStore implements ChunkStore {
  readonly chunks = new Map<string, WrittenChunk>();
  reads = 0;

  /** The chunks `ids`, in that order. @throws Error when one is not there. */
  read(ids: readonly string[]): Promise<readonly Chunk[]> {
    this.reads += ids.length;
    return Promise.resolve(
      ids.map((id) => {
        const written = this.chunks.get(id);
        if (written === undefined) throw new Error(`No chunk ${id}`);
        return written.chunk;
      }),
    );
  }

  /** Keeps `chunks`. */
  write(chunks: readonly WrittenChunk[]): Promise<void> {
    for (const written of chunks) this.chunks.set(written.chunk.id, written);
    return Promise.resolve();
  }

  /** Root of the map that holds nothing. */
  empty(scope: string): string {
    const written = emptyMap(scope);
    this.chunks.set(written.chunk.id, written);
    return written.chunk.id;
  }
}
