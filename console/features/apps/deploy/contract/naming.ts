import type { ProvisionContract } from '../../../../../generated/api/types.gen';
import { problemOf } from '../../../../api/problem';
import type { DeployedApp } from '../../../../lib/kms/appAuth';
import { addressFault } from '../../../../lib/kms/typedValues';

/** Asks the server about a contract, by its address or the hash of the transaction that deployed it. */
export type CheckContract = (contract: string) => Promise<ProvisionContract>;

/** The contract to commit with, or sentences for its field about why it can't be used. */
export type Named = { app: DeployedApp } | { fault: string };

const HINT = 'Enter an address (0x and 40 hex digits) or a transaction hash (0x and 64 hex digits).';

/**
 * Reads the account that will own a new contract. Its checksum counts, because nobody else can correct the owner
 * later.
 */
export function ownerIn(text: string): { owner: string | null; fault: string | undefined } {
  if (text === '') return { owner: null, fault: undefined };
  const fault = addressFault(text);
  return fault === null ? { owner: text, fault: undefined } : { owner: null, fault };
}

/** Checks a contract that the user entered before the deployment continues with it. */
export async function nameContract(text: string, check: CheckContract): Promise<Named> {
  if (!/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return { fault: HINT };
  try {
    const { app_id, deployer_address } = await check(text);
    if (app_id !== null && deployer_address !== null) return { app: { app_id, deployer_address } };
    return { fault: 'The contract has no owner, so what it allows can never be changed.' };
  } catch (error) {
    const { message, suggestions = [] } = problemOf(error, '') ?? { message: 'Couldn’t check the contract.' };
    const advice = suggestions.find((one) => typeof one === 'string');
    return { fault: advice === undefined ? message : `${message} ${advice}` };
  }
}
