import { readFileSync } from 'node:fs';
import { buildInfo } from './build-info.js';

describe('buildInfo', () => {
  it('is what package.json says, and stays the same', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(buildInfo()).toEqual({ version, build: process.env.COLOPHON_BUILD ?? version });
    expect(buildInfo()).toBe(buildInfo());
  });
});
