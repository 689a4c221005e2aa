import { useQuery } from '@tanstack/react-query';
import {
  getCvmCreateResourcesOptions,
  listInstanceTypesOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { loadProblem } from '../../../api/problem';
import { useMayDeploy } from '../../../api/session';
import { counted } from '../../../lib/texts/count';

const WATCH_MS = 15_000;

/** The GPUs that are free for the team, the sizes with GPUs, and why one can't be deployed now. */
export function useGpuOffer(teamSlug: string) {
  const resources = useQuery({
    ...getCvmCreateResourcesOptions({ ...inTeam(teamSlug) }),
    staleTime: 2000,
    refetchInterval: WATCH_MS,
  });
  const types = useQuery({ ...listInstanceTypesOptions(), staleTime: 10 * 60_000 });
  const { reason } = useMayDeploy(teamSlug);
  const gpus = resources.data?.gpu_availability;
  const free = (gpus?.public_gpu_count ?? 0) + (gpus?.reserved_gpu_count ?? 0);
  const sizes = types.data?.result.flatMap(({ items }) => items).filter(({ requires_gpu }) => requires_gpu);
  return {
    isLoading: resources.isLoading || types.isLoading,
    gpus,
    gpuProblem: loadProblem(resources, 'Couldn’t load the GPUs'),
    sizes,
    sizeProblem: loadProblem(types, 'Couldn’t load the sizes'),
    /** The GPU counts of the sizes, ascending. */
    counts: [...new Set(sizes?.map(({ gpu_count }) => gpu_count))].sort((a, b) => a - b),
    mayDeploy: reason === undefined,
    refusalOf: ({ gpu_count }: InstanceType): string | undefined =>
      reason ??
      (gpus && free < gpu_count
        ? `Needs ${gpu_count} free ${gpu_count === 1 ? 'GPU' : 'GPUs'}; ${free === 0 ? 'none is' : `${counted(free, ['is', 'are'])}`} free.`
        : undefined),
  };
}

export type GpuOffer = ReturnType<typeof useGpuOffer>;
