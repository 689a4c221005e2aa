import { useSuspenseQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { cvmAddressIn, cvmLink, type CvmAddress, type CvmTab } from '../../lib/paths';
import { cvmOptions } from './queries';

/**
 * Provided by `CvmLayout`. CVM pages are served at several URLs; they read the current one here instead of from the
 * router.
 */
export const CvmContext = createContext<CvmAddress | null>(null);

/** Team and vm_uuid for requests, and the page's base URL. Only inside CVM pages. */
export function useCvmAddress(): CvmAddress {
  const address = useContext(CvmContext);
  if (!address) throw new Error('This component must be inside a CVM layout.');
  return address;
}

/** The page's CVM, loaded by the layout and kept fresh by events. */
export function useCvm(): CvmDetail {
  const { teamSlug, vmUuid } = useCvmAddress();
  return useSuspenseQuery(cvmOptions(teamSlug, vmUuid)).data;
}

/** URLs of the CVM's other pages: `link()` is the overview, `link('logs', { source: 'web' })` a tab. */
export function useCvmLink(): (tab?: CvmTab, search?: Readonly<Record<string, string>>) => string {
  const { base } = useCvmAddress();
  return useCallback((tab, search) => cvmLink({ base }, tab, search), [base]);
}

/** The page's CVM, if any, for the aside in the shell. */
export function useMatchedCvmAddress(): CvmAddress | undefined {
  return useMatches({
    select: (matches) => {
      for (const match of matches) {
        const address = cvmAddressIn(match.loaderData);
        if (address) return address;
      }
      return undefined;
    },
  });
}
