import type { Policy } from './types';

/** Everything must be shown; older microcode that only needs settings or hardened software is an exception, not a failure. */
export const DEFAULT_POLICY: Policy = {
  scope: 'app',
  accepted_tcb: ['SWHardeningNeeded', 'ConfigurationNeeded', 'ConfigurationAndSWHardeningNeeded'],
};
