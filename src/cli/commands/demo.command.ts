import type { Command } from 'commander';
import type { Shell } from '../shell.js';

/** `demo`: makes the demonstration organization, also beside others. */
export function addDemoCommand(program: Command, { run, say }: Shell): void {
  program
    .command('demo')
    .description('make a demonstration organization: a person of each role, a space of pages, an empty space')
    .action(async () => {
      await run(
        async (app, config) => {
          const { demonstrate } = await import('../demo/demo.js');
          const { token, organization, spaces } = await demonstrate(app, config.DATA_DIR);
          say(`Organization  ${organization}`);
          say(`Guide         ${spaces.guide}`);
          say(`Empty space   ${spaces.empty}`);
          say(`Token         ${token}`);
        },
        { begin: true },
      );
    });
}
