import { countTokensOf, setUserState } from '../../../db/adminUsers';
import type { Handler } from '../../types';
import { actOnPerson, needState } from './person';

export const reactivateAdminUser: Handler<'reactivateAdminUser'> = ({ path, body, ctx }) =>
  actOnPerson(ctx, path.id, body.reason, async ({ trx }, person) => {
    needState(person, 'suspended', 'let in again');
    await setUserState(trx, person.id, 'active');
    return {
      action: 'user.reactivate',
      before: { state: 'suspended' },
      after: { state: 'active', tokens: await countTokensOf(trx, person.id) },
    };
  });
