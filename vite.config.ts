import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
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
    rollupOptions: { input: { console: 'console/index.html', admin: 'admin/index.html' } },
  },
});
