import { type Agent, request, type IncomingHttpHeaders } from 'node:http';
import { resolved, type Named } from './references.js';
import type { FuzzRequest } from './requests.js';

/** What came back for a request. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** From the request to the end of the answer. */
  ms: number;
}

/** Where requests are sent, over which connections, and by whom. */
export interface Line {
  url: string;
  agent: Agent;
  named: Named;
  /** The token of who sends it; `null`: none. */
  token: string | null;
}

/** Longest that an answer is waited for, in ms. */
const PATIENCE = 60_000;

/** Sends a request as it is: nothing of its path is made better. @throws Error without an answer. */
export function send(sent: FuzzRequest, { url, agent, named, token }: Line): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const path = resolved(sent.path, named) + (sent.query === '' ? '' : `?${resolved(sent.query, named)}`);
  const body = typeof sent.body === 'string' ? Buffer.from(resolved(sent.body, named)) : sent.body;
  const headers: Record<string, string | number> = {
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    ...(body !== null && !sent.chunked && { 'Content-Length': body.length }),
    ...(body !== null && sent.chunked && { 'Transfer-Encoding': 'chunked' }),
    ...sent.headers,
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method: sent.method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: told } = response;
        resolve({ status, headers: told, body: Buffer.concat(parts), ms: performance.now() - began });
      });
    });
    call.setTimeout(PATIENCE, () => call.destroy(new Error(`No answer came for ${String(PATIENCE)} ms`)));
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}
