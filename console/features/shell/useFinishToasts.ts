import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { cvmAddressIn, cvmPath } from '../../lib/paths';
import { useToast } from '../../ui/feedback/toasts';

const outcomes: Record<string, string> = {
  deploy: 'Deployed',
  start: 'Started',
  stop: 'Stopped',
  shutdown: 'Shut down',
  restart: 'Restarted',
  update: 'Updated',
  resize: 'Resized',
  delete: 'Deleted',
};

/** Says that long work ended, to whoever looks elsewhere; the CVM's own pages show it themselves. */
export function useFinishToasts(teamSlug: string): (event: ActivityEvent) => void {
  const toast = useToast();
  const router = useRouter();
  return useCallback(
    (event) => {
      const [type = '', verb = ''] = event.kind.split('.');
      const outcome = outcomes[type];
      const uuid = event.cvm?.vm_uuid;
      if (outcome === undefined || (verb !== 'succeeded' && verb !== 'failed')) return;
      const here = router.state.matches.some(
        ({ loaderData }) => uuid && cvmAddressIn(loaderData)?.vmUuid === uuid,
      );
      if (here) return;
      const name = event.cvm?.name ?? 'a CVM';
      const link =
        uuid && type !== 'delete' ? { link: { label: 'Show', href: cvmPath(teamSlug, uuid, 'events') } } : {};
      if (verb === 'succeeded') toast({ tone: 'ok', title: `${outcome} ${name}`, ...link });
      else toast({ tone: 'error', title: `${name}: ${type} failed`, message: event.message, ...link });
    },
    [toast, router, teamSlug],
  );
}
