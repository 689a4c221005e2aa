/** Selects a CVM's KMS: this host's own, or the one governed by a contract. */
import type { ChainKms } from './chainKms';
import type { Kms } from '../kms';
import type { VmConfiguration } from '../wire';

/** Path at which this program serves the second KMS; a CVM uses the KMS named in its `kms_urls`. */
export const CHAIN_KMS_PATH = '/kms-chain';

export interface ChainContract {
  address: `0x${string}`;
  chain_id: number;
  /** In order of preference. */
  rpc_urls: readonly string[];
}

/** Returns whether a CVM gets its keys from the KMS with a contract. */
export const isGoverned = ({ kms_urls }: Pick<VmConfiguration, 'kms_urls'>): boolean =>
  kms_urls.some((url) => url.endsWith(CHAIN_KMS_PATH));

interface KeyServices {
  kms: Kms;
  chainKms?: ChainKms | undefined;
}

/** Returns the KMS whose keys a CVM gets. @throws if it needs a contract and none is configured */
export function kmsOf(tools: KeyServices, config: Pick<VmConfiguration, 'kms_urls'>): Kms {
  if (!isGoverned(config)) return tools.kms;
  if (!tools.chainKms) throw new Error('this CVM needs a KMS with a contract, which is not configured');
  return tools.chainKms.kms;
}
