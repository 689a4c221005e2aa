import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../root';

/** Returns a program of `server/mcp/programs` with everything it imports, as one module for Node.js. Deterministic. */
export async function bundle(program: string): Promise<string> {
  const entry = join(ROOT, 'server/mcp/programs', program);
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      write: false,
      target: 'node24',
      minify: false,
      rollupOptions: { output: { format: 'es' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error(`couldn't bundle ${entry}`);
  const [chunk, ...others] = output.output;
  if (chunk.type !== 'chunk' || others.length > 0) throw new Error(`${entry} must become one file`);
  return chunk.code;
}
