import type { Express } from 'express';
import { appFeedPath, appPagePath, versionPath } from '../../../../console/lib/public/site';
import { escapeHtml } from '../../../domain/core/escapeHtml';
import { Problem } from '../../../domain/core/problem';
import { publicAppDetail } from '../../../operations/public/publicApp';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';

/** XML has no place for control characters, not even escaped. */
const escapeXml = (text: string) => escapeHtml(text.replace(/[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu, '\ufffd'));

/** Serves an Atom feed (RFC 4287) per published app, with an entry for each version. */
export function mountFeeds(app: Express, services: Services, limits: RateLimits): void {
  const { publicUrl } = services.config;
  app.get(appFeedPath(':app_id'), async (req, res, next) => {
    await limits.consume('read', visitor(req));
    const found = await publicAppDetail(services, String(req.params.app_id), req.ip ?? '').catch(
      (error: unknown) => {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      },
    );
    if (!found) return next();
    const page = publicUrl + appPagePath(found.app_id);
    const entries = found.revisions.map(
      (revision) => `<entry>
<id>${page}#${revision.number}</id>
<title>Version ${revision.number}: compose hash ${revision.compose_hash.slice(0, 12)}…</title>
<updated>${revision.live_at ?? revision.created_at}</updated>
<link href="${revision.changed_from === null ? page : publicUrl + versionPath(found.app_id, revision.number)}"/>
<content type="text">${escapeXml(`Compose hash ${revision.compose_hash}, OS image ${revision.os_image ?? 'unknown'}.`)}</content>
</entry>`,
    );
    const updated = found.revisions[0]?.created_at ?? found.created_at;
    res.type('application/atom+xml').set('Cache-Control', 'public, max-age=300')
      .send(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${page}</id>
<title>${escapeXml(found.name)}</title>
<updated>${updated}</updated>
<author><name>${escapeXml(found.team_name)}</name></author>
<link rel="self" href="${publicUrl}${appFeedPath(found.app_id)}"/>
<link href="${page}"/>
${entries.join('\n')}
</feed>
`);
  });
}
