import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { getContractAddress, type Address } from 'viem';
import { imageHash } from '../../teepod/attestation';
import { startAnvil, type Anvil } from './anvil';
import { compiledContract } from './compile';
import { contractAt, deployKms, type DeployedContract } from './deploy';

/** Default RPC address of a development chain in wallets and command lines. */
export const DEV_CHAIN_PORT = 8545;

export interface DevChain extends Anvil {
  /** Owned by anvil's first account. */
  kms: DeployedContract;
}

/**
 * Starts the development chain with a KMS contract. The chain is kept in `dir`, so that apps deployed on it are still
 * there at the next start.
 */
export async function startDevChain({ dir, port }: { dir: string; port: number }): Promise<DevChain> {
  mkdirSync(dir, { recursive: true });
  const state = path.join(dir, 'state.json');
  // Another chain may use the port.
  const anvil = await startAnvil({ port, state }).catch(() => startAnvil({ state }));
  return { ...anvil, kms: await kmsOf(anvil) };
}

/** The OS images of the local teepod; contracts allow images too. */
const LOCAL_IMAGES = ['dstack-local-0.6.0', 'dstack-local-dev-0.6.0'];

/** The first account's third transaction creates the contract, so its address is always the same. */
async function kmsOf({ client }: Anvil): Promise<DeployedContract> {
  const [owner] = await client.getAddresses();
  if (!owner) throw new Error('anvil has no accounts');
  const address = getContractAddress({ from: owner, nonce: 2n }).toLowerCase() as Address;
  if ((await client.getCode({ address })) !== undefined)
    return contractAt(client, address, compiledContract('DstackKms').abi, owner);
  const kms = await deployKms(client, { owner });
  for (const image of LOCAL_IMAGES) await kms.send('addOsImageHash', [`0x${imageHash(image)}`]);
  return kms;
}
