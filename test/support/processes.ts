import { type ChildProcess, spawn } from 'node:child_process';
import { environmentOf, temporaryFolder } from '../../scripts/service.mjs';

/** Settings of a service that nobody prepared: without an administrator, so that it makes the demonstration. */
export const UNPREPARED = { BOOTSTRAP_ADMIN_EMAIL: '', BOOTSTRAP_ADMIN_TOKEN: '', BOOTSTRAP_ORGANIZATION: '' };

/** How a process ended. */
export interface Ending {
  /** Exit code; `null` when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A process of the built service. */
export interface Running {
  pid: number;
  /** When it has ended and all that it wrote is read. */
  ended: Promise<Ending>;
  /** What it has written to standard output so far. */
  written: () => string;
  /** Waits until standard output matches `pattern`; answers its first group. @throws Error when the process ends before. */
  prints: (pattern: RegExp) => Promise<string>;
  kill: (signal: NodeJS.Signals) => void;
  /** Sends SIGTERM and waits. */
  stop: () => Promise<Ending>;
}

/** The embedded database as a process of its own. */
export interface RunningDatabase extends Running {
  /** Its address, for `MONGODB_URI`. */
  uri: string;
}

/** Starts processes of the build, and sees to it that none of them, and no folder, is left behind. */
export class Processes {
  private readonly children = new Set<ChildProcess>();
  private readonly folders: (() => Promise<void>)[] = [];

  /** A new folder for data. */
  async folder(): Promise<string> {
    const folder = await temporaryFolder();
    this.folders.push(() => folder.remove());
    return folder.path;
  }

  /** Starts the service on `dataDir`, with a token and an organization unless `environment` says otherwise. */
  serve(dataDir: string, environment: Record<string, string> = {}): Running {
    return this.start(['dist/main.js'], dataDir, environment);
  }

  /** As {@link serve}, and waits until it is ready; answers its address without a trailing slash. */
  async ready(dataDir: string, environment: Record<string, string> = {}): Promise<Running & { url: string }> {
    const running = this.serve(dataDir, environment);
    return { ...running, url: await running.prints(/ready\s+(http:\S+)\/v1\n(?:.*\n)*\n/) };
  }

  /**
   * Starts the database on `dataDir` and waits until it is ready; on any free port, unless `environment` says otherwise.
   *
   * @throws Error when it ends before.
   */
  async database(dataDir: string, environment: Record<string, string> = {}): Promise<RunningDatabase> {
    const running = this.start(['dist/database-main.js'], dataDir, { DATABASE_PORT: '0', ...environment });
    return { ...running, uri: await running.prints(/^The database is ready at (mongodb:\S+)\n/) };
  }

  /** Runs a command of the command line and waits for its end. */
  async command(dataDir: string, args: string[], environment: Record<string, string> = {}): Promise<Ending> {
    return this.begin(dataDir, args, environment).ended;
  }

  /** Starts a command of the command line. */
  begin(dataDir: string, args: string[], environment: Record<string, string> = {}): Running {
    return this.start(['dist/cli/main.js', ...args], dataDir, environment);
  }

  /** Kills what still runs and removes the folders. */
  async clear(): Promise<void> {
    const left = [...this.children];
    await Promise.all(
      left.map((child) => {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        return ended;
      }),
    );
    for (const remove of this.folders.splice(0)) await remove();
  }

  private start(args: string[], dataDir: string, environment: Record<string, string>): Running {
    const child = spawn(process.execPath, args, {
      env: environmentOf(dataDir, environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    child.once('exit', () => this.children.delete(child));
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const ended = new Promise<Ending>((resolve) => {
      child.once('close', (code) => {
        resolve({ code, stdout, stderr });
      });
    });
    const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
    return {
      pid: child.pid ?? 0,
      ended,
      written: () => stdout,
      prints: (pattern) => printed(child, pattern, () => ({ stdout, stderr })),
      kill,
      stop: () => {
        kill('SIGTERM');
        return ended;
      },
    };
  }
}

function printed(child: ChildProcess, pattern: RegExp, texts: () => Omit<Ending, 'code'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const found = pattern.exec(texts().stdout);
      if (found) resolve(found[1] ?? found[0]);
    };
    child.stdout?.on('data', look);
    child.once('close', (code) => {
      const { stdout, stderr } = texts();
      reject(new Error(`The process ended with ${String(code)}: ${stdout}${stderr}`));
    });
    look();
  });
}

/** What `migrate` says of an empty database, or of one without some indexes. */
export const MIGRATED = /^Done: (?:\d{4}-[a-z-]+, )*indexes\n$/;
