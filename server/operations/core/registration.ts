import type { Config } from '../../config';
import type { Db, Tx } from '../../db/core/client';
import { hasNoAccount, lockFirstAccount } from '../../db/accounts/users';
import { Problem } from '../../domain/core/problem';

type Policy = Pick<Config, 'registration' | 'adminEmail'>;

/**
 * Returns whether users can sign up without an invitation. Invite mode allows it for the first account,
 * since otherwise an operator without a shell on the server couldn't start using it.
 */
export const isSignUpOpen = async ({ registration }: Policy, db: Db): Promise<boolean> =>
  registration === 'open' || (registration === 'invite' && (await hasNoAccount(db)));

/**
 * Refuses an account for this address before anything about the address is looked up, so the reply reveals
 * nothing about accounts. Called again with `trx` inside the transaction that creates the account: of
 * several first registrations only one wins. `invited`: with a pending invitation for the address. @throws
 * REGISTRATION_CLOSED
 */
export async function requireSignUp(
  { registration, adminEmail }: Policy,
  { email, invited }: { email: string; invited: boolean },
  { db, trx }: { db: Db; trx?: undefined } | { trx: Tx; db?: undefined },
): Promise<void> {
  if (registration === 'open') return;
  if (registration === 'off')
    throw new Problem('REGISTRATION_CLOSED', {
      message:
        "Registration is off on this server. Ask the server's administrator to create an account for you.",
    });
  if (invited) return;
  const first = trx ? await lockFirstAccount(trx) : await hasNoAccount(db);
  if (first && (adminEmail === undefined || email === adminEmail)) return;
  throw new Problem('REGISTRATION_CLOSED', {
    message:
      'You need an invitation to create an account on this server. Ask an admin of your team to invite you, then open the link in the invitation.',
  });
}
