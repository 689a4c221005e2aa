import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import {
  getCvmPricesOptions,
  listAppsOptions,
  listAvailableTeepodsOptions,
  listInstanceTypesOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import {
  createCvm,
  deployPreflight,
  getAppEnvPubkey,
  getKms,
  provisionCvm,
} from '../../../../generated/api/sdk.gen';
import type { InstanceType, ProvisionCvm, UpdateCvmResources } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useMay } from '../../../api/session';
import { parseMicros } from '../../../lib/billing/money';
import { CUSTOM_DISK_GB } from '../../../lib/billing/spend';
import { cvmNameProblem } from '../../../lib/ids';
import { gpusOnly, type Room } from '../../../lib/texts/roomText';
import { useSettled } from '../../../ui/useSettled';
import type { DeployApi } from './deploy';
import { checkForm, type DeployForm, emptyForm } from './form';
import { priceBody } from './resize';

/** Sizes rarely change; free capacity does. */
export const instanceTypesOptions = () => ({ ...listInstanceTypesOptions(), staleTime: 10 * 60_000 });
export const hostsOptions = (teamSlug: string) => listAvailableTeepodsOptions({ ...inTeam(teamSlug) });

/** Returns the form with the smallest size preselected if none is. */
export const withDefaultSize = (form: DeployForm, sizes: readonly InstanceType[]): DeployForm =>
  form.size === '' ? { ...form, size: sizes[0]?.id ?? '' } : form;

export async function loadDeploy(queryClient: QueryClient, teamSlug: string): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(instanceTypesOptions()),
    queryClient.ensureQueryData(hostsOptions(teamSlug)),
  ]);
}

/** Flattens the families into one list. */
export const everySize = (data: { result: { items: InstanceType[] }[] }): InstanceType[] =>
  data.result.flatMap((family) => family.items);

/**
 * Returns the sizes to choose from: without GPUs, except those in `chosen` (set on the GPU page or by a template).
 * Includes every size chosen since the form was opened, so that a choice can be undone.
 */
export const sizesOf = (
  data: { result: { items: InstanceType[] }[] },
  chosen: readonly string[] = [],
): InstanceType[] => everySize(data).filter(({ id, requires_gpu }) => !requires_gpu || chosen.includes(id));

export function deployApi(teamSlug: string): Omit<DeployApi, 'deployContract'> {
  const team = inTeam(teamSlug);
  const withKey = (key: string) => ({ headers: { ...team.headers, 'Idempotency-Key': key } });
  return {
    async provisionCvm(body, key) {
      return (await provisionCvm({ ...withKey(key), body, throwOnError: true })).data;
    },
    async createCvm(body, key) {
      return (await createCvm({ ...withKey(key), body, throwOnError: true })).data;
    },
    async getKms(kms) {
      return (await getKms({ path: { kms }, throwOnError: true })).data;
    },
    async getAppEnvPubkey(kms, app_id) {
      return (await getAppEnvPubkey({ ...team, path: { kms, app_id }, throwOnError: true })).data;
    },
  };
}

const preflightOptions = (teamSlug: string, body: ProvisionCvm | null) =>
  queryOptions({
    queryKey: ['deploy-preflight', teamSlug, body],
    queryFn: async ({ signal }) =>
      (await deployPreflight({ ...inTeam(teamSlug), body: body!, signal, throwOnError: true })).data,
    enabled: body !== null,
    staleTime: 15_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Refetches what the deploy form shows of prices, sizes, hosts and OS images. */
export const refetchOffer = (queryClient: QueryClient, teamSlug: string) =>
  Promise.all(
    [['deploy-preflight', teamSlug], instanceTypesOptions().queryKey, hostsOptions(teamSlug).queryKey].map(
      (queryKey) => queryClient.invalidateQueries({ queryKey }),
    ),
  );

/**
 * Preflights this size at this location: cost and whether it fits. The compose file affects neither and is checked in
 * the browser by the same rules, so it isn't sent on every pause in typing. Roles that can't deploy get no preflight.
 */
export function usePreflight(
  teamSlug: string,
  { size, vcpu, memory_gb, disk_gb, place, image, kms }: DeployForm,
) {
  const settled = useSettled(JSON.stringify({ size, vcpu, memory_gb, disk_gb, place, image, kms }), 400);
  const { allowed } = useMay('cvms.write', teamSlug);
  const body = allowed ? preflightBody({ ...emptyForm, ...JSON.parse(settled) }) : null;
  return useQuery(preflightOptions(teamSlug, body));
}

function preflightBody(form: DeployForm): ProvisionCvm | null {
  const { size, vcpu, memory_gb, disk_gb } = checkForm(form);
  return size || vcpu || memory_gb || disk_gb ? null : priceBody(form);
}

/**
 * Returns what a host must have free for the chosen size: its GPUs, or room for it. Null while a number is missing, and
 * for a size without GPUs on chosen hosts, because others may have room already.
 */
export function roomOf(form: DeployForm, sizes: readonly InstanceType[]): Room | null {
  const type = sizes.find(({ id }) => id === form.size);
  if (type && type.gpu_count > 0) return gpusOnly(type.gpu_count);
  const body = preflightBody(form);
  if (body === null || form.place !== 'any' || form.kms !== '' || form.image !== '') return null;
  const { vcpu = type?.vcpu, memory = type?.memory_mb } = body;
  const disk_gb = body.disk_size ?? type?.default_disk_size_gb ?? CUSTOM_DISK_GB;
  return vcpu === undefined || memory === undefined ? null : { gpus: 0, vcpu, memory_mb: memory, disk_gb };
}

/** Whether a CVM in the team already has this name. A hint only; the server decides. */
export function useNameTaken(teamSlug: string, name: string): boolean {
  const settled = useSettled(name, 400);
  const { data } = useQuery({
    ...listAppsOptions({ ...inTeam(teamSlug), query: { search: settled, page_size: 50 } }),
    enabled: settled === name && cvmNameProblem(settled) === null,
    retry: false,
  });
  return data?.dstack_apps.some((app) => app.cvms.some((cvm) => cvm.name === name)) ?? false;
}

export const loadSizes = (queryClient: QueryClient) =>
  queryClient.ensureQueryData(instanceTypesOptions()).then(() => undefined);

interface ResizedPrice {
  /** The CVM's hourly cost after the resize, in micro-dollars; null if unknown. */
  micros: number | null;
  isKnown: boolean;
  /** Why it couldn't be loaded. */
  error: unknown;
  retry: () => void;
}

/** Returns the price of a resize in advance. */
export function useResizedPrice(
  teamSlug: string,
  cvm_id: string,
  resize: UpdateCvmResources | null,
): ResizedPrice {
  const wanted = JSON.stringify(resize);
  const settled = useSettled(wanted, 300);
  const query = JSON.parse(settled) as UpdateCvmResources | null;
  const { data, error, refetch } = useQuery({
    ...getCvmPricesOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: query ?? {} }),
    enabled: query !== null,
    retry: false,
  });
  const isSettled = settled === wanted && query !== null;
  return {
    micros: isSettled ? parseMicros(data?.resized?.total ?? '') : null,
    isKnown: isSettled && data !== undefined,
    error: isSettled && data === undefined ? error : null,
    retry: () => void refetch(),
  };
}
