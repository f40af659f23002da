import { readFileSync } from 'node:fs';

/** Which version of the service runs, and what it was built from. */
export interface BuildInfo {
  version: string;
  build: string;
}

let known: BuildInfo | undefined;

/** Reads package.json once; `COLOPHON_BUILD`, which the image sets, names the commit. */
export function buildInfo(): BuildInfo {
  if (!known) {
    const file = new URL('../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    const { COLOPHON_BUILD = '' } = process.env;
    // an image that nobody named a commit for has it empty
    known = { version, build: COLOPHON_BUILD === '' ? version : COLOPHON_BUILD };
  }
  return known;
}
