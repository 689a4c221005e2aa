import type { Tx } from '../../db/core/client';
import { deviceOf } from '../../domain/accounts/device';
import { placeOf } from '../../domain/core/country';
import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';

/** Limit of live tokens per user and team. */
const MAX_LIVE_TOKENS = 50;

/** `live`: number of existing live tokens. @throws TOKEN_LIMIT_EXCEEDED */
export function needRoomForToken(live: number): void {
  if (live < MAX_LIVE_TOKENS) return;
  throw new Problem('TOKEN_LIMIT_EXCEEDED', {
    message: `You have ${live} valid tokens in this team. The limit is ${MAX_LIVE_TOKENS}.`,
    suggestions: ['Revoke unused tokens. Each command-line login creates one.'],
  });
}

/** Notifies the owner of a new token, however it was created. */
export async function mailNewToken(
  ctx: Pick<Context, 'mail'>,
  trx: Tx,
  made: {
    to: { id: number; email: string };
    team: { id: number; name: string; slug: string };
    token: { name: string; scopes: string[]; expires_at: Date | null };
    from: { ip: string | null; user_agent: string | null };
  },
): Promise<void> {
  const { to, team, token, from } = made;
  const known = (text: string) => (text === '' || text === 'Unknown' ? null : text);
  await ctx.mail.enqueue(trx, {
    to: to.email,
    template: 'token_created',
    data: {
      team_name: team.name,
      team_slug: team.slug,
      token_name: token.name,
      scopes: token.scopes,
      expires_at: token.expires_at,
      at: new Date(),
      ip: from.ip,
      device: known(deviceOf(from.user_agent ?? '')),
      place: known(placeOf(from.ip ?? '')),
    },
    user_id: to.id,
    team_id: team.id,
  });
}
