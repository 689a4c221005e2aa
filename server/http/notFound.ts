import type { RequestHandler } from 'express';
import { operations } from '../../generated/api/operations.gen';
import { Problem } from '../domain/core/problem';

const patterns = Object.values(operations).map((spec) => ({
  method: spec.method.toUpperCase(),
  pattern: new RegExp(`^/api/v1${spec.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
}));

/** A known path with another method is 405 with `Allow`; anything else is 404. */
export const notFound: RequestHandler = (req, res, next) => {
  const allowed = patterns.filter(({ pattern }) => pattern.test(req.path)).map(({ method }) => method);
  if (allowed.length === 0) return next(new Problem('NOT_FOUND', { message: "This URL doesn't exist." }));
  res.setHeader('Allow', [...new Set(allowed)].join(', '));
  next(new Problem('METHOD_NOT_ALLOWED'));
};
