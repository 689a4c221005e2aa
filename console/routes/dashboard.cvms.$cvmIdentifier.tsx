import { createFileRoute, notFound, redirect } from '@tanstack/react-router';
import { isApiError } from '../api/apiError';
import { inTeam } from '../api/client';
import { cvmPath } from '../lib/paths';
import { requireUser } from './-next';

/**
 * The address the command line prints. It names no team, so each of the person's is asked, the default one first, by
 * whatever identifier it was given.
 */
export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier')({
  beforeLoad: async ({ context, params, location }) => {
    requireUser(context.session, location.href);
    const { getCvmOptions } = await import('../../generated/api/@tanstack/react-query.gen');
    const teams = [...context.session.teams].sort((a, b) => Number(b.is_default) - Number(a.is_default));
    for (const team of teams) {
      const options = getCvmOptions({ ...inTeam(team.slug), path: { cvm_id: params.cvmIdentifier } });
      const cvm = await context.queryClient.fetchQuery(options).catch((error: unknown) => {
        if (isApiError(error) && [400, 403, 404, 409, 422].includes(error.status)) return null;
        throw error;
      });
      if (cvm?.vm_uuid) throw redirect({ href: cvmPath(team.slug, cvm.vm_uuid), replace: true });
    }
    throw notFound();
  },
  staticData: { crumb: null /* only sends on */, title: 'CVM' },
});
