import type { Express } from 'express';
import { appFeedPath, appPagePath, versionPath } from '../../../../console/lib/public/site';
import type { PublicAppDetail } from '../../../../generated/api/types.gen';
import { escapeHtml } from '../../../domain/core/escapeHtml';
import { Problem } from '../../../domain/core/problem';
import { asText } from '../../../domain/public/watch';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { publicBadge } from '../../../operations/public/publicBadge';
import { publicChange } from '../../../operations/public/publicChange';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';
import { sendTagged } from './sendTagged';

/** XML allows no control characters, not even escaped. */
const escapeXml = (text: string) =>
  escapeHtml(text.replace(/(?!\n)[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu, '\ufffd'));

/** Number of newest entries that include their changes; older ones link to them. */
const WITH_CHANGES = 10;

interface Entry {
  id: string;
  title: string;
  at: string;
  href: string;
  content: string[];
}

async function entriesOf({ db, config }: Services, app: PublicAppDetail): Promise<Entry[]> {
  const page = config.publicUrl + appPagePath(app.app_id);
  const versions = app.revisions.map(async (revision, i): Promise<Entry> => {
    const { number, compose_hash, os_image, created_at, live_at, changed_from } = revision;
    const change =
      changed_from !== null && i < WITH_CHANGES ? await publicChange(db, app.app_id, number) : null;
    return {
      id: `${page}#${number}`,
      title: `Version ${number}: compose hash ${compose_hash.slice(0, 12)}…`,
      at: live_at ?? created_at,
      href: changed_from === null ? page : config.publicUrl + versionPath(app.app_id, number),
      content: [
        `Compose hash ${compose_hash}, OS image ${os_image ?? 'unknown'}.`,
        ...(change ? [`Compared with version ${change.before.number}:`, ...asText(change)] : []),
      ],
    };
  });
  const owners = app.owner_changes.map(({ owner, tx_hash, at }): Entry => ({
    id: `${page}#owner-${tx_hash}-${owner}`,
    title: 'The app’s contract has a new owner',
    at,
    href: page,
    content: [`Owner ${owner}, transaction ${tx_hash}.`],
  }));
  return [...(await Promise.all(versions)), ...owners].sort((a, b) => b.at.localeCompare(a.at));
}

const written = ({ id, title, at, href, content }: Entry) => `<entry>
<id>${escapeXml(id)}</id>
<title>${escapeXml(title)}</title>
<updated>${at}</updated>
<link href="${escapeXml(href)}"/>
<content type="text">${escapeXml(content.join('\n'))}</content>
</entry>`;

/** Serves an Atom feed (RFC 4287) per published app, with an entry for each version and each owner of its contract. */
export function mountFeeds(app: Express, services: Services, limits: RateLimits): void {
  const { publicUrl } = services.config;
  app.get(appFeedPath(':app_id'), async (req, res, next) => {
    await limits.consume('read', visitor(req), res);
    const found = await publicAppDetail(services, String(req.params.app_id), req.ip ?? '').catch(
      (error: unknown) => {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      },
    );
    if (!found) return next();
    const page = publicUrl + appPagePath(found.app_id);
    const [entries, badge] = await Promise.all([
      entriesOf(services, found),
      publicBadge(services, found.app_id).catch(() => null),
    ]);
    const title = found.trust === 'simulated' ? `${found.name} (simulated: no TEE hardware)` : found.name;
    const check = badge === null ? 'didn’t finish' : `says “${badge.message}”`;
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${page}</id>
<title>${escapeXml(title)}</title>
<subtitle>${escapeXml(`This server’s own verification ${check}. Verify the app in your browser before you rely on it.`)}</subtitle>
<updated>${entries[0]?.at ?? found.created_at}</updated>
<author><name>${escapeXml(found.team_name)}</name></author>
<link rel="self" href="${publicUrl}${appFeedPath(found.app_id)}"/>
<link href="${page}"/>
${entries.map(written).join('\n')}
</feed>
`;
    // Readers poll every few minutes, and usually nothing has changed.
    res.type('application/atom+xml').set('Cache-Control', 'public, max-age=300');
    sendTagged(req, res, text);
  });
}
