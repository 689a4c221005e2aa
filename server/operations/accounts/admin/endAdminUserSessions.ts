import { endSessions } from '../../../db/accounts/accountSessions';
import type { Handler } from '../../types';
import { actOnUser, needState } from './userAction';

export const endAdminUserSessions: Handler<'endAdminUserSessions'> = ({ path, body, ctx }) =>
  actOnUser(ctx, path.id, body.reason, async ({ trx }, user) => {
    needState(user, 'active', 'signed out');
    return { action: 'user.end_sessions', after: { sessions: await endSessions(trx, user.id) } };
  });
