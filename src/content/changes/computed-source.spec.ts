import { ContentError } from '../../revisions/index.js';
import { checkComputed } from './computed-source.js';

const SPEC = { spec: { ref: { kind: 'openapi', spec: 'pet-store' } } };
const OPENAPI = { type: 'builtin:openapi', props: { models: true }, dependencies: SPEC };
const TRANSLATION = {
  type: 'builtin:translation',
  props: {},
  dependencies: { translation: { ref: { kind: 'translation', translation: 't1' } } },
};
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

describe('what a computed page is made from', () => {
  it.each([
    OPENAPI,
    { ...OPENAPI, props: { models: false } },
    { ...OPENAPI, props: { doc: 'models' } },
    { ...OPENAPI, props: { doc: 'operations', page: 'pets' } },
    { ...OPENAPI, props: { doc: 'info', page: 'about' } },
    TRANSLATION,
    { type: 'integration:acme:weather', props: {} },
    {
      type: 'integration:acme:weather',
      props: { city: 'Rome', days: [1, null, { a: true }] },
      dependencies: { ...SPEC, other: { ref: { kind: 'space', space: 's1' } }, ...TRANSLATION.dependencies },
    },
  ])('is kept: %j', (given) => {
    expect(checkComputed(given)).toEqual(given);
  });

  it('is kept without what its type does not have', () => {
    expect(
      checkComputed({
        ...OPENAPI,
        more: 1,
        props: { models: true, more: 1 },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'a', more: 1 }, value: { id: 'x' } }, other: 1 },
      }),
    ).toEqual({ ...OPENAPI, dependencies: { spec: { ref: { kind: 'openapi', spec: 'a' } } } });
    expect(checkComputed({ ...TRANSLATION, props: undefined })).toEqual(TRANSLATION);
  });

  it('may have any names in the settings of an integration', () => {
    const props = JSON.parse('{"__proto__": {"evil": 1}, "$set": 1, "a.b": 2}') as object;
    expect(JSON.stringify(checkComputed({ type: 'integration:a:b', props }))).toContain('"__proto__":{"evil":1}');
    expect({}).not.toHaveProperty('evil');
  });

  it.each<[object, string]>([
    [{}, 'type must be a string'],
    [{ type: { $ne: 1 } }, 'type must be a string'],
    [{ type: 'builtin:other' }, 'type must be builtin:openapi, builtin:translation or integration:<name>:<source>'],
    [{ type: 'integration:a' }, 'type must be'],
    [{ type: 'integration:a:b:c' }, 'type must be'],
    [{ type: 'constructor' }, 'type must be'],
    [{ ...OPENAPI, props: {} }, 'props must be {"models"'],
    [{ ...OPENAPI, props: { models: 'yes' } }, 'props must be {"models"'],
    [{ ...OPENAPI, props: { doc: 'info' } }, 'props must be {"models"'],
    [{ ...OPENAPI, props: [] }, 'props must be an object'],
    [{ ...OPENAPI, dependencies: undefined }, 'dependencies must be an object'],
    [{ ...OPENAPI, dependencies: {} }, 'dependencies.spec is required'],
    [{ ...OPENAPI, dependencies: JSON.parse('{"__proto__": {}}') as object }, 'dependencies.spec is required'],
    [{ ...OPENAPI, dependencies: { spec: null } }, 'dependencies.spec must be an object'],
    [{ ...OPENAPI, dependencies: { spec: {} } }, 'dependencies.spec.ref must be an object'],
    [
      { ...OPENAPI, dependencies: { spec: { ref: { kind: 'space' } } } },
      'dependencies.spec.ref.kind must be one of: openapi',
    ],
    [
      { ...OPENAPI, dependencies: { spec: { ref: { kind: 'openapi', spec: 'A b' } } } },
      'dependencies.spec.ref.spec is',
    ],
    [{ type: 'integration:a:b' }, 'props must be an object'],
    [
      { type: 'integration:a:b', props: {}, dependencies: { x: { ref: { kind: 'url' } } } },
      'dependencies.x.ref.kind must',
    ],
    [{ type: 'integration:a:b', props: deep(20) }, 'it is nested deeper than 16 levels'],
    [{ type: 'integration:a:b', props: { a: 'x'.repeat(20_000) } }, 'it is larger than 16384 characters'],
    [{ type: 'integration:a:b', props: { a: 'x\0' } }, 'it holds characters that cannot be stored'],
    [{ type: 'integration:a:b', props: { a: '\ud800' } }, 'it holds characters that cannot be stored'],
  ])('is refused: %j', (given, message) => {
    expect(() => checkComputed(given)).toThrow(ContentError);
    expect(() => checkComputed(given)).toThrow(`computed: ${message}`);
  });
});
