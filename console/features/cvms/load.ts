import type { QueryClient } from '@tanstack/react-query';
import { notFound, redirect } from '@tanstack/react-router';
import { getAdminCvmOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail, Session } from '../../../generated/api/types.gen';
import { hasCode, isApiError } from '../../api/apiError';
import { parseUuid } from '../../lib/ids';
import {
  adminCvmPath,
  adminPath,
  appCvmPath,
  appPath,
  cvmPath,
  dashboardCvmPath,
  type CvmAddress,
} from '../../lib/paths';
import { cvmOptions } from './queries';

/** Loader data of the CVM layout. */
export type CvmLoaded =
  | { crumb: string; crumbs_above: { label: string; href: string }[]; cvm_address: CvmAddress }
  /** The identifier in the URL matches several CVMs; the user chooses one. */
  | CvmChoices
  /** Only staff see deleted CVMs, in lists of all CVMs. */
  | DeletedCvm;

export interface DeletedCvm {
  crumb: string;
  crumbs_above: { label: string; href: string }[];
  deleted: { name: string };
  teamSlug: string;
}

export interface CvmChoices {
  /** The identifier in the address. */
  crumb: string;
  choices: Choice[];
  teamSlug: string;
  /** Staff choose among all teams' CVMs. */
  by?: 'admin';
}

export interface Choice {
  vmUuid: string;
  name: string;
  /** Set if it differs from the page's team. */
  teamSlug?: string;
}

interface Asked {
  queryClient: QueryClient;
  teamSlug: string;
  /** Any identifier the API resolves. */
  identifier: string;
  /** The full URL, to keep what follows the identifier. */
  href: string;
}

/** `/{team_slug}/cvms/{vm_uuid}`: accepts any identifier and redirects to the canonical URL. */
export async function loadTeamCvm(asked: Asked): Promise<CvmLoaded> {
  const found = await find(asked);
  if (Array.isArray(found)) return { crumb: asked.identifier, choices: found, teamSlug: asked.teamSlug };
  const vmUuid = uuidOf(found);
  const base = cvmPath(asked.teamSlug, vmUuid);
  if (vmUuid !== asked.identifier) throw sentOn(asked, base);
  return {
    crumb: found.name,
    crumbs_above: appCrumb(found, asked.teamSlug),
    cvm_address: { by: 'team', teamSlug: asked.teamSlug, vmUuid, base },
  };
}

/** `/{team_slug}/apps/{app_id}/cvms/{vm_uuid}`: not found if the CVM belongs to another app. */
export async function loadAppCvm(asked: Asked & { appId: string }): Promise<CvmLoaded> {
  const found = await find(asked);
  if (Array.isArray(found)) return { crumb: asked.identifier, choices: found, teamSlug: asked.teamSlug };
  if (found.app_id !== bareAppId(asked.appId)) throw notFound();
  const vmUuid = uuidOf(found);
  const base = appCvmPath(asked.teamSlug, found.app_id, vmUuid);
  if (vmUuid !== asked.identifier || found.app_id !== asked.appId) throw sentOn(asked, base);
  return {
    crumb: found.name,
    // The app's route already provides the app crumb.
    crumbs_above: [],
    cvm_address: { by: 'app', teamSlug: asked.teamSlug, vmUuid, base },
  };
}

/**
 * `/dashboard/cvms/{cvm_identifier}`: the URL the CLI prints. It names no team, so the default team is tried first; a
 * CVM in another of the user's teams redirects to that team's URL.
 */
export async function loadDashboardCvm({
  session,
  ...asked
}: Asked & { session: Session }): Promise<CvmLoaded> {
  const { identifier, teamSlug } = asked;
  const found = await find(asked).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found === null) throw await elsewhere(asked, session);
  if (Array.isArray(found)) return { crumb: identifier, choices: found, teamSlug };
  const cvm_address: CvmAddress = {
    by: 'dashboard',
    teamSlug,
    vmUuid: uuidOf(found),
    base: dashboardCvmPath(identifier),
  };
  return { crumb: found.name, crumbs_above: [], cvm_address };
}

