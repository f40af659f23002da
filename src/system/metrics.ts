import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { lazy } from '../common/lazy.js';

/** What counts. */
export type Library = typeof import('prom-client');

/**
 * What `/metrics` tells: the process's own figures, and what others add. What counts is read when there is first something to
 * count, or somebody asks: a start has no use for it. Until it was read, what is to be counted waits, and nothing is lost.
 */
@Injectable()
export class Metrics {
  private readonly parts: (() => Promise<unknown>)[] = [];
  private readonly loaded = lazy(async () => {
    const library = await import('prom-client');
    const registry = new library.Registry();
    library.collectDefaultMetrics({ register: registry });
    return { library, registry };
  });

  /** Adds what `make` makes and registers; the answer gives it to whoever counts. */
  add<T>(make: (library: Library, registry: Registry) => T): () => Promise<T> {
    const part = lazy(async () => {
      const { library, registry } = await this.loaded();
      return make(library, registry);
    });
    this.parts.push(part);
    return part;
  }

  /** All of it in the form of Prometheus, and the media type of that. */
  async read(): Promise<{ text: string; contentType: string }> {
    const { registry } = await this.loaded();
    await Promise.all(this.parts.map((part) => part()));
    return { text: await registry.metrics(), contentType: registry.contentType };
  }
}
