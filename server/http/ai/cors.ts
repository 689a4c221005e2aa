import type { RequestHandler } from 'express';

/** Headers that OpenAI clients send from browsers. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'X-Client-Pub-Key',
  'X-E2EE-Nonce',
  'X-E2EE-Timestamp',
  'X-E2EE-Version',
  'X-Model-Pub-Key',
  'OpenAI-Organization',
  'OpenAI-Project',
  // Sent by browsers that don't replace it with their own.
  'User-Agent',
  'X-Stainless-Arch',
  'X-Stainless-Helper-Method',
  'X-Stainless-Lang',
  'X-Stainless-OS',
  'X-Stainless-Package-Version',
  'X-Stainless-Retry-Count',
  'X-Stainless-Runtime',
  'X-Stainless-Runtime-Version',
  'X-Stainless-Timeout',
].join(', ');
const EXPOSED = [
  'Retry-After',
  'X-Request-Id',
  'X-Should-Retry',
  'X-Teehouse-Gateway',
  'X-ACI-Version',
  'X-ACI-Keyset-Digest',
  'X-Receipt-Id',
  'X-E2EE-Algo',
  'X-E2EE-Applied',
  'X-E2EE-Version',
  ...['Limit', 'Remaining', 'Reset'].flatMap((what) => [
    `X-RateLimit-${what}-Requests`,
    `X-RateLimit-${what}-Tokens`,
  ]),
].join(', ');

/**
 * Any page may call the gateway: access depends on the key, which browsers never send on their own; cookies are
 * ignored.
 */
export const cors: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Expose-Headers', EXPOSED);
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  res.setHeader('Access-Control-Allow-Headers', ALLOWED);
  res.setHeader('Access-Control-Max-Age', '7200');
  res.status(204).end();
};
