import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { curly } from '../lib/texts/curly';
import type { ActivityEvent } from '../../generated/api/types.gen';
import { cvmAddressIn, cvmPath } from '../lib/paths';
import { useToast } from '../ui/feedback/toasts';
import { endWords, isOperationType, operationKeys } from '../lib/cvms/operationWords';

/**
 * Announces finished operations in a toast, except on the CVM's own pages, which show them. A deleted CVM has no
 * pages, so its deletion is announced everywhere.
 */
export function useFinishToasts(teamSlug: string): (event: ActivityEvent) => void {
  const toast = useToast();
  const router = useRouter();
  return useCallback(
    (event) => {
      const [type = '', verb = ''] = event.kind.split('.');
      const uuid = event.cvm?.vm_uuid;
      if (!isOperationType(type) || (verb !== 'succeeded' && verb !== 'failed')) return;
      const here = router.state.matches.some(
        ({ loaderData }) => uuid && cvmAddressIn(loaderData)?.vmUuid === uuid,
      );
      if (here && type !== 'delete') return;
      const name = event.cvm?.name ?? 'a CVM';
      const link =
        uuid && type !== 'delete' ? { link: { label: 'Show', href: cvmPath(teamSlug, uuid, 'events') } } : {};
      const result = endWords(type, verb, event.data);
      const group = { key: `${event.kind} ${result}`, title: (count: number) => `${result}: ${count} CVMs` };
      const shared = { title: `${result}: ${name}`, group, operations: operationKeys(type, uuid), ...link };
      if (verb === 'succeeded') toast({ ...shared, tone: 'ok' });
      else toast({ ...shared, tone: 'error', message: curly(event.message) });
    },
    [toast, router, teamSlug],
  );
}
