import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { gif, jpeg, png, webp } from '../../../test/support/images.js';
import { readConfigurations } from './configuration-schema.js';
import { isComplete, readConfiguration } from './configuration.js';
import { CSP_DIRECTIVES, policyHeader, readContentSecurityPolicy } from './content-security-policy.js';
import { MAX_IMAGE, readImage } from './images.js';
import { DeclarationError } from './reading.js';
import { readSecrets } from './secrets.js';
import { domainsAsked, domainsOf } from './url-domains.js';

const NAMES = fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('$set', 'a.b', 'toString'));
const PROPERTIES = fc.dictionary(
  NAMES.filter((name) => name.isWellFormed() && !name.includes('\0')),
  fc.oneof(
    fc.record({ type: fc.constant('string'), enum: fc.constant(['a', 'b']) }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('number'), default: fc.integer() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('boolean'), default: fc.boolean() }, { requiredKeys: ['type'] }),
  ),
  { maxKeys: 8 },
);
const VALUES: Record<string, unknown> = { string: 'a', number: 0, boolean: false };

describe('configurations', () => {
  it('are read as they were declared, and are complete with what is required alone', () => {
    fc.assert(
      fc.property(PROPERTIES, fc.func(fc.boolean()), (properties, isRequired) => {
        const required = Object.keys(properties).filter((name) => isRequired(name));
        const account = { properties, required };
        expect(readConfigurations({ account, other: 1 })).toEqual({ account });
        const values = Object.entries(properties).map(([name, { type }]) => [name, VALUES[type]] as const);
        const whole = readConfiguration(Object.fromEntries(values), account as never);
        expect(isComplete(whole, account as never)).toBe(true);
        for (const missing of required) {
          const rest = Object.fromEntries(values.filter(([name]) => name !== missing));
          expect(isComplete(readConfiguration(rest, account as never), account as never)).toBe(false);
        }
      }),
      { numRuns: cases(30, 300) },
    );
  });

  it('throw nothing but what names a place, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const read of [readConfigurations, readSecrets, readContentSecurityPolicy]) {
          try {
            read(value);
          } catch (error) {
            expect(error).toBeInstanceOf(DeclarationError);
          }
        }
      }),
      { numRuns: cases(50, 500) },
    );
  });

  it('take anything where a form asks, and nothing where nothing is declared', () => {
    const configuration = { a: { b: [1, null] }, c: 'd' };
    expect(readConfiguration(configuration, { componentId: 'form' })).toEqual(configuration);
    expect(() => readConfiguration(configuration, undefined)).toThrow('configuration.a is not known');
    expect(isComplete({}, { componentId: 'form' })).toBe(true);
    expect(isComplete({}, undefined)).toBe(true);
    // what an object inherits is not set
    expect(isComplete({}, { properties: {}, required: ['toString'] })).toBe(false);
  });
});

describe('policies', () => {
  it('come back in the form in which they were sent, and make one header', () => {
    const policy = { 'default-src': "'self'", sandbox: '' };
    expect(readContentSecurityPolicy(policy)).toEqual(policy);
    expect(policyHeader(policy)).toBe("default-src 'self'; sandbox");
    expect(policyHeader(readContentSecurityPolicy("img-src *; report-uri 'x'"))).toBe("img-src *; report-uri 'x'");
    expect(CSP_DIRECTIVES).toHaveLength(31);
  });

  it.each(['é', 'a\nb', 'a\r', '\u2028', 'x'.repeat(4097)])('are no headers: %j', (text) => {
    expect(() => readContentSecurityPolicy(text)).toThrow(DeclarationError);
    expect(() => readContentSecurityPolicy({ sandbox: text })).toThrow(DeclarationError);
  });
});

describe('images', () => {
  const ending = (bytes: Buffer | string): string => readImage(Buffer.from(bytes).toString('base64'), 'icon').ending;

  it('are told by their bytes', () => {
    expect([png(1, 1), jpeg(1, 1), gif(1, 1), webp(1, 1)].map(ending)).toEqual(['png', 'jpg', 'gif', 'webp']);
    const prolog = '\ufeff<?xml version="1.0"?>\n<!DOCTYPE svg>\n<!-- <html> -->\n';
    for (const text of ['<svg/>', '<svg>', ' <svg xmlns="a"/>', `${prolog}<svg\n/>`]) expect(ending(text)).toBe('svg');
  });

  it.each(['', '<svgs/>', '<html><svg/>', '<!-- <svg/>', 'text <svg/>', '\0<svg/>', '\xff\xd8', 'RIFF1234WEBX'])(
    'are none: %j',
    (text) => {
      expect(() => ending(Buffer.from(text, 'latin1'))).toThrow(/^icon must be/);
    },
  );

  it('are at most 1 MB', () => {
    const [fits, exceeds] = [MAX_IMAGE, MAX_IMAGE + 1].map((size) => Buffer.concat([png(1, 1)], size));
    expect(ending(fits ?? '')).toBe('png');
    expect(() => ending(exceeds ?? '')).toThrow('icon must be an image of at most 1 MB');
  });
});

describe('domains of patterns', () => {
  const isOn = (pattern: string, domain: string): boolean => {
    const on = domainsOf([pattern]);
    return domainsAsked(domain).some((one) => on.includes(one));
  };

  it.each([
    ['https://github.com/**', ['github.com', 'GITHUB.com'], ['gist.github.com', 'com', 'hub.com']],
    ['https://gist.github.com:8080/*', ['gist.github.com', 'github.com'], ['com', 'other.github.com']],
    ['*://*.figma.com/file/*', ['figma.com', 'www.figma.com', 'a.b.figma.com'], ['com', 'figma.org', 'xfigma.com']],
    ['https://user:pass@example.org', ['example.org'], ['user']],
    ['example.org/**', [], ['example.org']],
    ['https://', [], ['']],
    ['https://localhost/**', ['localhost'], ['host']],
  ])('%s', (pattern, on, off) => {
    expect(on.filter((domain) => !isOn(pattern, domain))).toEqual([]);
    expect(off.filter((domain) => isOn(pattern, domain))).toEqual([]);
  });
});
