import { readFileSync } from 'node:fs';
import { buildInfo } from './build-info.js';

describe('buildInfo', () => {
  const { COLOPHON_BUILD: given } = process.env;
  // as an image has it that was built without naming a commit
  beforeAll(() => (process.env.COLOPHON_BUILD = ''));
  afterAll(() => {
    if (given === undefined) delete process.env.COLOPHON_BUILD;
    else process.env.COLOPHON_BUILD = given;
  });

  it('is what package.json says, and stays the same', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(buildInfo()).toEqual({ version, build: version });
    expect(buildInfo()).toBe(buildInfo());
  });
});