/** `/admin/cvms/{cvm_identifier}`: any team's CVM, for platform staff; the canonical URL uses the vm_uuid. */
export async function loadAdminCvm(asked: Omit<Asked, 'teamSlug'>): Promise<CvmLoaded> {
  const { queryClient, identifier, href } = asked;
  const adminCvm = (id: string) => queryClient.fetchQuery(getAdminCvmOptions({ path: { id } }));
  const found = await orChoices(() => adminCvm(identifier));
  if (Array.isArray(found)) {
    // They may belong to different teams, which the error doesn't list.
    const cvms = await Promise.all(found.map(({ vmUuid }) => adminCvm(vmUuid)));
    const choices = cvms.map(({ id, name, team_slug }) => ({ vmUuid: id, name, teamSlug: team_slug }));
    return { crumb: identifier, choices, teamSlug: choices[0]?.teamSlug ?? '', by: 'admin' };
  }
  const { id, name, team_slug } = found;
  const base = adminCvmPath(id);
  if (id !== identifier) throw sentOn({ href }, base);
  const crumbs = {
    crumb: name,
    crumbs_above: [
      { label: 'Admin', href: adminPath() },
      { label: 'CVMs', href: adminPath('cvms') },
    ],
  };
  if (found.deleted_at !== null) return { ...crumbs, deleted: { name }, teamSlug: team_slug };
  await queryClient.ensureQueryData(cvmOptions(team_slug, id));
  return {
    ...crumbs,
    cvm_address: { by: 'admin', teamSlug: team_slug, vmUuid: id, base },
  };
}

async function elsewhere(asked: Asked, session: Session): Promise<unknown> {
  for (const { slug, refused } of session.teams) {
    if (slug === asked.teamSlug || refused !== null) continue;
    const found = await find({ ...asked, teamSlug: slug }).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (found !== null)
      return sentOn(asked, cvmPath(slug, Array.isArray(found) ? asked.identifier : uuidOf(found)));
  }
  return notFound();
}

const find = ({ queryClient, teamSlug, identifier }: Asked) =>
  orChoices(async () => {
    const options = cvmOptions(teamSlug, identifier);
    // Events refresh queries keyed by vm_uuid; other identifiers are resolved again.
    const cvm =
      parseUuid(identifier) === identifier
        ? await queryClient.ensureQueryData(options)
        : await queryClient.fetchQuery({ ...options, staleTime: 5_000 });
    const vmUuid = uuidOf(cvm);
    const { queryKey } = cvmOptions(teamSlug, vmUuid);
    if (vmUuid !== identifier && queryClient.getQueryData(queryKey) === undefined)
      queryClient.setQueryData(queryKey, cvm);
    return cvm;
  });

/** The CVM found, or the ones to choose from. */
async function orChoices<Found>(look: () => Promise<Found>): Promise<Found | Choice[]> {
  try {
    return await look();
  } catch (error) {
    if (!hasCode(error, 'ERR-03-010')) throw error;
    return error.fields.flatMap(({ value, message }) =>
      typeof value === 'string' ? [{ vmUuid: value, name: message }] : [],
    );
  }
}

/** Missing, another team's and malformed identifiers look the same. */
const isMissing = (error: unknown) => isApiError(error) && [400, 403, 404, 422].includes(error.status);

/** Every CVM has a vm_uuid from creation; the type allows null for older clients. */
const uuidOf = (cvm: CvmDetail): string => cvm.vm_uuid ?? cvm.id;

const bareAppId = (appId: string) => appId.toLowerCase().replace(/^(?:app_)?(?:0x)?/, '');

function appCrumb(cvm: CvmDetail, teamSlug: string) {
  if (cvm.app_id === null) return [];
  return [{ label: cvm.app_name, href: appPath(teamSlug, cvm.app_id) }];
}

/** The same page at the CVM's own URL. */
function sentOn({ href }: Pick<Asked, 'href'>, base: string) {
  return redirect({ href: href.replace(/^.*?\/cvms\/[^/?#]*/, base), replace: true });
}
