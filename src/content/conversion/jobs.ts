import type { JSONDocument } from '../../revisions/index.js';
import type { SummaryEntry } from '../import/summary.js';
import { convertPage, type ConvertedPage, type HtmlPage } from '../import/convert/convert-page.js';
import { askRobots, type RobotsAnswer, type RobotsQuestion } from '../import/convert/robots.js';
import { resolveWikiLinks } from '../import/convert/wiki-links.js';

/** What is done beside the service, since what comes from outside may make it long: the input and the result of each. */
export interface Jobs {
  page: { input: HtmlPage; output: ConvertedPage };
  wiki: { input: string; output: string };
  summary: { input: string; output: SummaryEntry[] };
  robots: { input: RobotsQuestion; output: RobotsAnswer };
  /** Markdown as a tree of nodes; its addresses as they are written. */
  document: { input: string; output: JSONDocument };
  /** A tree of nodes, as JSON, in Markdown. */
  markdown: { input: string; output: string };
}

/** One piece of work. */
export type Job = { [K in keyof Jobs]: { kind: K; input: Jobs[K]['input'] } }[keyof Jobs];

/** Does `job`. @throws ConversionError for what cannot be converted. */
export async function doJob(job: Job): Promise<Jobs[keyof Jobs]['output']> {
  switch (job.kind) {
    case 'page':
      return convertPage(job.input);
    case 'wiki':
      return resolveWikiLinks(job.input);
    case 'summary': {
      // with what it needs of the service, which the other jobs do without
      const { readSummary } = await import('../import/summary.js');
      return readSummary(job.input);
    }
    case 'robots':
      return askRobots(job.input);
    case 'document': {
      const { toDocument } = await import('../../revisions/index.js');
      return toDocument(job.input);
    }
    case 'markdown': {
      const { toMarkdown } = await import('../../revisions/index.js');
      return toMarkdown(JSON.parse(job.input) as JSONDocument);
    }
  }
}
