import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { insideApp } from './relay-state.js';

describe('insideApp', () => {
  it.each([
    ['https://app.test/docs', 'https://app.test/docs'],
    ['https://app.test/docs/', 'https://app.test/docs/'],
    ['https://APP.test:443/docs/a/../b?c=d', 'https://app.test/docs/b?c=d'],
  ])('takes %s', (given, expected) => {
    expect(insideApp(given, 'https://app.test/docs')?.href).toBe(expected);
  });

  it('takes all of an origin where the application has no folder', () => {
    expect(insideApp('https://app.test/x', 'https://app.test')?.href).toBe('https://app.test/x');
    expect(insideApp('https://app.test', 'https://app.test')?.href).toBe('https://app.test/');
  });

  it.each([
    '',
    '/docs',
    '//app.test/docs',
    'https://app.test/',
    'https://app.test/docs-2',
    'https://app.test/docs/../x',
    'https://app.test/docs/%2e%2e/x',
    'https://app.test/docs\\..\\..\\x',
    'https://app.test.evil.test/docs/',
    'https://app.test@evil.test/docs/',
    'https://evil.test\\@app.test/docs/',
    'https://me@app.test/docs/',
    'http://app.test/docs/',
    'https://app.test:444/docs/',
    'https://app.test/docs/#a',
    'https://app.test/docs/#',
    'https://app.test/docs/\nx',
    'javascript://app.test/docs/%0aalert(1)',
    'data:text/html,x',
  ])('refuses %j', (given) => {
    expect(insideApp(given, 'https://app.test/docs')).toBeNull();
  });

  it('answers nothing but addresses under that of the application', () => {
    const pieces = ['https:', '//', '/', '\\', 'app.test', 'evil.test', '@', ':', '..', '.', '%2e', '?', 'docs', ' '];
    const text = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `https://app.test/docs${rest}`),
        ),
        (given) => {
          const found = insideApp(given, 'https://app.test/docs');
          if (found) expect(found.href).toMatch(/^https:\/\/app\.test\/docs([/?]|$)/);
        },
      ),
      { numRuns: cases(500, 10_000) },
    );
  });
});
