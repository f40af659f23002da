import { gathered, gatheredWrite, shared } from './gathered.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A read that notes for which keys it was made, and knows those that begin with k. */
function reading() {
  const queries: string[][] = [];
  const read = gathered<{ key: string }>(async (keys) => {
    queries.push([...keys]);
    await turn();
    return new Map(keys.filter((key) => key.startsWith('k')).map((key) => [key, { key }]));
  });
  return { queries, read };
}

describe('gathered', () => {
  it('asks once for what is asked in one turn, and hands each caller what they asked for', async () => {
    const { queries, read } = reading();
    const answers = await Promise.all(['k1', 'k2', 'unknown', 'k1'].map(read));
    expect(answers).toEqual([{ key: 'k1' }, { key: 'k2' }, null, { key: 'k1' }]);
    expect(queries).toEqual([['k1', 'k2', 'unknown']]);
  });

  it('keeps nothing: who asks later is answered by a read that begins later', async () => {
    const { queries, read } = reading();
    const first = read('k1');
    await turn();
    await Promise.all([first, read('k1')]);
    expect(queries).toEqual([['k1'], ['k1']]);
  });

  it('asks for a hundred keys at a time', async () => {
    const { queries, read } = reading();
    await Promise.all(Array.from({ length: 250 }, (_, n) => read(`k${n}`)));
    expect(queries.map((keys) => keys.length)).toEqual([100, 100, 50]);
  });

  it('tells all who asked when a query fails, and the next ones nothing of it', async () => {
    let fails = true;
    const read = gathered<number>((keys) =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve(new Map(keys.map((key) => [key, 1]))),
    );
    const outcomes = await Promise.allSettled([read('a'), read('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await read('a')).toBe(1);
  });
});

/** A write that notes each command, and when it is done; one with a record that begins with bad fails. */
function writing() {
  const commands: string[][] = [];
  const done: string[] = [];
  const write = gatheredWrite<string>(async (records) => {
    commands.push([...records]);
    await turn();
    if (records.some((record) => record.startsWith('bad'))) throw new Error('gone');
    done.push(...records);
  });
  return { commands, done, write };
}

describe('gatheredWrite', () => {
  it('writes once what is written in one turn, all of it, and says so when it is written', async () => {
    const { commands, done, write } = writing();
    const first = write('a');
    await Promise.all([write('b'), write('a')]);
    expect(done).toEqual(['a', 'b', 'a']);
    await first;
    expect(commands).toEqual([['a', 'b', 'a']]);
  });

  it('writes with another command what comes later', async () => {
    const { commands, write } = writing();
    const first = write('a');
    await turn();
    await Promise.all([first, write('b')]);
    expect(commands).toEqual([['a'], ['b']]);
  });

  it('writes a hundred records at a time', async () => {
    const { commands, write } = writing();
    const all = Array.from({ length: 250 }, (_, n) => `r${n}`);
    await Promise.all(all.map(write));
    expect(commands).toEqual([all.slice(0, 100), all.slice(100, 200), all.slice(200)]);
  });

  it('tells all whose records a command held when that fails, and nobody else', async () => {
    const { done, write } = writing();
    const all = Array.from({ length: 150 }, (_, n) => (n === 7 ? 'bad' : `r${n}`));
    const outcomes = await Promise.allSettled(all.map(write));
    const lost = Array.from({ length: 100 }, () => ({ status: 'rejected', reason: new Error('gone') }));
    const kept = Array.from({ length: 50 }, () => ({ status: 'fulfilled', value: undefined }));
    expect(outcomes).toEqual([...lost, ...kept]);
    await write('r7');
    expect(done).toEqual([...all.slice(100), 'r7']);
  });
});

interface Question {
  name: string;
  of?: string[];
}

/** A read that notes what it was asked, and how often; it fails while `fails` is set. */
function answering() {
  const state = { fails: false };
  const questions: Question[] = [];
  const ask = shared(async (question: Question) => {
    const number = questions.push(question);
    await turn();
    if (state.fails) throw new Error('gone');
    return { number };
  });
  return { state, questions, ask };
}

describe('shared', () => {
  it('asks once for the same question in one turn, and gives all the same answer', async () => {
    const { questions, ask } = answering();
    const [one, other] = await Promise.all([ask({ name: 'a', of: ['x'] }), ask({ name: 'a', of: ['x'] })]);
    expect(one).toEqual({ number: 1 });
    expect(other).toBe(one);
    expect(questions).toEqual([{ name: 'a', of: ['x'] }]);
  });

  it('keeps nothing: who asks later is answered by a read that begins later', async () => {
    const { questions, ask } = answering();
    const first = ask({ name: 'a' });
    await turn();
    // the read has begun, and is not over
    expect(questions).toHaveLength(1);
    expect(await Promise.all([first, ask({ name: 'a' })])).toEqual([{ number: 1 }, { number: 2 }]);
    expect(await ask({ name: 'a' })).toEqual({ number: 3 });
  });

  it('keeps different questions apart', async () => {
    const { questions, ask } = answering();
    const asked = [{ name: 'a' }, { name: 'b' }, { name: 'a', of: [] }, { name: 'a', of: ['x'] }];
    const answers = await Promise.all(asked.map(ask));
    expect(answers).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 }]);
    expect(questions).toEqual(asked);
  });

  it('tells all who asked when a read fails, and the next ones nothing of it', async () => {
    const { state, ask } = answering();
    state.fails = true;
    const reason = new Error('gone');
    const outcomes = await Promise.allSettled([ask({ name: 'a' }), ask({ name: 'a' })]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    state.fails = false;
    expect(await ask({ name: 'a' })).toEqual({ number: 2 });
  });
});
