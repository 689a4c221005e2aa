import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { renderPage } from '../../../../../console/public/render';
import type { TestServer } from '../../../../testing/server';
import { errorHandler } from '../../../errors';
import { createRateLimits } from '../../../rateLimits';
import { nonce, securityHeaders } from '../../../security';
import { mountPublicPages } from '../publicPages';
import type { PublicRenderer } from '../renderer';

/**
 * Serves only the public pages; 418 stands for the console. A visitor may read 20 × `writesPerMinute` pages a
 * minute.
 */
export async function servePublicPages(
  { services, database }: TestServer,
  writesPerMinute = 60,
  render: PublicRenderer['render'] = renderPage,
): Promise<{ http: Server; origin: string }> {
  const app = express();
  app.set('trust proxy', true);
  app.use(nonce, securityHeaders(services.config));
  const renderer = { render, style: '/s.css', font: '/f.woff2', script: '/s.js' };
  mountPublicPages(
    app,
    renderer,
    services,
    createRateLimits({ ...services.config, writesPerMinute }, database.pool),
  );
  app.use((_req, res) => void res.status(418).send('console'));
  app.use(errorHandler(services.log));
  const http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  return { http, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}
