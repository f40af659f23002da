import { GitBookAPI, GitBookAPIError } from '@gitbook/api';
// the package declares its parts without file endings, which the compiler follows by the file alone
import type { Api } from '../../node_modules/@gitbook/api/dist/client.js';
import type { GitBookAPIError as ClientError } from '../../node_modules/@gitbook/api/dist/GitBookAPIError.js';

/** The published client, with its own types. */
export type PublicClient = Api<{ authToken?: string }>;

/** The published client as it is, for the service at `url`; it adds `/v1` itself. `through`: what it sends requests by. */
export function publicClient(url: string, authToken?: string, through?: typeof fetch): PublicClient {
  const client: unknown = new GitBookAPI({
    endpoint: url,
    ...(authToken !== undefined && { authToken }),
    ...(through && { serviceBinding: { fetch: through } }),
  });
  return client as PublicClient;
}

/** Sends through `client` what it has no method for: `path` without `/v1`. Answers the body. */
export async function ask<T = { id: string }>(
  client: PublicClient,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { query, body, isEmpty = false }: { query?: object; body?: object; isEmpty?: boolean } = {},
): Promise<T> {
  const { data } = await client.request<T>({
    path,
    method,
    secure: true,
    ...(query && { query: { ...query } }),
    ...(body && { body, type: 'application/json' as never }),
    ...(!isEmpty && { format: 'json' }),
  });
  return data;
}

/** What the client throws when `call` is refused. @throws Error when it is not. */
export async function refusalOf(call: Promise<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof (GitBookAPIError as typeof ClientError)) return error;
    throw error;
  }
  throw new Error('The call was not refused');
}

/** The answer of a list operation. */
interface ListAnswer<T> {
  data: { items: T[]; count?: number; next?: { page: string } };
}

/** Every item of a list, page by page; `read` asks for the page that it is given. */
export async function everyItem<T>(read: (page?: string) => Promise<ListAnswer<T>>): Promise<T[]> {
  const items: T[] = [];
  let page: string | undefined;
  do {
    const { data } = await read(page);
    items.push(...data.items);
    page = data.next?.page;
  } while (page !== undefined);
  return items;
}
