import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** Sends a text with its ETag, or 304 if the client already has it. */
export function sendTagged(req: Request, res: Response, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  res.set('ETag', etag);
  if (req.get('if-none-match') === etag && res.statusCode === 200) res.status(304).end();
  else res.send(text);
}
