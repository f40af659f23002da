/** The embedded database as a process of its own, to be killed: `node engine-process.mjs <folder>` prints its address. */
import { startEngine } from '../../dist/database/embedded/index.js';

const engine = await startEngine({ path: process.argv[2], durability: 'flush' });
console.log(engine.uri);
