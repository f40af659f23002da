import { Closure } from './closure.js';
import { OrganizationRecords } from './organization-records.js';
import { apart, content, owned, type OwnedRule, people, type Stored } from './rules.js';

/** Shelves of an organization with books on them, which others may lend; texts of books, and people who wrote them. */
function library(): OrganizationRecords {
  const records = new OrganizationRecords();
  records.add([
    owned('loans', { within: { books: ({ book }: Stored) => [String(book)] } }),
    owned<Book>('books', {
      of: ['shelves', 'organizations'],
      by: 'place',
      fits: ({ _id, place }) => _id.startsWith(`${place}:`),
      needs: { texts: ({ text }) => [text], books: ({ next }) => [next] },
      people: ({ author }) => [author],
    }),
    owned('shelves', { atOnce: true }),
    owned('organizations', { by: '_id', atOnce: true }),
    content<{ _id: string; next?: string; touched: Date }>('texts', {
      touched: 'touched',
      isWhole: ({ _id }) => _id.startsWith('text'),
      needs: { texts: ({ next }) => [next] },
    }),
    apart('tokens', 'they are of people'),
    people<Author>('authors', {
      taken: (one) => one as unknown as Author,
      knownBy: 'name',
      displayName: 'name',
      held: 'n',
    }),
  ]);
  records.addBytes('scans', {
    read: () => Promise.reject(new Error('there are none')),
    hashing: () => ({ update: () => undefined, id: () => 'scan' }),
    write: () => Promise.resolve(),
  });
  return records;
}

interface Book {
  _id: string;
  place: string;
  text?: string;
  next?: string;
  author?: string;
}
interface Author {
  _id: string;
  name: string;
  n: number;
}

function opened() {
  const records = library();
  const closure = new Closure(records, 'ours');
  const take = (collection: string, record: Stored): string => {
    const rule = records.owned().find((one): one is OwnedRule => one.collection === collection);
    if (!rule) throw new Error(collection);
    return closure.takeOwned(rule, record);
  };
  const takeText = (record: Stored): void => {
    const [rule] = records.content();
    if (rule) closure.takeContent(rule, record);
  };
  take('organizations', { _id: 'ours' });
  take('shelves', { _id: 'shelf', organization: 'ours' });
  return { records, closure, take, takeText };
}

describe('what belongs to an organization', () => {
  it('is read in an order in which nothing comes before what it hangs on, and what is seen by itself comes first', () => {
    const order = library().owned();
    expect(order.map(({ collection }) => collection)).toEqual(['organizations', 'shelves', 'books', 'loans']);
  });

  it('hangs on the organization, whatever its form', () => {
    const { take } = opened();
    const strange = (id: unknown) => `books ${String(id)} does not belong to the organization ours`;
    expect(take('books', { _id: 'shelf:1', place: 'shelf' })).toBe('taken');
    expect(take('books', { _id: 'ours:1', place: 'ours' })).toBe('taken');
    for (const [_id, place] of [
      ['theirs:1', 'theirs'],
      ['theirs:1', 'shelf'],
      ['shelf:2', { $ne: '' }],
      [{ $ne: '' }, 'shelf'],
      ['shelf:2', undefined],
    ]) {
      expect(() => take('books', { _id, place })).toThrow(strange(_id));
    }
    expect(() => take('organizations', { _id: 'theirs' })).toThrow('does not belong');
    expect(() => take('shelves', { _id: 'shelf other', organization: 'ours' })).toThrow('does not belong');
  });

  it('leaves out what stands on what others have', () => {
    const { take } = opened();
    take('books', { _id: 'shelf:1', place: 'shelf' });
    expect(take('loans', { _id: 'a', organization: 'ours', book: 'shelf:1' })).toBe('taken');
    expect(take('loans', { _id: 'b', organization: 'ours', book: 'theirs:1' })).toBe('left');
  });

  it('is whole when all that is needed has come, once, and nothing else', () => {
    const { closure, take, takeText } = opened();
    take('books', { _id: 'shelf:1', place: 'shelf', text: 'text1', next: 'shelf:2' });
    expect(closure.wanted('texts', 5)).toEqual(['text1']);
    expect(() => {
      closure.finish();
    }).toThrow('is not whole: texts text1 is missing');
    takeText({ _id: 'text1', next: 'text2' });
    expect(closure.wanted('texts', 5)).toEqual(['text2']);
    for (const _id of ['text1', 'text3']) {
      expect(() => {
        takeText({ _id });
      }).toThrow(`Nothing of the organization ours refers to texts ${_id}`);
    }
    expect(() => {
      takeText({ _id: 'forged' });
    }).toThrow('does not hold what its id says');
    takeText({ _id: 'text2' });
    expect(() => {
      closure.finish();
    }).toThrow('books shelf:2 is missing');
    take('books', { _id: 'shelf:2', place: 'shelf' });
    closure.finish();
  });

  it('brings those whom it names, and nobody else', () => {
    const { closure, take } = opened();
    take('books', { _id: 'shelf:1', place: 'shelf', author: 'ann' });
    expect([...closure.people]).toEqual(['ann']);
    closure.takePerson('ann');
    expect(() => {
      closure.takePerson('bob');
    }).toThrow('Nothing of the organization ours names authors bob');
  });

  it('is told of each collection once', () => {
    const records = library();
    expect(() => {
      records.add([apart('books', 'again')]);
    }).toThrow('Two modules keep books');
  });
});
