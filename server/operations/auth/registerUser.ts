import { createTeam } from '../../db/teams';
import { createUser } from '../../db/users';
import { hashPassword, passwordProblem } from '../../domain/password';
import { Problem } from '../../domain/problem';
import { normalEmail, usernameFor } from '../../domain/username';
import { openSession } from '../shared/session';
import type { Handler } from '../types';

/**
 * Makes the account, its team and its first session in one transaction. For an address that has an account nothing
 * changes, not even its password, and nobody is told: the answer is that the way on is in the mail. Every request
 * costs the same hash.
 */
export const registerUser: Handler<'registerUser'> = async ({ body, ctx }) => {
  const email = normalEmail(body.email);
  const weak = passwordProblem(body.password, email);
  if (weak !== null)
    throw new Problem('VALIDATION_FAILED', {
      message: `password: ${weak}`,
      details: [{ field: 'password', message: weak }],
    });
  const password_hash = await hashPassword(body.password);
  return ctx.write(async ({ trx, audit }) => {
    const username = usernameFor(email, body.name);
    const user = await createUser(trx, {
      email,
      username,
      password_hash,
      admin: email === ctx.config.adminEmail,
      first_is_admin: ctx.config.adminEmail === undefined,
    });
    if (!user) {
      await audit({ action: 'user.register_again', team_id: null });
      return { status: 201, body: { outcome: 'check_email' } } as const;
    }
    const team = await createTeam(trx, {
      name: username,
      owner_id: user.id,
      is_default: true,
      reserved: [ctx.config.agentFramework],
    });
    if (!team) throw new Error('no free address for a default team');
    const actor = { actor_user_id: user.id, team_id: team.id };
    await audit({
      ...actor,
      action: 'user.register',
      target_kind: 'user',
      target_id: user.public_id,
      after: { username, platform_role: user.platform_role, team: team.slug },
    });
    const cookie = await openSession(ctx, trx, user.id);
    await audit({ ...actor, action: 'session.create', target_kind: 'user', target_id: user.public_id });
    return { status: 201, body: { outcome: 'signed_in' }, headers: { 'Set-Cookie': cookie } } as const;
  });
};
