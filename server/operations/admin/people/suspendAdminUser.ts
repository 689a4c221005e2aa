import { endSessions } from '../../../db/accountSessions';
import { countTokensOf, denyCommandLines, setUserState } from '../../../db/adminUsers';
import { needAnotherAdmin } from '../../shared/platformAdmin';
import type { Handler } from '../../types';
import { actOnPerson, needState, notOneself } from './person';

/**
 * From the next request on nothing of theirs works, and what they have open is cut as the transaction commits. Their
 * tokens are refused for the state of their person, not revoked: they work again once the person is let in again.
 */
export const suspendAdminUser: Handler<'suspendAdminUser'> = ({ path, body, ctx }) =>
  actOnPerson(ctx, path.id, body.reason, async ({ trx }, person) => {
    needState(person, 'active', 'suspended');
    await needAnotherAdmin(trx, person);
    notOneself(ctx, person, 'suspend');
    await setUserState(trx, person.id, 'suspended');
    const sessions = await endSessions(trx, person.id);
    await denyCommandLines(trx, person.id);
    return {
      action: 'user.suspend',
      before: { state: 'active' },
      after: { state: 'suspended', sessions, tokens: await countTokensOf(trx, person.id) },
    };
  });
