import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import helmet from 'helmet';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config';
import { fewRandomBytes } from '../domain/core/random';
import { ROOT } from '../root';

/** Sets a fresh nonce per response: runtime styles carry it, injected ones can't. */
export const nonce: RequestHandler = (_req, res, next) => {
  res.locals.nonce = fewRandomBytes(16).toString('base64');
  next();
};

/**
 * The inline scripts, which the policy allows by their hashes. vite.config.ts puts the first into the apps' pages;
 * public pages have both.
 */
const INLINE_SCRIPTS = ['console/pageStart.js', 'console/pageKeys.js'];

const hashesOfScripts = () =>
  INLINE_SCRIPTS.map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(ROOT, file)));
    return `'sha256-${hash.digest('base64')}'`;
  });

/**
 * Strict CSP: scripts only from our own files, styles with this response's nonce, no plugins or base.
 *
 * @param framable whether other sites may show the page in a frame
 */
export function securityHeaders(
  config: Pick<Config, 'publicUrl' | 'posthogKey' | 'posthogHost' | 'dev'>,
  { framable = false }: { framable?: boolean } = {},
): RequestHandler {
  const analytics = config.posthogKey ? [config.posthogHost] : [];
  const https = config.publicUrl.startsWith('https:');
  const headers = helmet({
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: framable ? 'cross-origin' : 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: framable ? false : { action: 'deny' },
    // Only for long-obsolete browsers, and ineffective alongside this policy.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [
          "'self'",
          ...(config.dev
            ? [(_req: unknown, res: ServerResponse) => `'nonce-${nonceOf(res)}'`]
            : hashesOfScripts()),
        ],
        styleSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res)}'`],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...analytics, ...(config.dev ? ['ws:'] : [])],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: [framable ? '*' : "'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
  });
  return replayed(headers);
}

/** Placeholder for the nonce, the only part of the headers that differs between responses. */
const ANY_NONCE = 'any-nonce';

/** Sets the headers of a handler, run once: computing them for each response would take several times as long. */
function replayed(handler: RequestHandler): RequestHandler {
  const constant: [name: string, value: string][] = [];
  const varying: [name: string, parts: string[]][] = [];
  const recorder = {
    locals: { nonce: ANY_NONCE },
    removeHeader: () => undefined,
    setHeader(name: string, value: string) {
      if (value.includes(ANY_NONCE)) varying.push([name, value.split(ANY_NONCE)]);
      else constant.push([name, value]);
    },
  };
  void handler({} as Request, recorder as unknown as Response, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return (_req, res, next) => {
    for (const [name, value] of constant) res.setHeader(name, value);
    const given = nonceOf(res);
    for (const [name, parts] of varying) res.setHeader(name, parts.join(given));
    next();
  };
}

const nonceOf = (res: object) => String((res as { locals?: { nonce?: string } }).locals?.nonce ?? '');

export const permissionsPolicy: RequestHandler = (_req, res, next) => {
  res.setHeader(
    'Permissions-Policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self)',
  );
  next();
};

/** For data responses, in which a browser runs nothing. Page policies would add a third of a KB to each. */
export const dataPolicy: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', "default-src 'none';frame-ancestors 'none'");
  res.removeHeader('Permissions-Policy');
  next();
};
