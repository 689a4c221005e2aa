import { randomBytes } from 'node:crypto';
import helmet from 'helmet';
import type { RequestHandler } from 'express';
import type { Config } from '../config';

/** A fresh nonce per response: styles made at run time carry it, anything injected does not. */
export const nonce: RequestHandler = (_req, res, next) => {
  res.locals.nonce = randomBytes(16).toString('base64');
  next();
};

/** Strict CSP: scripts only from our own files, styles with this response's nonce, no framing, no plugins, no base. */
export function securityHeaders(
  config: Pick<Config, 'publicUrl' | 'posthogKey' | 'posthogHost' | 'dev'>,
): RequestHandler {
  const analytics = config.posthogKey ? [config.posthogHost] : [];
  const https = config.publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: config.dev ? ["'self'", (_req, res) => `'nonce-${nonceOf(res)}'`] : ["'self'"],
        styleSrc: ["'self'", (_req, res) => `'nonce-${nonceOf(res)}'`],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...analytics, ...(config.dev ? ['ws:'] : [])],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

const nonceOf = (res: object) => String((res as { locals?: { nonce?: string } }).locals?.nonce ?? '');

export const permissionsPolicy: RequestHandler = (_req, res, next) => {
  res.setHeader(
    'Permissions-Policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self)',
  );
  next();
};
