import { cannotImport, type ImportRun } from './import-run.js';

/** Largest part of a robots.txt that counts, in characters (RFC 9309 asks for at least 500 KiB). */
const MAX_TEXT = 512 * 1024;
/** Longest pause between requests that is kept, ms. */
const MAX_DELAY = 10_000;

/** What the robots.txt of a site allows. */
export class RobotsRules {
  private constructor(
    private readonly run: ImportRun,
    private readonly address: string,
    private readonly text: string,
    /** Time to leave between two requests, ms. */
    readonly delay: number,
  ) {}

  /**
   * Reads the robots.txt of the site that `page` is part of. A site without one allows everything.
   * @throws BadRequestException when the site cannot say (RFC 9309, 2.3.1.4), or does not want `page` to be read.
   */
  static async of(run: ImportRun, page: string): Promise<RobotsRules> {
    const address = new URL('/robots.txt', page).href;
    const { status, body } = await run.fetchNeeded(address, 'text/plain');
    if (status >= 500) throw cannotImport(`the robots.txt of its site answers with status ${String(status)}`);
    const text = status < 300 ? body.toString('utf8').slice(0, MAX_TEXT) : '';
    const { allowed, delay } = await run.convertStart('robots', { address, text, questions: [page] });
    if (allowed.length === 0) throw cannotImport('the robots.txt of its site does not allow it');
    return new RobotsRules(run, address, text, Math.min(Math.max(delay, 0) * 1000, MAX_DELAY));
  }

  /** Those of `pages` that may be read. */
  async allowed(pages: readonly string[]): Promise<string[]> {
    if (this.text === '' || pages.length === 0) return [...pages];
    const answer = await this.run.tryConvert(
      'robots',
      { address: this.address, text: this.text, questions: pages },
      this.address,
    );
    return answer?.allowed ?? [];
  }
}
