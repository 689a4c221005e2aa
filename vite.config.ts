import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown, UserConfig } from 'vite';
import { shellBody, shellStyle } from './console/ui/appShell';
import { shellId } from './console/ui/theme';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Splits the console's pages and writes `routes.gen.ts`. Comes before react(), which must see the pieces. */
const consoleRoutes = () =>
  tanstackRouter({
    target: 'react',
    routesDirectory: here('console/routes'),
    generatedRouteTree: here('console/routes.gen.ts'),
    autoCodeSplitting: true,
    quoteStyle: 'single',
    semicolons: true,
    // Helpers and tests may stand beside the routes.
    routeFileIgnorePattern: '\\.test\\.tsx?$',
  });

/** Everything the app's start imports is one file: in pieces it takes more requests and compresses worse. */
const START: Rolldown.CodeSplittingGroup = { name: 'start', tags: ['$initial'], priority: 1 };

/** Pages that most visits begin with. */
const LOGIN = ['console/routes/login.tsx'];
const TEAM_HOME = ['console/routes/$teamSlug.tsx', 'console/routes/$teamSlug.index.tsx'];

/** Generated files that re-export every operation, and those of the first pages' own (codegen.config.ts). */
const ALL_OPERATIONS = /\/generated\/api\/(sdk|@tanstack\/react-query)\.gen\.ts$/;
const FIRST_OPERATIONS = /\/(start|first)\.gen\.ts$/;

/** What @tanstack's packages export from their index and only later pages use. */
const LATER_HOOKS = /\/(queriesObserver|useQueries|useMutationState|useBlocker)\.js$/;

/**
 * What the first pages import, in few files: on a slow connection every further request costs a round trip. Modules that
 * both need are `shared`; those of a team's pages are `team`, which every page of a team loads anyway.
 */
const firstPages = (): Rolldown.CodeSplittingGroup => {
  const reached = new Map<readonly string[], Set<string>>();
  const reach = (routes: readonly string[], context: Rolldown.ChunkingContext): Set<string> => {
    const found = reached.get(routes) ?? new Set(routes.map((route) => `${here(route)}?tsr-split=component`));
    reached.set(routes, found);
    // A Set iterates over what is added meanwhile.
    for (const id of found)
      for (const imported of context.getModuleInfo(id)?.importedIds ?? [])
        if (!LATER_HOOKS.test(imported) && (!ALL_OPERATIONS.test(id) || FIRST_OPERATIONS.test(imported)))
          found.add(imported);
    return found;
  };
  return {
    debugName: 'first pages',
    name(id, context) {
      // The pages keep files of their own, by which the server finds what to preload.
      if (id.endsWith('?tsr-split=component') || !reach(TEAM_HOME, context).has(id)) return null;
      return reach(LOGIN, context).has(id) ? 'shared' : 'team';
    },
  };
};

/** Puts into a page what shows and works before the app's code arrives: its frame, and the script that watches the start. */
const pageStart: Plugin = {
  name: 'page-start',
  transformIndexHtml: () => [
    { tag: 'script', children: readFileSync(here('console/pageStart.js'), 'utf8'), injectTo: 'head-prepend' },
    { tag: 'style', attrs: { nonce: '__CSP_NONCE__' }, children: shellStyle, injectTo: 'head-prepend' },
    { tag: 'div', attrs: { id: shellId, 'aria-hidden': 'true' }, children: shellBody, injectTo: 'body' },
  ],
};

/** The production build of one app: the console at `/`, the admin area at `/admin/`. */
export function appConfig(app: 'console' | 'admin'): UserConfig {
  return {
    root: here(app),
    base: app === 'console' ? '/' : `/${app}/`,
    publicDir: false,
    plugins: [app === 'console' ? consoleRoutes() : [], react(), pageStart],
    build: {
      outDir: here(`dist/${app}`),
      emptyOutDir: true,
      manifest: true,
      target: 'es2023',
      // The content security policy admits no data: scripts.
      assetsInlineLimit: 0,
      // Every browser of the target preloads modules.
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // Editor and charts are large and load on demand; `npm run bench -- web` measures what pages start with.
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        // Pages may load a module on demand that another page starts with.
        checks: { ineffectiveDynamicImport: false },
        // Without this a page loads every generated operation through the files that re-export them, and what Emotion
        // imports for class components.
        treeshake: {
          moduleSideEffects: [{ test: /\/(generated|hoist-non-react-statics)\//, sideEffects: false }],
        },
        output: { codeSplitting: { groups: app === 'console' ? [START, firstPages()] : [START] } },
      },
    },
  };
}

const PUBLIC_ROOT = here('console');

/** Style sheets of pages without a script, which Vite leaves out: no script uses their classes. */
const keepStyles: Plugin = {
  name: 'keep-styles',
  enforce: 'post',
  transform: (code, id) =>
    id.endsWith('.module.css') ? { code, moduleSideEffects: 'no-treeshake' } : undefined,
};

/** The browser's part of the public pages: one style sheet, and a script for the pages that are interactive. */
export const publicConfig: UserConfig = {
  root: PUBLIC_ROOT,
  base: '/public/',
  publicDir: false,
  plugins: [react(), keepStyles],
  build: {
    outDir: here('dist/public'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One style sheet for all pages: the second page has it already.
    cssCodeSplit: false,
    rolldownOptions: { input: here('console/public/client.ts') },
  },
};

/** The server's part of the public pages: `renderPage`. */
export const publicServerConfig: UserConfig = {
  root: PUBLIC_ROOT,
  publicDir: false,
  plugins: [react()],
  ssr: { noExternal: true },
  // Otherwise React would decide at run time, and be the slow one unless NODE_ENV says otherwise.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: here('console/public/render.tsx'),
    outDir: here('dist/public/server'),
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: { output: { entryFileNames: 'render.js' } },
  },
};

/** The development server, which serves both apps from source. */
export default { publicDir: false, plugins: [consoleRoutes(), react()] } satisfies UserConfig;
