import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withoutNaming } from '../scripts/names.mjs';
import { callerOf, TOKEN } from '../scripts/service.mjs';
import { Processes } from './support/processes.js';
import { PATIENCE } from './support/services.js';

/** Some of the packages that `scripts/bundle.mjs` puts into it: the large ones, and those that have classes. */
const BUNDLED = /^@nestjs\/|^rxjs$|^es-toolkit$|^iterare$/;

const CHUNK = /^bundle-[A-Z0-9]+\.js$/;

/** What a process has read. */
interface Read {
  packages: string[];
  files: string[];
}

const processes = new Processes();
afterAll(() => processes.clear());

/** What a process needs to note what it reads, and how that is asked for once it has ended. */
async function noting(): Promise<{ environment: Record<string, string>; read: () => Promise<Read> }> {
  const file = join(await processes.folder(), 'read-modules.json');
  const preload = pathToFileURL(join(import.meta.dirname, 'support', 'read-modules.mjs')).href;
  return {
    environment: { NODE_OPTIONS: `--import ${preload}`, READ_MODULES: file },
    read: async () => JSON.parse(await readFile(file, 'utf8')) as Read,
  };
}

/** That of `files` only the `first` ones are no chunks, and that nothing in the bundle is among `packages`. */
function expectBundle({ packages, files }: Read, first: string[]): void {
  expect(packages.filter((name) => BUNDLED.test(name))).toEqual([]);
  expect(files.some((name) => CHUNK.test(name))).toBe(true);
  expect(files.filter((name) => !CHUNK.test(name))).toEqual(first);
}

describe('the bundle', () => {
  it(
    'has Nest once: nothing in it is read from its own files as well',
    async () => {
      const { environment, read } = await noting();
      const { url, stop } = await processes.ready(await processes.folder(), environment);
      const call = callerOf(url);
      // out of a docstring, so out of what the build has read
      const { components } = (await call('GET', '/openapi.json')) as {
        components: { schemas: Record<string, object> };
      };
      expect(components.schemas.UserView).toHaveProperty('properties.email.description');
      const refused = await fetch(`${url}/v1/orgs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: '{"title":{}}',
      });
      await fetch(`${url}/metrics`);
      expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
      expect(await refused.json()).toMatchObject({ error: { code: 400, message: expect.stringContaining('title') } });
      await stop();

      const had = await read();
      const outside = ['class-transformer', 'class-validator', 'mongoose', 'prom-client'];
      expect(had.packages).toEqual(expect.arrayContaining(outside));
      expectBundle(had, ['main.js', 'metadata.js', 'run.js', 'serve.js']);
    },
    PATIENCE,
  );

  it(
    'is what a command and the database alone are read from, too',
    async () => {
      const data = await processes.folder();
      const database = await noting();
      const { stop } = await processes.database(data, database.environment);
      const command = await noting();
      // it makes people, spaces and pages out of a book beside the code
      const made = await processes.command(data, ['demo'], command.environment);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      await stop();
      expectBundle(await command.read(), ['cli/main.js']);
      expectBundle(await database.read(), ['database-main.js']);
    },
    PATIENCE,
  );

  it('is what the thread of the database is read from, too', async () => {
    const code = await readFile('dist/database/embedded/worker.js', 'utf8');
    const imports = [...code.matchAll(/^(?:import |\} from )"(\..+)";$/gm)].map(([, file]) => file);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((file) => !/^\.\.\/\.\.\/bundle-[A-Z0-9]+\.js$/.test(file ?? ''))).toEqual([]);
  });
});

/** Functions in all the places in which they get a name, in one where they get none, and one that a bundle calls otherwise. */
const FUNCTIONS = `
  function declared() { return () => 1; }
  const arrow = () => 1;
  const other = function own() {};
  class Kept { static field = () => 1; member = () => 2; method() { const inner = () => 3; return inner; } }
  const object = { short() {}, long: () => 1, ['computed']: () => 2 };
  let assigned; assigned = () => 1;
  function given(first = () => 1) { return first; }
  const { taken = () => 1 } = {};
  let nested; { function arrow() { return 1; } nested = arrow; }
  const called = ((callback) => callback)(() => 1);
  const kept = new Kept();
  export default [
    declared, declared(), arrow, other, Kept, Kept.field, kept.member, kept.method, kept.method(), object.short, object.long,
    object.computed, assigned, given, given(), taken, nested, called,
  ].map((one) => one.name);
`;

describe('names of functions in the bundle', () => {
  const made = async (keepNames: boolean): Promise<string> => {
    const stdin = { contents: FUNCTIONS };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      format: 'esm',
      keepNames,
      write: false,
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  };
  const namesIn = async (code: string): Promise<unknown> => {
    const { default: names } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      default: unknown;
    };
    return names;
  };

  it('are those that esbuild gives, which is asked for only where JavaScript gives another', async () => {
    const code = await made(true);
    const less = withoutNaming(code);
    expect(await namesIn(less)).toEqual(await namesIn(code));
    expect(less.split('\n').length).toBe(code.split('\n').length);
    const calls = (text: string): number => text.split('__name(').length - 1;
    expect(calls(code)).toBeGreaterThan(12);
    expect(calls(less)).toBeLessThan(4);
  });
});
