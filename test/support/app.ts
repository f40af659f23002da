import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { getConnectionToken } from '@nestjs/mongoose';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Connection, mongo } from 'mongoose';
import request from 'supertest';
import { JsonLogger } from '../../src/common/logger.js';
import { loadConfig } from '../../src/config/index.js';
import { createService } from '../../src/service.js';
import { DescribedAnswers, type Description } from './described-answers.js';
import { type Factories, factoriesOf, type TestUser } from './factories.js';

/** What the service says of its answers: the same for all that are started. */
let answers: DescribedAnswers | undefined;

/** Requests that carry a token. */
export type Client = ReturnType<typeof request.agent>;

/** The service under test, with a database of its own. */
export interface TestApp {
  nest: NestExpressApplication;
  connection: Connection;
  /** Address of the service, without a trailing slash. */
  url: string;
  create: Factories;
  /** A client that sends `user`'s token. */
  as(user: TestUser): Client;
  /** A client that sends no token. */
  anonymous(): Client;
  /** What answers were held against so far, as `GET /v1/user 200`. */
  held: ReadonlySet<string>;
  /** Names of the database commands that `work` sent, without reads of what is kept for a second and may be read or not. */
  commandsOf(work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Starts the service on a free port; `environment` sets what the test needs otherwise than by default.
 *
 * @param name The database, where it is that of another one: `connection.name`.
 */
export async function startApp(
  environment: Record<string, string> = {},
  name = `test_${randomUUID().replaceAll('-', '')}`,
): Promise<TestApp> {
  const config = loadConfig({
    MONGODB_URI: databaseUri(name),
    SECRET_KEY: 'a key for tests that is long enough to be one',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://docs.test',
    RATE_LIMIT: '0',
    SIGN_IN_RATE_LIMIT: '0',
    ...environment,
  });
  const nest = await createService(config, config.MONGODB_URI ?? '', new JsonLogger('silent'), {
    monitorCommands: true,
  });
  await nest.listen(0, '127.0.0.1');
  const connection = nest.get<Connection>(getConnectionToken());
  const server = nest.getHttpServer();
  // the connections of the tests are closed by them, not by the service between two requests
  server.keepAliveTimeout = 0;
  const connections = new Agent({ keepAlive: true });
  answers ??= new DescribedAnswers((await request(server).get('/openapi.json')).body as Description);
  const held = new Set<string>();
  const client = (): Client =>
    request.agent(server).use((sent: request.Test) => {
      void sent.agent(connections);
      answers?.watch(sent, (what) => held.add(what));
    });
  return {
    nest,
    connection,
    url: await nest.getUrl(),
    create: factoriesOf(nest),
    as: (user) => client().set('Authorization', `Bearer ${user.token}`),
    anonymous: client,
    held,
    commandsOf: (work) => commandsOf(connection, work),
    close: async () => {
      await connection.dropDatabase();
      connections.destroy();
      await nest.close();
    },
  };
}

function databaseUri(name: string): string {
  const uri = process.env.TEST_DATABASE_URI;
  if (!uri) throw new Error('TEST_DATABASE_URI is not set: the tests run through npm test');
  const url = new URL(uri);
  url.pathname = `/${name}`;
  return url.href;
}

async function commandsOf(connection: Connection, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const listen = ({ commandName, command }: { commandName: string; command: mongo.Document }): void => {
    if (command.find !== 'organizations') seen.push(commandName);
  };
  const client = connection.getClient();
  client.on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.off('commandStarted', listen);
  }
  return seen;
}
