import type { Tx } from '../../db/client';
import { deviceOf } from '../../domain/device';
import { placeOf } from '../../domain/place';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';

/** Of one person in one team, that work at the same time. */
const MOST_LIVE_TOKENS = 50;

/** `live`: how many there are already. @throws TOKEN_LIMIT_EXCEEDED */
export function needRoomForToken(live: number): void {
  if (live < MOST_LIVE_TOKENS) return;
  throw new Problem('TOKEN_LIMIT_EXCEEDED', {
    message: `You have ${live} working tokens in this team; ${MOST_LIVE_TOKENS} is the most.`,
    suggestions: ['Revoke tokens that are not used any more. Each command-line login leaves one.'],
  });
}

/** Tells the owner of a new token, wherever it was made. */
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
