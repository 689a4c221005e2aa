import path from 'node:path';
import { build } from 'vite';
import { ROOT } from '../../root';

/** `tsx bundle.ts FILE`: bundles the tiny model's server into one file, except its engine. */
const [, , file = ''] = process.argv;
await build({
  root: ROOT,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: ['node-llama-cpp'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: path.dirname(file),
    minify: false,
    rollupOptions: {
      input: { main: path.join(ROOT, 'server/tools/tinyModel/main.ts') },
      output: { entryFileNames: path.basename(file), codeSplitting: false },
    },
  },
});
