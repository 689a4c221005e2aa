import { listApprovalsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';

/** Changes to an app that await approval by the contract that guards its keys. */
export const approvalsOptions = (teamSlug: string, app_id: string) =>
  listApprovalsOptions({ ...inTeam(teamSlug), path: { app_id } });
