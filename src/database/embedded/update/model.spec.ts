import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { promoteDocument } from '../bson/types.js';
import { Document } from '../errors.js';
import { compileUpdate } from './update.js';

/** A document of known shape, so that the model can be written without a path language. */
interface Shape {
  n?: number;
  o?: Partial<Record<'x' | 'y', number>>;
  l?: number[];
  d?: { k: number; v?: number }[];
}
interface Step {
  update: Document;
  model: (doc: Shape) => void;
  arrayFilters?: Document[];
}

const small = fc.integer({ min: -3, max: 3 });
const list = fc.array(small, { maxLength: 4 });
const key = fc.constantFrom('x' as const, 'y' as const);
const shape: fc.Arbitrary<Shape> = fc.record(
  {
    n: small,
    o: fc.record({ x: small, y: small }, { requiredKeys: [] }),
    l: list,
    d: fc.array(fc.record({ k: small, v: small }, { requiredKeys: ['k'] }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  small.map((value) => ({ update: { $set: { n: value } }, model: (doc: Shape) => void (doc.n = value) })),
  fc.constant({
    update: { $unset: { n: 1, l: 1 } },
    model: (doc: Shape) => {
      delete doc.n;
      delete doc.l;
    },
  }),
  small.map((by) => ({ update: { $inc: { n: by } }, model: (doc: Shape) => void (doc.n = (doc.n ?? 0) + by) })),
  small.map((by) => ({ update: { $mul: { n: by } }, model: (doc: Shape) => void (doc.n = (doc.n ?? 0) * by || 0) })),
  small.map((value) => ({
    update: { $min: { n: value } },
    model: (doc: Shape) => void (doc.n = Math.min(doc.n ?? value, value)),
  })),
  small.map((value) => ({
    update: { $max: { n: value } },
    model: (doc: Shape) => void (doc.n = Math.max(doc.n ?? value, value)),
  })),
  fc.tuple(key, small).map(([name, value]) => ({
    update: { $set: { [`o.${name}`]: value } },
    model: (doc: Shape) => void ((doc.o ??= {})[name] = value),
  })),
  fc.constant({
    update: { $rename: { 'o.x': 'n' } },
    model: (doc: Shape) => {
      if (doc.o?.x === undefined) return;
      doc.n = doc.o.x;
      delete doc.o.x;
    },
  }),
  fc
    .tuple(list, fc.integer({ min: -5, max: 5 }), fc.integer({ min: -4, max: 4 }), fc.constantFrom(1, -1))
    .map(([each, position, slice, sort]) => ({
      update: { $push: { l: { $each: each, $position: position, $slice: slice, $sort: sort } } },
      model: (doc: Shape) => {
        const sorted = [...(doc.l ?? []), ...each].sort((a, b) => (a - b) * sort);
        doc.l = slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice);
      },
    })),
  list.map((each) => ({
    update: { $addToSet: { l: { $each: each } } },
    model: (doc: Shape) => void (doc.l = addAll(doc.l ?? [], each)),
  })),
  small.map((limit) => ({
    update: { $pull: { l: { $gt: limit } } },
    model: (doc: Shape) => void (doc.l &&= doc.l.filter((n) => n <= limit)),
  })),
  list.map((values) => ({
    update: { $pullAll: { l: values } },
    model: (doc: Shape) => void (doc.l &&= doc.l.filter((n) => !values.includes(n))),
  })),
  fc.constantFrom(1, -1).map((end) => ({
    update: { $pop: { l: end } },
    model: (doc: Shape) => void (doc.l &&= end === 1 ? doc.l.slice(0, -1) : doc.l.slice(1)),
  })),
  small.map((k) => ({
    update: { $pull: { d: { k } } },
    model: (doc: Shape) => void (doc.d &&= doc.d.filter((item) => item.k !== k)),
  })),
  fc.tuple(small, small).map(([k, v]) => ({
    update: { $set: { 'd.$[e].v': v } },
    arrayFilters: [{ 'e.k': { $lte: k } }],
    model: (doc: Shape) => void (doc.d &&= doc.d.map((item) => (item.k <= k ? { ...item, v } : item))),
  })),
);

function addAll(present: number[], each: number[]): number[] {
  return each.reduce((all, value) => (all.includes(value) ? all : [...all, value]), present);
}

describe('random updates', () => {
  it('do what a plain model does, leave their input alone and report a change exactly when there is one', () => {
    fc.assert(
      fc.property(shape, fc.array(step, { minLength: 1, maxLength: 5 }), (start, steps) => {
        const model = structuredClone(start);
        let doc = stored(start);
        for (const { update, arrayFilters, model: change } of steps) {
          // array filters need their array
          if (arrayFilters !== undefined && model.d === undefined) continue;
          const before = serialize(doc);
          const result = compileUpdate(stored(update), { arrayFilters }).apply(doc, { now: new Date() });
          change(model);
          expect(Buffer.compare(serialize(doc), before)).toBe(0);
          expect(promoteDocument(result.doc)).toEqual(model);
          expect(result.changed).toBe(Buffer.compare(before, serialize(result.doc)) !== 0);
          doc = result.doc;
        }
      }),
      { numRuns: 1500 },
    );
  });
});

/** A document as the store gives it to an update: numbers keep their types. */
function stored(doc: object): Document {
  return deserialize(serialize(doc), { promoteValues: false });
}
