import type { Chunk, ChunkSource, WrittenChunk } from './chunk.js';
import { editMap, reachable } from './chunk-edit.js';
import { ChunkMap } from './chunk-map.js';
import type { Json } from './json.js';

/** Keeps chunks. Writing one that is there already must do no harm. */
export interface ChunkStore extends ChunkSource {
  write(chunks: readonly WrittenChunk[]): Promise<void>;
}

/** A map and the edits made to it so far, seen as one. Nothing is stored before `save`. */
export class MapDraft implements ChunkSource {
  private readonly pending = new Map<string, Json | undefined>();
  private readonly fresh = new Map<string, WrittenChunk>();
  private map: ChunkMap;

  constructor(
    private readonly store: ChunkStore,
    private readonly scope: string,
    private readonly base: string,
  ) {
    this.map = new ChunkMap(this, base);
  }

  /** The value under `key` as edited. */
  async get(key: string): Promise<Json | undefined> {
    return this.pending.has(key) ? this.pending.get(key) : await this.map.get(key);
  }

  /** The values under `keys` as edited, where there are any; what was not edited is read level by level. */
  async getMany(keys: readonly string[]): Promise<Map<string, Json>> {
    const found = await this.map.getMany(keys.filter((key) => !this.pending.has(key)));
    for (const key of keys) {
      const value = this.pending.get(key);
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  /** Puts `value` under `key`; `undefined` takes the key away. */
  set(key: string, value: Json | undefined): void {
    this.pending.set(key, value);
  }

  /** The map with all edits applied: needed for what depends on order or number, dearer than `get` when there are edits. */
  async applied(): Promise<ChunkMap> {
    if (this.pending.size > 0) {
      const { root, written } = await editMap(this, this.scope, this.map.root, this.pending);
      for (const [id, chunk] of written) this.fresh.set(id, chunk);
      this.map = new ChunkMap(this, root);
      this.pending.clear();
    }
    return this.map;
  }

  /** Stores the chunks of the edited map that the store does not have; answers its root and how many they were. */
  async save(): Promise<{ root: string; chunks: number }> {
    const { root } = await this.applied();
    const written = root === this.base ? [] : [...reachable(root, this.fresh).values()];
    if (written.length > 0) await this.store.write(written);
    return { root, chunks: written.length };
  }

  /** Chunks of this draft or of the store. */
  read(ids: readonly string[]): Promise<readonly Chunk[]> {
    const missing = ids.filter((id) => !this.fresh.has(id));
    return missing.length === ids.length ? this.store.read(ids) : this.readWith(missing, ids);
  }

  private async readWith(missing: readonly string[], ids: readonly string[]): Promise<readonly Chunk[]> {
    const stored = missing.length === 0 ? [] : await this.store.read(missing);
    const byId = new Map(stored.map((chunk) => [chunk.id, chunk]));
    return ids.map((id) => {
      const chunk = this.fresh.get(id)?.chunk ?? byId.get(id);
      if (chunk === undefined) throw new Error(`Chunk ${id} was not answered`);
      return chunk;
    });
  }
}
