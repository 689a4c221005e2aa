import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

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
      // What is always loaded together is one file: split by which lazy page also uses it, it was thirty, which
      // compress a tenth worse.
      output: {
        codeSplitting: {
          groups: [
            { name: startPart, priority: 5 },
            { name: appPart, priority: 4 },
            { name: formsPart, priority: 3 },
            { name: authPart, priority: 2 },
            { name: teamPart, priority: 1 },
          ],
        },
      },
    },
  },
});

interface ModuleInfo {
  importedIds: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const component = (route: string) => here(`console/routes/${route}.tsx`) + '?tsr-split=component';

/** What is loaded together, by the modules it begins with. */
const PARTS = {
  console: [here('console/index.html')],
  admin: [here('admin/index.html')],
  auth: [component('login'), component('register')],
  /** The shell and the first page inside it: every page of a team needs most of it. */
  team: [component('$teamSlug'), component('$teamSlug.index')],
};

// A group takes what its modules import along, unless a group of higher priority has it: hence so many. Null
// leaves a module to the bundler, as everything that only some pages need.

/** What both apps begin with, before either takes it along: one that did would be loaded, and run, by the other. */
function startPart(id: string, graph: Graph): string | null {
  return reachable(PARTS.console, graph).has(id) && reachable(PARTS.admin, graph).has(id) ? 'start' : null;
}

function appPart(id: string, graph: Graph): string | null {
  if (reachable(PARTS.console, graph).has(id)) return 'console';
  return reachable(PARTS.admin, graph).has(id) ? 'admin' : null;
}

/** Fields and buttons that the sign-in pages share with the shell, apart, so that neither brings the other. */
function formsPart(id: string, graph: Graph): string | null {
  return reachable(PARTS.auth, graph).has(id) && reachable(PARTS.team, graph).has(id) ? 'forms' : null;
}

function authPart(id: string, graph: Graph): string | null {
  return reachable(PARTS.auth, graph).has(id) ? 'auth' : null;
}

function teamPart(id: string, graph: Graph): string | null {
  return reachable(PARTS.team, graph).has(id) ? 'team' : null;
}

/** By the information on the first module, which is the same object throughout one build. */
const known = new WeakMap<ModuleInfo, ReadonlySet<string>>();

/** Everything these modules import statically, themselves included. */
function reachable(roots: readonly string[], graph: Graph): ReadonlySet<string> {
  const key = graph.getModuleInfo(roots[0]!);
  if (!key) return new Set();
  const before = known.get(key);
  if (before) return before;
  const found = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  known.set(key, found);
  return found;
}
