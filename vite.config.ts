import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const component = (route: string) => here(`console/routes/${route}.tsx`) + '?tsr-split=component';

/** What is loaded together, by the modules it begins with; with `later` also what those load on demand. */
const PARTS = {
  console: { from: [here('console/index.html')] },
  consolePages: { from: [here('console/index.html')], later: true },
  /** The admin area up to its lists. */
  admin: { from: [here('admin/index.html')] },
  // With the pages it loads later: what they share with the console must not lie in a file that starts the console.
  adminPages: { from: [here('admin/index.html')], later: true },
  auth: { from: [component('login')] },
  /** The shell and the first page inside it: every page of a team needs most of it. */
  team: { from: [component('$teamSlug'), component('$teamSlug.index')] },
} satisfies Record<string, { from: readonly string[]; later?: boolean }>;
type Part = keyof typeof PARTS;

/**
 * A list has no form and writes nothing, yet imports what does by react-admin's index, which leads to all there is. These
 * come with the pages that use them.
 */
const LATER =
  /\/node_modules\/(react-hook-form|@mui\/material\/useAutocomplete|lodash\/_?\w*[mM]erge|ra-core\/dist\/(form|controller\/(create|edit|saveContext|show)|dataProvider\/use(Create|Delete|GetOne|Update|MutationWith\w+)\.))/;

/**
 * The files these become: the modules of a part, or of a part that another needs too. Earlier ones take first; what
 * none takes (all that only some pages need) is the bundler's to arrange.
 */
const FILES: [name: string, part: Part, also?: Part[]][] = [
  ['start', 'console', ['adminPages']],
  ['console', 'console'],
  ['forms', 'auth', ['adminPages']],
  // Apart from the one above: what the admin area loads must not lead to the file that starts the console.
  ['asking', 'auth', ['team']],
  ['auth', 'auth'],
  ['frame', 'team', ['adminPages']],
  ['team', 'team'],
  // What some page of the console needs too must not lie in the file that starts the admin area.
  ['both', 'admin', ['consolePages']],
  ['admin', 'admin'],
];

/** The theme turns MUI's ripple off, yet every button would bring it. */
const withoutRipple: Plugin = {
  name: 'without-ripple',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './TouchRipple.mjs' && importer?.endsWith('/ButtonBase/ButtonBase.mjs') ? '\0no-ripple' : null,
  load: (id) => (id === '\0no-ripple' ? 'export default () => null' : null),
};

/**
 * What is loaded on demand is asked for again when the connection broke for a moment (another network, a tunnel): a
 * page would stop working for it. Every import() of the build goes through this helper of Vite's.
 */
const loadAgain: Plugin = {
  name: 'load-again',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('vite/preload-helper')) return null;
    const call = 'baseModule().catch(';
    if (!code.includes(call))
      throw new Error('Vite’s preload helper has another shape: load-again does nothing');
    return `${code.replace(call, 'loadAgain(baseModule).catch(')}
async function loadAgain(load) {
  for (const wait_ms of [200, 800, 2000]) {
    try {
      return await load();
    } catch (error) {
      // As Chromium, Firefox and Safari say that it did not come; what a module threw itself it would throw again.
      if (!/dynamically imported module|Importing a module script failed/.test(error?.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
    }
  }
  return load();
}`;
  },
};

/**
 * Both apps in one build, so that they share chunks: the console at `/`, the admin area at `/admin`.
 * The server is built by server/tools/build.ts; in development it mounts this configuration as middleware.
 */
export default defineConfig({
  base: '/',
  publicDir: false,
  plugins: [
    // Before react(): it splits route files, and react() must see the pieces.
    tanstackRouter({
      target: 'react',
      routesDirectory: 'console/routes',
      generatedRouteTree: 'console/routes.gen.ts',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: true,
      // Helpers and tests may stand beside the routes.
      routeFileIgnorePattern: '\\.test\\.tsx?$',
    }),
    react(),
    withoutRipple,
    loadAgain,
  ],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The strict content security policy has no data: scripts, and one request more is cheap over HTTP keep-alive.
    assetsInlineLimit: 0,
    // Every browser of the target knows it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Lazy chunks are large on purpose (editor, charts, admin); budgets are measured by `npm run bench`.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: { console: 'console/index.html', admin: 'admin/index.html' },
      // Imported by emotion for its own sake only, and CommonJS, which is kept unless said otherwise.
      treeshake: {
        moduleSideEffects: [{ test: /\/node_modules\/hoist-non-react-statics\//, sideEffects: false }],
      },
      // A page that needs a module only later asks for it then, though another page begins with it.
      checks: { ineffectiveDynamicImport: false },
      // What is always loaded together is one file: split by which lazy page also uses it, it was thirty, which
      // compress a tenth worse.
      output: {
        codeSplitting: {
          groups: FILES.map(([name, part, also], i) => ({
            debugName: name,
            name: (id: string, graph: Graph) =>
              has(part, id, graph) &&
              (!also || also.some((other) => has(other, id, graph))) &&
              (name !== 'admin' || !LATER.test(id))
                ? name
                : null,
            priority: FILES.length - i,
          })),
        },
      },
    },
  },
});

interface ModuleInfo {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** By the information on a part's first module, which is the same object throughout one build. */
const known = new WeakMap<ModuleInfo, Map<Part, ReadonlySet<string>>>();

/** Whether a part has this module: imports it, directly or not. */
function has(part: Part, module: string, graph: Graph): boolean {
  const { from, later = false }: { from: readonly string[]; later?: boolean } = PARTS[part];
  const key = graph.getModuleInfo(from[0] ?? '');
  if (!key) return false;
  const parts = known.get(key) ?? new Map<Part, ReadonlySet<string>>();
  known.set(key, parts);
  let found = parts.get(part);
  if (!found) {
    const reached = new Set<string>();
    const open = [...from];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      const info = graph.getModuleInfo(id);
      open.push(...(info?.importedIds ?? []), ...(later ? (info?.dynamicallyImportedIds ?? []) : []));
    }
    parts.set(part, (found = reached));
  }
  return found.has(module);
}
