import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Connect } from 'vite';
import type { RenderPage } from '../../console/lib/public/site';
import type { PublicRenderer } from '../http/pages/public/renderer';
import { ROOT } from './run';

export interface DevServer {
  /** Serves sources, dependencies and hot updates; calls next() for everything else. */
  middleware: Connect.NextHandleFunction;
  /** Returns an app's page, transformed for `url`. */
  page(app: 'console' | 'admin', url: string): Promise<string>;
  /** Renders public pages from their current sources. */
  publicPages: PublicRenderer;
  close(): Promise<void>;
}

/**
 * Runs Vite inside our own server, for development only. Loaded by `import('../tools/devServer')` when TEEHOUSE_DEV
 * is on. Hot updates share the port of the given HTTP server.
 */
export async function createViteMiddleware(server: Server): Promise<DevServer> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    appType: 'custom',
    // The page's inline hot-reload script needs this response's nonce, which http/pages/static.ts inserts.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { middlewareMode: true, hmr: { server } },
  });
  return {
    middleware: vite.middlewares,
    async page(app, url) {
      const html = await readFile(path.join(ROOT, app, 'index.html'), 'utf8');
      // The page's URLs are relative to its folder, but it is served at every path of the app.
      const rooted = html
        .replace(/(src|href)="\.\//g, `$1="/${app}/`)
        .replace(/(src|href)="\.\.\//g, '$1="/');
      return vite.transformIndexHtml(url, rooted);
    },
    publicPages: {
      async render(view) {
        const { renderPage } = (await vite.ssrLoadModule('/console/public/render.tsx')) as {
          renderPage: RenderPage;
        };
        return renderPage(view);
      },
      style: null,
      font: null,
      script: '/console/public/client.ts',
    },
    close: () => vite.close(),
  };
}
