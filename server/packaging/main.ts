import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root';
import { writePackage } from './writePackage';

/**
 * `npm run package`: writes the output of `npm run build` as dist/package, dist/package/sbom.cdx.json and
 * dist/teehouse-VERSION.tgz.
 */
const folder = path.join(ROOT, 'dist/package');
await writePackage(folder);
const { stdout } = await promisify(execFile)(
  'npm',
  ['pack', '--silent', '--pack-destination', path.join(ROOT, 'dist')],
  {
    cwd: folder,
  },
);
console.log(`wrote dist/${stdout.trim()}; install it with: npm install -g ./dist/${stdout.trim()}`);
