import { claimsOf, readAdaptiveSchema } from '../adaptive/index.js';
import { forVisitor } from './for-visitor.js';
import { settingsOf } from './settings.js';

const schema = readAdaptiveSchema({
  type: 'object',
  properties: { plan: { type: 'string', description: 'What they pay for' } },
});
const link = (title: string, condition?: string) => ({
  title,
  to: null,
  links: [],
  ...(condition !== undefined && { condition }),
});
const settings = settingsOf('Guide', {
  header: {
    links: [link('All'), link('Gold', 'visitor.claims.plan === "gold"'), link('Known', 'visitor.claims.plan')],
  },
});
const shown = (claims: object | null): string[] =>
  forVisitor(settings, claims && claimsOf(schema, claims, {})).header.links.map(({ title }) => title);

describe('settings for a visitor', () => {
  it('have the links of the header that their conditions show', () => {
    expect(shown({ plan: 'gold' })).toEqual(['All', 'Gold', 'Known']);
    expect(shown({ plan: 'free' })).toEqual(['All', 'Known']);
    expect(shown({})).toEqual(['All']);
  });

  it('have all of them where nothing depends on visitors', () => {
    expect(shown(null)).toEqual(['All', 'Gold', 'Known']);
  });

  it('leave everything else as it is', () => {
    const { header, ...rest } = forVisitor(settings, claimsOf(schema, {}, {}));
    expect({ ...rest, header: { ...header, links: settings.header.links } }).toEqual(settings);
  });
});
