import express, { type Express } from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { apiVersions } from '../../generated/api/apiVersions.gen';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { problems } from '../../generated/api/permissions.gen';
import { escapeHtml } from '../domain/core/escapeHtml';
import { ROOT } from '../root';
import { DEFAULT_VERSION } from './compat/versions';

/** Serves `/openapi.json`, the reference at `/docs`, the problem codes and the API changelog, all locally. */
export function mountDocs(app: Express): void {
  const document = readFileSync(join(ROOT, 'generated/openapi.json'));
  app.get(
    '/openapi.json',
    (_req, res) =>
      void res.type('application/json').set('Cache-Control', 'public, max-age=300').send(document),
  );
  app.get(['/docs', '/docs/'], (req, res) => {
    if (!req.path.endsWith('/')) return res.redirect(308, '/docs/');
    res
      .type('html')
      .send(
        page(
          'API reference',
          '<div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script>',
          '<link rel="stylesheet" href="swagger-ui.css">',
        ),
      );
  });
  const keys = readFileSync(join(ROOT, 'console/pageKeys.js'));
  app.get('/docs/keys.js', (_req, res) => void res.type('js').send(keys));
  app.get('/docs/start.js', (_req, res) => {
    res
      .type('js')
      .send(
        "window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, persistAuthorization: false, tryItOutEnabled: false, filter: true });\n",
      );
  });
  app.get(
    '/docs/errors',
    (_req, res) => void res.type('html').send(page('Error codes', errorTable(String(res.locals.nonce)))),
  );
  app.get(
    '/docs/changelog',
    (_req, res) => void res.type('html').send(page('API changelog', changelog(String(res.locals.nonce)))),
  );
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  app.use('/docs', express.static(swagger, { index: false, immutable: true, maxAge: '1d' }));
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Teehouse</title><link rel="icon" href="/favicon.ico">${head}</head><body>${body}${KEYS}</body></html>`;
}

/** The shortcut list opened by "?", as on public pages; console/pageKeys.js handles its keys. */
const KEYS = `<div id="keys" popover="auto" role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">Keyboard shortcuts</h2><dl>${[
  ['h', '/', 'Home'],
  ['r', '/docs/', 'API reference'],
  ['c', '/docs/errors', 'Error codes'],
  ['v', '/docs/changelog', 'API changelog'],
]
  .map(
    ([key, href, text]) =>
      `<div><dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd><a href="${href}" data-key="${key}">${text}</a></dd></div>`,
  )
  .join(
    '',
  )}<div><dt><kbd>?</kbd></dt><dd>Show shortcuts</dd></div></dl><p><label><input type="checkbox" id="single-keys" checked> Single-key shortcuts</label></p><button type="button" popovertarget="keys" autofocus>Close</button></div><script src="/docs/keys.js"></script>`;

function errorTable(nonce: string): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title, what_to_do }]) =>
      `<tr id="${code}"><th scope="row"><a href="#${code}">${code}</a></th><td>${status}</td><td>${escapeHtml(title)}</td><td>${escapeHtml(what_to_do)}</td></tr>`,
  );
  return `${style(nonce)}<main><h1>Error codes</h1><p>Every API error has one of these codes in <code>code</code> and the request’s ID in <code>request_id</code>. Its <code>message</code> and <code>suggestions</code> are often more specific than this list.</p><p>A 409 without a top-level <code>error_code</code> is temporary: repeat the request after the number of seconds in <code>Retry-After</code>.</p><p><a href="/docs/">API reference</a> · <a href="/docs/changelog">API changelog</a></p><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></main>`;
}

const style = (nonce: string) =>
  `<style nonce="${nonce}">body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1d2420;background:#faf9f6}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.5rem .75rem;border-bottom:1px solid #dcd8cf;vertical-align:top}th a{color:#1f6b4a;font-family:ui-monospace,monospace;white-space:nowrap}main a{color:#1f6b4a}tr:target{background:#e3efe7}@media(max-width:640px){thead{display:none}tr{display:block;padding:.5rem 0;border-bottom:1px solid #dcd8cf}th,td{border:0;padding:.1rem 0}th,td:nth-child(2){display:inline-block;margin-right:.75rem}td:nth-child(n+3){display:block}td:nth-child(3){font-weight:600}}@media(prefers-color-scheme:dark){body{color:#e6e4de;background:#161815}th,td{border-color:#33362f}main a,th a{color:#7cc7a0}tr:target{background:#20352a}}@media(prefers-color-scheme:dark)and (max-width:640px){tr{border-color:#33362f}}</style>`;

/** Escapes text and renders backticked parts as code. */
const inline = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

function changelog(nonce: string): string {
  const route = (id: string) => {
    const { method, path } = operations[id as OperationId];
    return `<code>${method.toUpperCase()} ${escapeHtml(path)}</code>`;
  };
  const sections = Object.entries(apiVersions).map(([version, { summary, changes }]) => {
    const rows = changes.map(
      ({ operations: ids, change }) =>
        `<tr><td>${ids.map(route).join('<br>')}</td><td>${inline(change)}</td></tr>`,
    );
    const table = `<table><thead><tr><th scope="col">Operations</th><th scope="col">Change</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
    return `<h2 id="${version}">${version}</h2><p>${inline(summary)}</p>${rows.length > 0 ? table : ''}`;
  });
  return `${style(nonce)}<main><h1>API changelog</h1><p>API versions are named by date. Requests select one with the <code>X-Phala-Version</code> header; without it, they use their token’s default version, or ${DEFAULT_VERSION}. Responses keep that version’s format.</p><p>New operations and fields don’t require a new version: ignore unknown fields.</p><p><a href="/docs/">API reference</a></p>${sections.join('')}</main>`;
}
