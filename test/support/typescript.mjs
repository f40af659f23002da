import { register } from 'node:module';

/** Lets Node.js import the project's TypeScript: given to the processes of the tests by `scripts/test.mjs`. */
register('./typescript-hooks.mjs', import.meta.url);
