import path from 'node:path';
import { ROOT, run } from '../run';
import { writeAction } from './writeAction';
import { writeClient } from './writeClient';

/** Part of `npm run package`: writes dist/action and dist/client, and each as an archive that npm installs. */
for (const [name, write] of [
  ['action', writeAction],
  ['client', writeClient],
] as const) {
  const folder = path.join(ROOT, 'dist', name);
  await write(folder);
  const { code, output } = await run('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    path.join(ROOT, 'dist'),
    folder,
  ]);
  if (code !== 0) throw new Error(output);
  console.log(`wrote dist/${name} and dist/${output.trim()}`);
}
