import { useSuspenseQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { cvmAddressIn, cvmLink, type CvmAddress, type CvmTab } from '../../lib/paths';
import { cvmOptions } from './queries';

/** Made by `CvmLayout`. Three addresses lead to the pages of a CVM; they learn here which it was, not from the router. */
export const CvmContext = createContext<CvmAddress | null>(null);

/** Team and vm_uuid for requests, and where the page was opened. Only in pages of a CVM. */
export function useCvmAddress(): CvmAddress {
  const address = useContext(CvmContext);
  if (!address) throw new Error('No CVM around this component.');
  return address;
}

/** The CVM of the page, kept fresh by events; the layout has loaded it. */
export function useCvm(): CvmDetail {
  const { teamSlug, vmUuid } = useCvmAddress();
  return useSuspenseQuery(cvmOptions(teamSlug, vmUuid)).data;
}

/** Addresses of the CVM's other pages: `link()` is the overview, `link('logs', { source: 'web' })` a tab. */
export function useCvmLink(): (tab?: CvmTab, search?: Readonly<Record<string, string>>) => string {
  const { base } = useCvmAddress();
  return useCallback((tab, search) => cvmLink({ base }, tab, search), [base]);
}

/** For the aside, which stands in the shell: the CVM of the page, if it is one's. */
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
