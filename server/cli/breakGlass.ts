import { insertBreakGlassLink } from '../db/accounts/breakGlass';
import { breakGlassPath } from '../../console/lib/paths';
import { BREAK_GLASS_LINK_SECONDS } from '../domain/accounts/staffSso';
import { normalEmail } from '../domain/accounts/username';
import { hashToken, newToken } from '../domain/teams/token';
import { audit, withDatabase, write } from './database';
import { CommandError, UsageError, type Cli } from './io';
import { parseOptions, required } from './options';
import { existing } from './user';

const MAX_REASON = 500;

/** Issues a link for an administrator to sign in while the staff provider is down. */
export async function breakGlassCommand(cli: Cli, args: string[]): Promise<void> {
  const options = parseOptions(args, { email: 'value', reason: 'value' });
  const email = normalEmail(required(options.email, 'email'));
  const reason = required(options.reason, 'reason');
  if (reason.length > MAX_REASON)
    throw new UsageError(`--reason can't be longer than ${MAX_REASON} characters.`);
  await withDatabase(cli, 'break-glass', async ({ db, config }) => {
    const user = await existing(db, email);
    if (user.platform_role !== 'admin' || user.state !== 'active')
      throw new CommandError(`${email} is not an active platform administrator. See \`user list\`.`);
    const token = newToken('lnk');
    const { expires_at } = await write(db, async (trx) => {
      const link = await insertBreakGlassLink(trx, {
        token_hash: hashToken(token),
        user_id: user.id,
        reason,
        seconds: BREAK_GLASS_LINK_SECONDS,
      });
      await audit(trx, {
        action: 'break_glass.issue',
        target_kind: 'user',
        target_id: user.public_id,
        after: { reason, expires_at: link.expires_at.toISOString() },
      });
      return link;
    });
    cli.out(`${config.publicUrl}${breakGlassPath(token)}`);
    cli.err(
      `${email} can sign in with this link once, until ${expires_at.toISOString()}. The session lasts one hour, and all administrators are notified by email.`,
    );
  });
}
