import type { Command } from 'commander';
import type { Problem } from '../../database/index.js';
import type { Shell } from '../shell.js';

/** `doctor`: checks that what is stored agrees, and repairs what can be repaired without loss. */
export function addDoctorCommand(program: Command, { run, say, fail }: Shell): void {
  program
    .command('doctor')
    .description('check that everything stored agrees; exits with 1 when something does not')
    .option('--repair', 'put right what can be put right without losing anything')
    .action(async ({ repair = false }: { repair?: boolean }) => {
      await run(async (app) => {
        const { Invariants } = await import('../../database/index.js');
        let wrong = 0;
        for (const [name, find] of app.get(Invariants, { strict: false }).entries()) {
          let found = 0;
          for await (const problem of find()) {
            found += 1;
            const { line, gone } = await treat(problem, repair);
            say(line);
            if (!gone) wrong += 1;
          }
          say(`${found === 0 ? 'ok   ' : 'WRONG'}  ${name}${found === 0 ? '' : ` (${String(found)})`}`);
        }
        say(
          wrong === 0
            ? 'All is well.'
            : `${wrong === 1 ? '1 problem is' : `${String(wrong)} problems are`} left${repair ? '' : '; --repair puts right what it can'}.`,
        );
        if (wrong > 0) fail();
      });
    });
}

/** Repairs `problem` if that is asked for and can be done; answers what to say of it, and whether it is gone. */
async function treat({ where, what, repair }: Problem, wanted: boolean): Promise<{ line: string; gone: boolean }> {
  if (wanted && repair) await repair();
  const gone = wanted && repair !== undefined;
  return { line: `       ${where}: ${what}${gone ? ' - repaired' : ''}`, gone };
}
