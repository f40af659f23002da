import fc from 'fast-check';
import { jwtVerify } from 'jose';
import { SecretKey } from '../../config/index.js';
import { cases } from '../../../test/support/cases.js';
import { issueSiteToken, publishedState, readSiteToken, type SiteTokenContent } from './site-token.js';

const key = new SecretKey('a key that is made of 32 characters');
const other = new SecretKey('another key, made of 32 characters');
const NOW = new Date('2026-03-04T10:20:30.500Z');
const END = Date.parse('2026-03-04T12:00:00Z') / 1000;

const content: SiteTokenContent = {
  organization: 'org',
  site: 'site',
  siteSpace: 'siteSpace',
  space: 'space',
  spaces: ['space', 'another'],
  state: publishedState(3, [{ space: 'space', revision: 'r1' }]),
  claims: { plan: 'göld', unsigned: { beta: true } },
};

const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('issueSiteToken', () => {
  it('makes what readSiteToken reads, until the end of the next full hour', () => {
    const token = issueSiteToken(key, content, NOW);
    const read = { kind: 'site', ...content, exp: END };
    expect(readSiteToken(key, token, NOW)).toEqual(read);
    expect(readSiteToken(key, token, new Date(END * 1000 - 1))).toEqual(read);
    expect(readSiteToken(key, token, new Date(END * 1000))).toBeNull();
    const shared = issueSiteToken(key, { ...content, shareLink: 'link' }, NOW);
    expect(readSiteToken(key, shared, NOW)).toEqual({ ...read, shareLink: 'link' });
  });

  it('makes a JSON Web Token like any other', async () => {
    const token = issueSiteToken(key, content, NOW);
    const options = { currentDate: NOW, algorithms: ['HS256'], typ: 'JWT' };
    const { payload } = await jwtVerify(token, key.keyFor('site token'), options);
    expect(payload).toEqual({ kind: 'site', ...content, exp: END });
  });

  it('makes the same within the hour, and another one for anything else', () => {
    const token = issueSiteToken(key, content, NOW);
    expect(issueSiteToken(key, { ...content }, new Date('2026-03-04T10:00:00Z'))).toBe(token);
    expect(issueSiteToken(key, content, new Date('2026-03-04T10:59:59.999Z'))).toBe(token);
    const others = [
      issueSiteToken(key, content, new Date('2026-03-04T11:00:00Z')),
      issueSiteToken(other, content, NOW),
      ...(['organization', 'site', 'siteSpace', 'space', 'state', 'shareLink'] as const).map((name) =>
        issueSiteToken(key, { ...content, [name]: 'changed' }, NOW),
      ),
      issueSiteToken(key, { ...content, spaces: ['space'] }, NOW),
      issueSiteToken(key, { ...content, claims: { unsigned: {} } }, NOW),
    ];
    expect(new Set([token, ...others]).size).toBe(others.length + 1);
  });

  it('fits into a header', () => {
    const id = 'x'.repeat(20);
    const long = { text: 'x'.repeat(4080), unsigned: { text: 'x'.repeat(2030) } };
    const spaces = Array.from({ length: 5000 }, (_, index) => `${'x'.repeat(16)}${String(index).padStart(4, '0')}`);
    const large = {
      ...content,
      organization: id,
      site: id,
      siteSpace: id,
      space: id,
      shareLink: id,
      spaces,
      claims: long,
    };
    const token = issueSiteToken(key, large, NOW);
    expect(token.length).toBeLessThan(13_000);
    expect(readSiteToken(key, token, NOW)).toEqual({ kind: 'site', ...large, spaces: spaces.slice(0, 100), exp: END });
  });
});

describe('readSiteToken', () => {
  const token = issueSiteToken(key, content, NOW);
  const [header = '', payload = '', signature = ''] = token.split('.');

  it('refuses what another key or purpose signed', () => {
    expect(readSiteToken(other, token, NOW)).toBeNull();
    for (const purpose of ['file download', 'pdf', '', 'site token ']) {
      const signed = `${header}.${payload}`;
      expect(readSiteToken(key, `${signed}.${key.sign(purpose, signed)}`, NOW)).toBeNull();
    }
  });

  it.each([
    '',
    '.',
    '..',
    'clp_some-other-token',
    `${HEADER}.`,
    `${HEADER}..`,
    `${header}.${payload}`,
    `${header}.${payload}.`,
    `${header}.${payload}.${signature}=`,
    `${header}.${payload}.${signature} `,
    ` ${token}`,
    `${header}.${payload}.${signature}.${signature}`,
    `${header}..${signature}`,
    `${header}.${encoded({ kind: 'site', site: 'another', exp: END })}.${signature}`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
    `${encoded({ typ: 'JWT', alg: 'HS256' })}.${payload}.${signature}`,
    `${token}${'x'.repeat(20_000)}`,
  ])('refuses %#', (given) => {
    expect(readSiteToken(key, given, NOW)).toBeNull();
  });

  it('refuses every token that differs in a character', () => {
    const change = fc.record({ at: fc.nat(token.length - 1), by: fc.string({ minLength: 1, maxLength: 1 }) });
    fc.assert(
      fc.property(change, ({ at, by }) => {
        const changed = token.slice(0, at) + by + token.slice(at + 1);
        fc.pre(changed !== token);
        expect(readSiteToken(key, changed, NOW)).toBeNull();
      }),
      { numRuns: cases(500, 5000) },
    );
  });
});

describe('publishedState', () => {
  it('changes with the version and the revisions alone', () => {
    const one = { space: 'a', revision: '1' };
    const two = { space: 'b', revision: '2' };
    const state = publishedState(1, [one, two]);
    expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(publishedState(1, [two, one])).toBe(state);
    const others = [
      publishedState(2, [one, two]),
      publishedState(1, [one]),
      publishedState(1, []),
      publishedState(1, [one, { space: 'b', revision: '3' }]),
      publishedState(1, [
        { space: 'a', revision: '2' },
        { space: 'b', revision: '1' },
      ]),
    ];
    expect(new Set([state, ...others]).size).toBe(6);
  });
});
