import type { Cvm } from '../../../generated/api/types.gen';

/** Why nothing responds at the addresses of a CVM whose containers are simulated. */
export const SIMULATED_TEXT =
  'The local teepod has no Docker engine, so nothing in the Compose file runs or listens on a port.';

/** An address, and whether something can respond there now. */
interface Address {
  url: string;
  isServed: boolean;
}

/** Whether something can respond at the CVM's addresses now. */
export const isServed = ({ status, simulated }: Pick<Cvm, 'status' | 'simulated'>): boolean =>
  status === 'running' && !simulated;

/** Returns the app addresses of these CVMs, each once. Any CVM that runs serves its app's address. */
export function appAddresses(cvms: readonly Pick<Cvm, 'status' | 'simulated' | 'public_urls'>[]): Address[] {
  const addresses = new Map<string, boolean>();
  for (const cvm of cvms)
    for (const { app } of cvm.public_urls) addresses.set(app, addresses.get(app) === true || isServed(cvm));
  return [...addresses].map(([url, served]) => ({ url, isServed: served }));
}

/** Returns why some of the addresses don't work now; undefined if all do. */
export function unservedText(
  cvms: readonly Pick<Cvm, 'status' | 'simulated' | 'public_urls'>[],
  whileRunning: string,
): string | undefined {
  if (appAddresses(cvms).every(({ isServed: works }) => works)) return undefined;
  if (cvms.some(({ simulated }) => simulated)) return SIMULATED_TEXT;
  return cvms.some(({ status }) => status === 'running') ? undefined : whileRunning;
}
