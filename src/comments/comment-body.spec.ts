import { documentIn, isBody, keptBody } from './comment-body.js';

const paragraph = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [] }] };

describe('isBody', () => {
  it.each([{}, { markdown: '' }, { markdown: 'a' }, { document: {} }])('knows %j', (value) => {
    expect(isBody(value)).toBe(true);
  });

  it.each([
    ...[null, undefined, 'a', 5, [], [{}], { markdown: 5 }, { markdown: null }, { document: null }, { document: [] }],
    ...[{ document: 'a' }, { markdown: 'a', document: {} }, { markdown: 'a', more: undefined }, { more: 1 }],
    JSON.parse('{"__proto__": {}}') as unknown,
    JSON.parse('{"markdown": "a", "__proto__": {}}') as unknown,
  ])('refuses %j', (value) => {
    expect(isBody(value)).toBe(false);
  });
});

describe('keptBody', () => {
  it('keeps each form as it was given', () => {
    expect(keptBody({})).toEqual({ form: 'empty', text: '' });
    expect(keptBody({ markdown: 'a\r\n' })).toEqual({ form: 'markdown', text: 'a\r\n' });
    const kept = keptBody({ document: { object: 'document', nodes: [paragraph], more: 1 } });
    expect(kept.form).toBe('document');
    expect(documentIn(kept)).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph', key: 'n1' }] });
    expect(documentIn(kept)).not.toHaveProperty('more');
  });

  it('refuses what is no document, or too long', () => {
    expect(() => keptBody({ document: { object: 'document', nodes: [{ ...paragraph, type: 'x' }] } })).toThrow(
      'nodes[0]',
    );
    const source = {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'inline', type: 'source', data: { source: 'a'.repeat(2_000_000) } }],
    };
    expect(() => keptBody({ document: { object: 'document', nodes: [source, source] } })).toThrow(/as JSON/);
  });
});
