import robotsParser from 'robots-parser';

/** A robots.txt, and addresses of its site to look up in it. */
export interface RobotsQuestion {
  /** Where the robots.txt stands. */
  address: string;
  text: string;
  questions: readonly string[];
}

/** What a robots.txt says. */
export interface RobotsAnswer {
  /** Those of the addresses that may be fetched. */
  allowed: string[];
  /** Seconds to leave between two requests. */
  delay: number;
}

/** The package is a function, which its types call its default export. */
const parse = robotsParser as unknown as typeof robotsParser.default;

/** The name that a robots.txt knows this service by. */
export const ROBOT = 'Colophon';

/** Looks addresses up in a robots.txt (RFC 9309). */
export function askRobots({ address, text, questions }: RobotsQuestion): RobotsAnswer {
  const robots = parse(address, text);
  const delay = robots.getCrawlDelay(ROBOT) ?? 0;
  return { allowed: questions.filter((question) => robots.isAllowed(question, ROBOT) === true), delay };
}
