import { countTokensOf, setUserState } from '../../../db/accounts/adminUsers';
import type { Handler } from '../../types';
import { actOnUser, needState } from './userAction';

export const reactivateAdminUser: Handler<'reactivateAdminUser'> = ({ path, body, ctx }) =>
  actOnUser(ctx, path.id, body.reason, async ({ trx }, user) => {
    needState(user, 'suspended', 'reactivated');
    await setUserState(trx, user.id, 'active');
    return {
      action: 'user.reactivate',
      before: { state: 'suspended' },
      after: { state: 'active', tokens: await countTokensOf(trx, user.id) },
    };
  });
