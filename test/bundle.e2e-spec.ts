import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { callerOf, TOKEN } from '../scripts/service.mjs';
import { Processes } from './support/processes.js';
import { PATIENCE } from './support/services.js';

const processes = new Processes();
afterAll(() => processes.clear());

describe('the bundle', () => {
  it(
    'has Nest once: none of the packages in it is read from its own files as well',
    async () => {
      const data = await processes.folder();
      const file = join(data, 'read-modules.json');
      const preload = pathToFileURL(join(import.meta.dirname, 'support', 'read-modules.mjs')).href;
      const { url, stop } = await processes.ready(data, { NODE_OPTIONS: `--import ${preload}`, READ_MODULES: file });
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

      const read = JSON.parse(await readFile(file, 'utf8')) as string[];
      expect(read).toEqual(expect.arrayContaining(['class-transformer', 'class-validator', 'mongoose', 'prom-client']));
      expect(read.filter((name) => /^@nestjs\/|^rxjs$/.test(name))).toEqual([]);
    },
    PATIENCE,
  );
});
