import { Injectable } from '@nestjs/common';

/**
 * Builds the addresses that answers carry (decision 1.25). Absolute, without a trailing slash.
 */
@Injectable()
export class Urls {
  /**
   * @param base `PUBLIC_URL`: where this API is reached.
   * @param appBase `APP_URL`: where the application for authors is reached.
   * @param publishedBase `PUBLISHED_URL`: where sites are served.
   */
  constructor(
    private readonly base: string,
    private readonly appBase: string,
    private readonly publishedBase: string,
  ) {}

  /** The address of an API resource: `api('spaces', id)`. */
  api(...segments: string[]): string {
    return join(`${this.base}/v1`, segments);
  }

  /** The address of the same thing in the application for authors. */
  app(...segments: string[]): string {
    return join(this.appBase, segments);
  }

  /** An address on the published side. */
  published(...segments: string[]): string {
    return join(this.publishedBase, segments);
  }

  /** An address of this service outside `/v1`. */
  service(...segments: string[]): string {
    return join(this.base, segments);
  }
}

const join = (base: string, segments: string[]): string =>
  [base, ...segments.map((segment) => encodeURIComponent(segment))].join('/');
