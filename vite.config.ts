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
    reportCompressedSize: false,
    // Lazy chunks are large on purpose (editor, charts, admin); budgets are measured by `npm run bench`.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: { console: 'console/index.html', admin: 'admin/index.html' },
      // Imported by emotion for its own sake only, and CommonJS, which is kept unless said otherwise.
      treeshake: {
        moduleSideEffects: [{ test: /\/node_modules\/hoist-non-react-statics\//, sideEffects: false }],
      },
      // What an app always loads is one file: split by which lazy page also uses it, it was thirty, which together
      // compress a tenth worse.
      output: { codeSplitting: { groups: [{ name: startChunk }] } },
    },
  },
});

interface ModuleInfo {
  importedIds: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Which of the apps' first chunks a module belongs to; null when no app needs it to start. */
function startChunk(id: string, graph: Graph): string | null {
  const needed = APPS.filter((app) => startModules(app, graph).has(id));
  return needed.length === 0 ? null : needed.length === 1 ? `${needed[0]}-start` : 'start';
}

const APPS = ['console', 'admin'] as const;
/** By the information on the app's page, which is the same object throughout one build. */
const known = new WeakMap<ModuleInfo, ReadonlySet<string>>();

/** Everything an app's page imports statically, itself included. */
function startModules(app: string, graph: Graph): ReadonlySet<string> {
  const page = fileURLToPath(new URL(`${app}/index.html`, import.meta.url));
  const info = graph.getModuleInfo(page);
  if (!info) return new Set();
  const before = known.get(info);
  if (before) return before;
  const found = new Set([page]);
  const open = [...info.importedIds];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  known.set(info, found);
  return found;
}
