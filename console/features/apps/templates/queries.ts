import { getAppTemplateOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';

export const appTemplateOptions = (teamSlug: string, app_id: string) => ({
  ...getAppTemplateOptions({ ...inTeam(teamSlug), path: { app_id } }),
  staleTime: 30_000,
});
