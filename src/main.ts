import { createRequire } from 'node:module';

// everything is read by `require`, which takes an eighth less processor time for three thousand modules than `import`, and can be as
// nothing in them awaits at the top
createRequire(import.meta.url)('./run.js');
