import { environmentOf } from '../../scripts/service.mjs';
import { runCommandLine } from '../../src/cli/command-line.js';
import type { Ending } from './processes.js';

/**
 * Runs a command of the command line on `dataDir` in this process, which takes a tenth of a process of its own; whether a
 * service runs there or not.
 */
export async function runCommand(
  dataDir: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ending> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(args, {
    environment: environmentOf(dataDir, environment),
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
  });
  return { code, stdout, stderr };
}
