import type { OPERATION_TEXTS } from '../../../console/lib/texts/operationTexts';

/** Primary reasons of operations that failed because of the app or its contract, which operators can't fix. */
export const APP_FAULTS: readonly (keyof typeof OPERATION_TEXTS)[] = [
  'boot_error',
  'revision_failed',
  'contract_refused',
  'keys_refused',
  'keys_refused_hash',
  'keys_refused_device',
];
