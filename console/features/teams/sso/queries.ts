import { getScimOptions, getSsoOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';

export const ssoOptions = (slug: string) => getSsoOptions({ ...inTeam(slug), path: { slug } });
export const scimOptions = (slug: string) => getScimOptions({ ...inTeam(slug), path: { slug } });
