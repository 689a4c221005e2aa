import type { Express, Request, RequestHandler, Response } from 'express';
import { badgePath } from '../../../../console/lib/public/site';
import { NOT_PUBLISHED, shieldsBadge, svgBadge, type Badge } from '../../../domain/public/badge';
import { Problem } from '../../../domain/core/problem';
import { publicBadge } from '../../../operations/public/publicBadge';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';

/**
 * Serves a published app's badge, as an image and in the shields.io format, for pages of any origin. Pages keep
 * the badge after the app is unpublished, so any other ID also gets one, with status 200 as image proxies
 * require.
 */
export function mountBadges(app: Express, services: Services, limits: RateLimits): void {
  const serve =
    (write: (res: Response, badge: Badge) => void): RequestHandler =>
    async (req: Request, res) => {
      await limits.consume('read', visitor(req), res);
      const badge = await publicBadge(services, String(req.params.app_id)).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return NOT_PUBLISHED;
        throw error;
      });
      res.set({
        'Cache-Control': `public, max-age=${badge === NOT_PUBLISHED ? 60 : 300}`,
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Allow-Origin': '*',
      });
      write(res, badge);
    };
  app.get(
    badgePath(':app_id', 'svg'),
    serve((res, badge) => void res.type('svg').send(svgBadge(badge))),
  );
  app.get(
    badgePath(':app_id', 'json'),
    serve((res, badge) => void res.json(shieldsBadge(badge))),
  );
}
