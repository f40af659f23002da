// Runs all static checks, two at a time, and prints what each says when it is done: npm run check
import { spawn } from 'node:child_process';

/** Each row runs from left to right, beside the other; lint takes as long as the rest together. */
const ROWS = [['lint'], ['types', 'layers', 'format']];

/** Runs one check; answers whether all is well. */
function check(name) {
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`${code === 0 ? 'ok   ' : 'WRONG'}  ${name}, ${seconds} s`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(
  ROWS.map(async (names) => {
    const done = [];
    for (const name of names) done.push(await check(name));
    return done;
  }),
);
process.exitCode = results.flat().every(Boolean) ? 0 : 1;
