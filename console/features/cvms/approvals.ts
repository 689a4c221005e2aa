import { listApprovalsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';

/** Changes of an app that wait until the contract that guards its keys allows them. */
export const approvalsOptions = (teamSlug: string, app_id: string) =>
  listApprovalsOptions({ ...inTeam(teamSlug), path: { app_id } });
