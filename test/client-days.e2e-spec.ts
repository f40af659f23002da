import { administratorsDay } from './client-days/administrator.js';
import { type Day, dayWith } from './client-days/day.js';
import { LEFT_OUT, OTHERWISE } from './client-days/differences.js';
import { integratorsDay } from './client-days/integrator.js';
import { publishersDay } from './client-days/publisher.js';
import { writersDay } from './client-days/writer.js';
import { CONTRACT, EXTENSIONS } from './contract/contract.js';
import { startApp, type TestApp } from './support/app.js';
import { ClientSpec } from './support/client-spec.js';
import { startWebServer, type WebServer } from './support/web-server.js';

describe('days of work, through the published client', () => {
  const spec = new ClientSpec();
  let app: TestApp;
  let web: WebServer;
  let day: Day;

  beforeAll(async () => {
    web = await startWebServer({ '/page.md': '# Found\n\nText.\n' });
    app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
    day = dayWith(app, spec, `${web.url}/page.md`);
  });
  afterAll(async () => {
    await app.close();
    await web.close();
  });

  it('of an administrator', () => administratorsDay(day));

  it('of a writer', () => writersDay(day));
  it('of a publisher', () => publishersDay(day));
  it('of an integrator', () => integratorsDay(day));

  it('need every operation of the contract, and all others that the client knows', () => {
    const known = EXTENSIONS.filter(({ id }) => spec.knows(id));
    const wanted = [...CONTRACT, ...known].map(({ id }) => id);
    expect(wanted.filter((id) => !spec.driven.has(id))).toEqual([]);
    expect(wanted.length).toBe(224);
  });

  it('are answered as the client says, but for what was decided otherwise', () => {
    const differences = [...spec.differences];
    expect(differences.filter((one) => !OTHERWISE.some(({ difference }) => difference.test(one)))).toEqual([]);
    const settled = [
      ...LEFT_OUT.filter((one) => !spec.leftOut.has(one)),
      ...OTHERWISE.filter(({ difference }) => !differences.some((one) => difference.test(one))),
    ];
    expect(settled.map(({ why }) => why)).toEqual([]);
  });
});
