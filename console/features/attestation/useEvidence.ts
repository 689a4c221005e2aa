import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useCvm, useCvmAddress } from '../cvms/address';
import { evidenceOptions } from './queries';

/** The evidence of the page's CVM, refetched after a stop, start or update. */
export function useEvidence() {
  const { status, revision_number } = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const evidence = useQuery(evidenceOptions(teamSlug, vmUuid));
  const { refetch } = evidence;
  const epoch = `${status} ${revision_number}`;
  const seen = useRef(epoch);
  useEffect(() => {
    if (seen.current === epoch) return;
    seen.current = epoch;
    void refetch();
  }, [epoch, refetch]);
  return evidence;
}
