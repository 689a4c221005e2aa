import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import type { Connect } from 'vite';
import { ROOT } from './run';

export interface DevServer {
  /** Serves sources, dependencies and hot updates; calls next() for everything else. */
  middleware: Connect.NextHandleFunction;
  /** The page of an app as the browser should get it at `url`. */
  page(app: 'console' | 'admin', url: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Vite inside our own server, for development only. Loaded by `import('../tools/devServer')` when TEEHOUSE_DEV is on.
 * Give it the http server, so that hot updates share its port.
 */
export async function createViteMiddleware(server: Server): Promise<DevServer> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    appType: 'custom',
    // The page's inline script of hot reload needs this response's nonce; http/static.ts puts it in.
    html: { cspNonce: '__CSP_NONCE__' },
    server: { middlewareMode: true, hmr: { server } },
  });
  return {
    middleware: vite.middlewares,
    async page(app, url) {
      const html = await readFile(path.join(ROOT, app, 'index.html'), 'utf8');
      // Addresses in it are relative to its folder, but the page is served at every address of the app.
      const rooted = html
        .replace(/(src|href)="\.\//g, `$1="/${app}/`)
        .replace(/(src|href)="\.\.\//g, '$1="/');
      return vite.transformIndexHtml(url, rooted);
    },
    close: () => vite.close(),
  };
}
