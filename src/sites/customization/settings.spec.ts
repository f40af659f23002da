import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { describedAs, type Group, type Leaf, patched, readPart, readPatch } from './parts.js';
import {
  type CustomizationPart,
  type CustomizationPatch,
  type Favicon,
  overridden,
  SETTINGS,
  settingsOf,
} from './settings.js';
import { ShapeError } from './shape.js';

const themed = fc.record({ light: fc.constantFrom('#fff', '#000000'), dark: fc.constantFrom('#abc', '#ABCDEF') });

/** Some settings, groups with nothing in them among them. */
const parts: fc.Arbitrary<CustomizationPart> = fc.record(
  {
    title: fc.constantFrom('One', 'Two'),
    styling: fc.record(
      {
        theme: fc.constantFrom('muted' as const, 'bold' as const),
        primaryColor: themed,
        sidebar: fc.record({ list: fc.constantFrom('pill' as const, 'line' as const) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    favicon: fc.constantFrom<Favicon>({}, { emoji: '📘' }),
    header: fc.record(
      { logo: fc.constant({ light: 'https://a.test/', dark: 'https://b.test/' }) },
      { requiredKeys: [] },
    ),
    pdf: fc.record({ enabled: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** `null` in place of every setting of `part`. */
function takingBack(node: Group, part: object): CustomizationPatch {
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => {
    const member: Leaf<unknown> | Group | undefined = node.members[name];
    return [name, member?.kind === 'group' ? takingBack(member, value as object) : null];
  });
  return Object.fromEntries(entries) as CustomizationPatch;
}

describe('settings of a site', () => {
  it('are read back as they are answered', () => {
    fc.assert(
      fc.property(parts, (part) => {
        const settings = settingsOf('Guide', part);
        expect(readPart(SETTINGS, settings, '')).toEqual(settings);
        expect(settingsOf('Other', settings)).toEqual(settings);
      }),
      { numRuns: cases(100, 1000) },
    );
  });

  it('change by what is changed alone, and forget what is taken back', () => {
    fc.assert(
      fc.property(parts, parts, (before, change) => {
        const after = patched(SETTINGS, before, change);
        expect(overridden(settingsOf('Guide', {}), after)).toEqual(
          settingsOf('Guide', overridden(settingsOf('Guide', before), change)),
        );
        expect(patched(SETTINGS, after, takingBack(SETTINGS, after))).toEqual({});
        expect(patched(SETTINGS, after, {})).toEqual(after);
      }),
      { numRuns: cases(100, 1000) },
    );
  });

  it('take null in place of a setting only where settings are taken back', () => {
    const given = { title: null, styling: { sidebar: { list: null } }, header: { links: null }, unknown: null };
    const { unknown: _, ...known } = given;
    expect(readPatch(SETTINGS, given, '')).toEqual(known);
    expect(() => readPart(SETTINGS, { styling: { tint: null } }, '')).toThrow(
      new ShapeError('styling.tint must be an object'),
    );
    expect(() => readPatch(SETTINGS, { styling: { sidebar: null } }, '')).toThrow(
      new ShapeError('styling.sidebar must be an object'),
    );
  });

  it('hold nothing of the names that objects have from elsewhere', () => {
    const given: unknown = JSON.parse(
      '{"__proto__":{"title":"Evil"},"constructor":{"title":"Evil"},"pdf":{"__proto__":{"enabled":false}}}',
    );
    expect(readPart(SETTINGS, given, '')).toEqual({ pdf: {} });
  });

  it('are described with what they are by default, and what is always there', () => {
    expect(describedAs(SETTINGS, 'answer').required).toEqual(
      Object.keys(SETTINGS.members).filter((name) => name !== 'title' && name !== 'announcement'),
    );
    expect(describedAs(SETTINGS.members.themes, 'part').properties).toEqual({
      default: { type: 'string', enum: ['light', 'dark'], default: 'light' },
      toggeable: { type: 'boolean', default: true },
    });
    expect(describedAs(SETTINGS.members.pdf, 'patch').properties).toEqual({
      enabled: { type: 'boolean', nullable: true },
    });
  });
});
