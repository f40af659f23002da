// `npm run build`: compiles src into dist and bundles what a start reads.
import { spawnSync } from 'node:child_process';
import { marking } from './build-mark.mjs';
import { bundle } from './bundle.mjs';

await marking(async () => {
  const { status } = spawnSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  await bundle();
});
