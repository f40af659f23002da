import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Example, Ran } from './guide.js';

/** Names of the project that commands of the documentation refer to from its folder. */
const PROJECT = ['package.json', 'src', 'dist', 'node_modules'];

/** The address in the documentation. */
export const ADDRESS = 'localhost:3000';

/**
 * A folder like that of the project, in which the commands of the documentation run as they are written: `curl` is told that
 * {@link ADDRESS} is the service under test, and writes the status of each answer to its standard error.
 */
export class Shell {
  private constructor(private readonly folder: string) {}

  /** @param service Host and port of the service. */
  static async open(service: string): Promise<Shell> {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-guide-'));
    await mkdir(join(folder, 'data'));
    await Promise.all(PROJECT.map((name) => symlink(resolve(name), join(folder, name))));
    const settings = [`connect-to = "${ADDRESS}:${service}"`, 'write-out = "%{stderr}HTTP %{http_code}\\n"'];
    await writeFile(join(folder, '.curlrc'), settings.join('\n'));
    return new Shell(folder);
  }

  /** Runs `examples` one after the other in one shell, as the person with `token`; what each came to, if it was run. */
  async run(
    examples: Example[],
    token: string,
    environment: Record<string, string> = {},
  ): Promise<(Ran | undefined)[]> {
    await writeFile(join(this.folder, 'data/demonstration-token'), token);
    const blocks = examples.map(
      ({ code }, index) => `{\n${code}\n} >out.${index} 2>err.${index}\necho $? >exit.${index}`,
    );
    await writeFile(join(this.folder, 'page.sh'), `rm -f out.* err.* exit.*\n${blocks.join('\n')}\n`);
    await new Promise<void>((done, failed) => {
      const env = {
        ...process.env,
        CURL_HOME: this.folder,
        HOME: this.folder,
        NO_PROXY: '*',
        NODE_OPTIONS: '',
        ...environment,
      };
      spawn('sh', ['page.sh'], { cwd: this.folder, env, stdio: 'ignore' })
        .once('error', failed)
        .once('close', () => {
          done();
        });
    });
    return Promise.all(examples.map((_, index) => this.ran(index)));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ran(index: number): Promise<Ran | undefined> {
    const read = (name: string): Promise<string> => readFile(join(this.folder, `${name}.${index}`), 'utf8');
    try {
      const [printed, complaints, exit] = await Promise.all([read('out'), read('err'), read('exit')]);
      const statuses = [...complaints.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => Number(status));
      return { printed, complaints, exit: Number(exit), statuses };
    } catch {
      // the shell ended before it
      return undefined;
    }
  }
}
