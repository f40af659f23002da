import { createRequire } from 'node:module';

// everything is read by `require`, which takes a tenth less processor time for so many modules than `import`, and can be as
// nothing in them awaits at the top
createRequire(import.meta.url)('./run.js');
