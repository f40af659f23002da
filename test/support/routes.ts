/** Paths of operations, found by the addresses that lead to them. */
export class Routes {
  private readonly routes: readonly { pattern: RegExp; path: string }[];

  /** @param paths As `/v1/spaces/{spaceId}`. */
  constructor(paths: readonly string[]) {
    // fixed segments go before parameters
    const sorted = paths.toSorted((a, b) => (b.replace(/\{/g, '~') < a.replace(/\{/g, '~') ? 1 : -1));
    this.routes = sorted.map((path) => ({ path, pattern: patternOf(path) }));
  }

  /** The path that `address`, a URL or its path with its query, leads to. */
  find(address: string): string | undefined {
    const [, path = ''] = /^(?:https?:\/\/[^/]+)?([^?]*)/.exec(address) ?? [];
    return this.routes.find(({ pattern }) => pattern.test(path.replace(/\/$/, '')))?.path;
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);
