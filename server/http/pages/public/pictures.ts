import type { Express } from 'express';
import { appPicturePath } from '../../../../console/lib/public/site';
import { Problem } from '../../../domain/core/problem';
import { appPicture, type AppPicture } from '../../../domain/public/appPicture';
import { publicAppOut } from '../../../domain/public/publicAppResponse';
import { publishedApp } from '../../../operations/public/publicApp';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';

const REMEMBERED = 100;

/** Serves the picture that link previews show for a published app. Drawing one takes a while, so some are kept. */
export function mountPictures(app: Express, services: Services, limits: RateLimits): void {
  const known = new Map<string, Promise<Buffer>>();
  const drawn = (shown: AppPicture): Promise<Buffer> => {
    const key = JSON.stringify(shown);
    const found = known.get(key) ?? appPicture(shown);
    known.delete(key);
    known.set(key, found);
    found.catch(() => known.delete(key));
    if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
    return found;
  };
  app.get(appPicturePath(':app_id'), async (req, res, next) => {
    await limits.consume('read', visitor(req));
    const found = await publishedApp(services, String(req.params.app_id)).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    });
    if (!found) return next();
    const { name, team_name, trust } = publicAppOut(found.app);
    const { compose_hash } = found.cvms[0].revision;
    const picture = await drawn({ name, team_name, trust, compose_hash });
    res
      .type('png')
      .set({ 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    res.send(picture);
  });
}
