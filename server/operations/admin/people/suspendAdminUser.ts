import { endSessions } from '../../../db/accountSessions';
import { revokeTokensOf, setUserState } from '../../../db/adminUsers';
import type { Handler } from '../../types';
import { actOnPerson, needAnotherAdmin, needState, notOneself } from './person';

/** From the next request on nothing of theirs works, and what they have open is cut as the transaction commits. */
export const suspendAdminUser: Handler<'suspendAdminUser'> = ({ path, body, ctx }) =>
  actOnPerson(ctx, path.id, body.reason, async (write, person) => {
    needState(person, 'active', 'suspended');
    await needAnotherAdmin(write, person);
    notOneself(ctx, person, 'suspend');
    await setUserState(write.trx, person.id, 'suspended');
    const sessions = await endSessions(write.trx, person.id);
    const tokens = await revokeTokensOf(write.trx, person.id);
    return {
      action: 'user.suspend',
      before: { state: 'active' },
      after: { state: 'suspended', sessions, tokens },
    };
  });
