import { pages } from '../../../generated/api/pages.gen';
import { isReservedSlug } from '../../../console/lib/ids';
import type { Config } from '../../config';
import { ownValue } from '../../../console/lib/ownValue';

/** Pattern of a team's slug, as in `openapi/schemas/teams.yaml`. */
const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*';

/**
 * Returns whether either app has a page at a path. Any possible team slug counts as known, so that the status
 * doesn't reveal which teams exist; the page itself checks access.
 */
export function createPageAddresses({
  agentFramework,
  chatBot,
}: Pick<Config, 'agentFramework' | 'chatBot'>): (path: string) => boolean {
  const settings: Readonly<Record<string, string>> = {
    agent_framework: agentFramework,
    chat_bot_service: chatBot.service,
  };
  const patterns = pages.map((page) => ({
    isOfTeam: page.startsWith('/$teamSlug'),
    regex: new RegExp(
      `^${page
        .replace(/\{(\w+)\}/g, (_, name: string) => ownValue(settings, name) ?? '')
        .replace('/$teamSlug', `/(${SLUG})`)
        .replace(/\$\w+/g, '[^/]+')
        .replace(/\/$/, '')}/?$`,
    ),
  }));
  return (path) =>
    patterns.some(({ isOfTeam, regex }) => {
      const match = regex.exec(path);
      return match !== null && !(isOfTeam && isReservedSlug(match[1] ?? '', [agentFramework]));
    });
}
