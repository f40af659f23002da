/** The embedded database as a process of its own, to be killed: `node engine-server.mjs <folder> [options, as JSON]` prints its address. */
import { startEngine } from '../../dist/database/embedded/index.js';

const [path, options = '{}'] = process.argv.slice(2);
const engine = await startEngine({ path, durability: 'flush', ...JSON.parse(options) });
process.once('SIGTERM', () => void engine.stop());
console.log(engine.uri);
