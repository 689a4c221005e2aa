import type { Express } from 'express';
import { appPicturePath } from '../../../../console/lib/public/site';
import { Problem } from '../../../domain/core/problem';
import { publicAppOut } from '../../../domain/public/publicAppResponse';
import { appPicture, type AppPicture } from '../../../drivers/pictures';
import { publishedApp } from '../../../operations/public/publicApp';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';

/** Image of the console, on the home page and in link previews. */
export const GENERAL_PICTURE = '/public/console.png';

const REMEMBERED = 100;
/** Each takes a thread that file access and password hashes also need. */
const MAX_CONCURRENT = 2;

/**
 * Serves a published app's link preview image. Rendering takes a while, so some are cached; while others are being
 * rendered, previews get the generic image.
 */
export function mountPictures(
  app: Express,
  services: Services,
  limits: RateLimits,
  draw: typeof appPicture = appPicture,
): void {
  const known = new Map<string, Promise<Buffer>>();
  let drawing = 0;
  /** Null while too many others are being rendered. */
  const drawn = (shown: AppPicture): Promise<Buffer> | null => {
    const key = JSON.stringify(shown);
    let found = known.get(key);
    if (!found) {
      if (drawing >= MAX_CONCURRENT) return null;
      drawing++;
      found = draw(shown).finally(() => drawing--);
      found.catch(() => known.delete(key));
    }
    known.delete(key);
    known.set(key, found);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
    return found;
  };
  app.get(appPicturePath(':app_id'), async (req, res, next) => {
    await limits.consume('read', visitor(req), res);
    const found = await publishedApp(services, String(req.params.app_id)).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    });
    if (!found) return next();
    const { name, team_name, trust } = publicAppOut(found.app);
    const { compose_hash } = found.cvms[0].revision;
    const picture = await drawn({ brand: services.site.brand, name, team_name, trust, compose_hash });
    res.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (!picture) return res.set('Cache-Control', 'no-store').redirect(302, GENERAL_PICTURE);
    res.type('png').set('Cache-Control', 'public, max-age=300').send(picture);
  });
}
