import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a path of the server answers: with a body, or as it likes. */
export type Route = string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void);

/** A foreign web server, played by the test. */
export interface WebServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** The requests that came, in order. */
  requests: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a server on the loopback address that answers `routes`, and 404 elsewhere. */
export async function startWebServer(routes: Record<string, Route>): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (typeof route === 'function') route(request, response);
    else response.writeHead(route === undefined ? 404 : 200).end(route ?? 'no such page');
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** A route that sends the caller to `location`. */
export function redirectTo(location: string, status = 302): Route {
  return (_request, response) => {
    response.writeHead(status, { Location: location }).end();
  };
}
