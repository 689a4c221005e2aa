import type { Policy } from './types';

/** Requires all evidence; outdated settings or missing software hardening are exceptions, not failures. */
export const DEFAULT_POLICY: Policy = {
  scope: 'app',
  accepted_tcb: ['SWHardeningNeeded', 'ConfigurationNeeded', 'ConfigurationAndSWHardeningNeeded'],
};
