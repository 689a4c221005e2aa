import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { ROOT, seconds } from './run';

/**
 * `npm run build`: both apps into dist/client with compressed copies beside each file, the server into dist/server.
 * What has not changed since the last build is left alone, by the content of its sources.
 */

interface Part {
  name: 'client' | 'server';
  /** Without these there is nothing to build. */
  needs: string[];
  /** Files and folders whose content decides whether the part is up to date. */
  sources: string[];
  build(outDir: string): Promise<void>;
}

const COMMON = ['package-lock.json', 'tsconfig.json', 'generated', 'server/tools/build.ts'];
/** Same bytes out for these, whatever they contain. */
const NOT_SOURCE =
  /\.(test|bench)\.tsx?$|^console\/(e2e\/|routes\.gen\.ts$)|^server\/(testing|bench|tools)\/(?!build\.ts$)/;

/**
 * A file that the admin area loads must not lead to the one that starts the console, nor the other way round: both
 * apps would run in one page, and overwrite each other's.
 */
async function refuseBothAppsAtOnce(outDir: string): Promise<void> {
  interface Chunk {
    imports?: string[];
    dynamicImports?: string[];
  }
  const manifest = JSON.parse(await readFile(path.join(outDir, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  for (const [app, other] of [
    ['admin/index.html', 'console/index.html'],
    ['console/index.html', 'admin/index.html'],
  ] as const) {
    const seen = new Set<string>();
    const open = [app as string];
    for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop())
      for (const next of [...(manifest[chunk]?.imports ?? []), ...(manifest[chunk]?.dynamicImports ?? [])]) {
        if (next === other)
          throw new Error(`${app} leads to ${other} by ${chunk}: see FILES in vite.config.ts`);
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
  }
}

const PARTS: Part[] = [
  {
    name: 'client',
    needs: ['console/index.html', 'admin/index.html'],
    sources: ['console', 'admin', 'vite.config.ts', ...COMMON],
    async build(outDir) {
      await viteBuild({ configFile: path.join(ROOT, 'vite.config.ts'), build: { outDir } });
      await refuseBothAppsAtOnce(outDir);
      await compress(outDir);
    },
  },
  {
    name: 'server',
    needs: ['server/main.ts', 'server/cli.ts', 'server/teepod/main.ts'],
    sources: ['server', 'console/lib', ...COMMON],
    async build(outDir) {
      await viteBuild({
        configFile: false,
        // The development server has no place in it; it is only loaded when it runs from source.
        ssr: { external: true },
        build: {
          ssr: true,
          outDir,
          target: 'node20',
          minify: false,
          sourcemap: true,
          rollupOptions: {
            input: {
              main: 'server/main.ts',
              cli: 'server/cli.ts',
              'teepod/main': 'server/teepod/main.ts',
            },
            external: [/tools\/devServer$/],
            output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
          },
        },
      });
    },
  },
];

/** Builds what is out of date. Throws when a build fails; the output of the last good one stays then. */
export async function build({ force = false } = {}): Promise<void> {
  await mkdir(path.join(ROOT, 'dist'), { recursive: true });
  for (const part of PARTS) {
    const missing = part.needs.filter((file) => !existsSync(path.join(ROOT, file)));
    if (missing.length > 0) throw new Error(`cannot build the ${part.name}: ${missing.join(', ')} missing`);
    const outDir = path.join(ROOT, 'dist', part.name);
    const stamp = path.join(ROOT, 'dist', `.stamp-${part.name}`);
    const wanted = await hashOf(part.sources);
    const built = await readFile(stamp, 'utf8').catch(() => '');
    if (!force && built === wanted && existsSync(outDir)) continue;
    const started = Date.now();
    // Built aside and swapped in: a running server keeps serving complete files, and two builds do not mix.
    const draft = `${outDir}.${process.pid}`;
    try {
      await part.build(draft);
      await rm(stamp, { force: true });
      await rm(outDir, { recursive: true, force: true });
      await rename(draft, outDir);
      // The router plugin may have rewritten routes.gen.ts, which does not count as a source.
      await writeFile(stamp, wanted);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    console.log(`built dist/${part.name} in ${seconds(started)}`);
  }
}

async function viteBuild(config: InlineConfig): Promise<void> {
  const vite = await import('vite');
  await vite.build({ root: ROOT, logLevel: 'warn', mode: 'production', ...config });
}

/** One hash over names and contents. */
async function hashOf(sources: string[]): Promise<string> {
  const files: string[] = [];
  const walk = async (name: string): Promise<void> => {
    const entries = await readdir(path.join(ROOT, name), { withFileTypes: true }).catch(() => undefined);
    if (!entries) {
      if (existsSync(path.join(ROOT, name))) files.push(name);
      return;
    }
    for (const entry of entries) {
      const child = `${name}/${entry.name}`;
      if (entry.isDirectory()) await walk(child);
      else if (!NOT_SOURCE.test(child)) files.push(child);
    }
  };
  for (const source of sources) await walk(source);
  const hash = createHash('sha256').update(process.version);
  for (const file of [...new Set(files)].sort())
    hash
      .update(`${file}\0`)
      .update(await readFile(path.join(ROOT, file)))
      .update('\0');
  return hash.digest('hex');
}

const COMPRESSED = /\.(js|css|html|json|svg|map|txt)$/;
/** Below this the headers of a response weigh more than what is saved. */
const SMALLEST = 1_000;

/** Writes file.br and file.gz beside every text file, for the server to send as they are. */
async function compress(dir: string): Promise<void> {
  const brotli = promisify(brotliCompress);
  const deflate = promisify(gzip);
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name) && entry.name !== 'manifest.json')
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      if (content.length < SMALLEST) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      };
      await Promise.all([
        brotli(content, { params }).then((small) => writeFile(`${file}.br`, small)),
        deflate(content, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
      ]);
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build({ force: process.argv.includes('--force') });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
