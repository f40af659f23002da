import { newId } from '../../src/common/ids.js';
import type { Organization } from '../../src/organizations/index.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';

export type Owner = Organization & { admin: TestUser };
export const refusal = (code: number, message: unknown): object => ({ error: { code, message } });

/** An image with a script in it. */
export const SVG =
  '<?xml version="1.0"?>\n<!-- a --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
/** Bytes as they are sent within JSON. */
export const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');

/** What an integration is published with at least. */
export const LEAST = { title: 'Test', description: 'For tests', script: 'export {};', organization: 'ours' };

/** The same, by `organization`. */
export const least = ({ _id: organization }: Pick<Organization, '_id'>): object => ({ ...LEAST, organization });

/** An integration, as answers show it. */
export interface Shown {
  name: string;
  version: number;
  title: string;
  previewImages: string[];
  urls: { icon?: string };
  permissions: { admin: boolean; install: boolean };
}

/** Publishes an integration of `owner` under a new name, or under that of `body`. */
export async function publish(
  app: TestApp,
  owner: Owner,
  { name = `int.${newId()}`, ...body }: { name?: string } & Record<string, unknown> = {},
): Promise<Shown> {
  const sent = { ...least(owner), ...body };
  return (await app.as(owner.admin).post(`/v1/integrations/${name}`).send(sent).expect(200)).body as Shown;
}

/** Installs the integration `name` in `owner`; answers the path of the installation. */
export async function install(app: TestApp, owner: Owner, name: string): Promise<string> {
  const root = `/v1/integrations/${name}/installations`;
  const { body } = await app.as(owner.admin).post(root).send({ organization: owner._id }).expect(201);
  return `${root}/${(body as { id: string }).id}`;
}
