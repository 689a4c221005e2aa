import { endSessions } from '../../../db/accountSessions';
import type { Handler } from '../../types';
import { actOnPerson, needState } from './person';

export const endAdminUserSessions: Handler<'endAdminUserSessions'> = ({ path, body, ctx }) =>
  actOnPerson(ctx, path.id, body.reason, async ({ trx }, person) => {
    needState(person, 'active', 'signed out');
    return { action: 'user.end_sessions', after: { sessions: await endSessions(trx, person.id) } };
  });
