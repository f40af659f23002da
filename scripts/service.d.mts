/** A service that runs as a process of its own. */
export interface RunningService {
  /** Its address, without a trailing slash. */
  url: string;
  pid: number;
  /** From its start until it was ready, ms. */
  ready: number;
  /** Ends it as an operator does; resolves when the process is gone. */
  stop(): Promise<unknown>;
  /** Kills it; resolves when the process is gone. */
  kill(): Promise<unknown>;
}

/** Calls an operation and answers the parsed body; throws for any status that is not a success. */
export type Caller = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

export const TOKEN: string;
export function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }>;
export function environmentOf(dataDir: string, extra?: Record<string, string>): Record<string, string | undefined>;
export function startService(dataDir: string, extra?: Record<string, string>): Promise<RunningService>;
export function callerOf(url: string, token?: string): Caller;
export function runCli(dataDir: string, args: string[]): Promise<string>;
