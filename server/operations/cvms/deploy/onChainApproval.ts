import type { CreateCvm } from '../../../../generated/api/types.gen';
import { networkName } from '../../../../console/lib/kms/chains';
import {
  chainOfAppId,
  isAppIdTaken,
  openOnChainProvision,
  type OnChainProvision,
} from '../../../db/apps/provisions';
import { Problem } from '../../../domain/core/problem';
import type { AppReading } from '../../../drivers/chain';
import { teamOf } from '../../core/caller';
import { envPubkey } from '../../kms/envPubkey';
import { governedBy, readApp, type GoverningContract } from '../../kms/onChain';
import type { Context } from '../../types';
import { refuseCopy, requireClaim } from './contractClaim';

/** Data from the chain and the KMS for a provision whose app ID is a contract's address. */
export interface OnChainApproval {
  provision_id: number;
  env_pubkey: string;
  deployer_address: string;
}

/**
 * Checks a commit against the chain: a client's claims about its contract are never trusted. Returns null if no open
 * provision is waiting for a contract.
 * @param app_id the contract's address, 40 lowercase hex digits
 */
export async function approveOnChain(
  ctx: Context,
  body: CreateCvm,
  app_id: string,
  compose_hash: string,
): Promise<OnChainApproval | null> {
  const team_id = teamOf(ctx).id;
  const provision = await openOnChainProvision(ctx.db, team_id, compose_hash);
  if (!provision) return null;
  const contract = governedBy(provision.kms);
  if (contract) await requireSameChain(ctx, app_id, contract);
  if (await isAppIdTaken(ctx.db, app_id, team_id)) return null;
  if (await isAppIdTaken(ctx.db, app_id)) throw takenByOther(app_id);
  if (!contract) return null;
  await refuseCopy(ctx, provision.rivals);
  const { kms } = provision;
  checkAddress(body, app_id, contract);
  const found = await requireAllowed(ctx, { provision, contract, app_id, compose_hash });
  await requireClaim(ctx, provision, found);
  if (provision.rivals !== null && body.deployer_address === undefined)
    throw new Problem('TX_VERIFICATION_FAILED', {
      message:
        'Another team has provisioned the same Compose file. Name the account that deployed the contract.',
      details: [{ field: 'deployer_address', value: null }],
      suggestions: ['Send deployer_address with the account that signed the transaction.'],
    });
  const deployer_address = deployerOf(body, found);
  const { public_key } = await envPubkey(ctx, kms, app_id);
  return { provision_id: provision.id, env_pubkey: public_key, deployer_address };
}

export const takenByOther = (app_id: string, cause?: unknown) =>
  new Problem('CVM_APP_ID_CONFLICT', {
    message: `The contract 0x${app_id} is another team's app.`,
    details: [{ field: 'app_id', value: app_id }],
    suggestions: ['Deploy your own contract for this app and commit its address.'],
    cause,
  });

interface Deployment {
  provision: OnChainProvision;
  contract: GoverningContract;
  /** The address of the app's contract, 40 lowercase hex digits. */
  app_id: string;
  compose_hash: string;
}

/** Reads an app's contract, which must be registered and allow the provision. @throws {Problem} */
export async function requireAllowed(
  ctx: Context,
  { provision: { device_id, os_image_hash }, contract, app_id, compose_hash }: Deployment,
): Promise<AppReading> {
  const found = await readApp(ctx, contract, {
    app_id,
    compose_hashes: [],
    device_ids: [],
    boots: [
      {
        app_id,
        compose_hash,
        device_id: device_id ?? undefined,
        os_image_hash: os_image_hash ?? undefined,
        tcb_status: 'UpToDate',
      },
    ],
  });
  if (!found.code_present)
    throw notDeployed(`There is no contract at 0x${app_id} on chain ${contract.chain_id} yet.`);
  if (!found.registered)
    throw notDeployed(
      `The contract 0x${app_id} is not registered with the KMS contract ${contract.address}.`,
    );
  const [verdict] = found.verdicts;
  if (!verdict?.allowed)
    throw new Problem('HASH_NOT_ALLOWED', {
      message: `The contract refuses this app: ${verdict?.reason ?? 'no answer'}.`,
      details: [
        { field: 'compose_hash', value: compose_hash },
        { field: 'device_id', value: device_id },
        { field: 'os_image_hash', value: os_image_hash },
      ],
      suggestions: ['Change the contract to allow this, then try again.'],
    });
  return found;
}

/** @throws {Problem} CVM_APP_ID_CONFLICT if an app on another network has the contract's address */
export async function requireSameChain(
  ctx: Context,
  app_id: string,
  { chain_id }: GoverningContract,
): Promise<void> {
  const taken_on = await chainOfAppId(ctx.db, app_id);
  if (taken_on !== null && taken_on !== chain_id) throw takenElsewhere(app_id, { chain_id, taken_on });
}

/**
 * KMS contracts at one address on two networks give their apps the same addresses. Gateways route by app ID alone, so
 * one server can't have both.
 */
function takenElsewhere(
  app_id: string,
  { chain_id, taken_on }: { chain_id: number; taken_on: number },
): Problem {
  return new Problem('CVM_APP_ID_CONFLICT', {
    message: `The contract 0x${app_id} on ${networkName(chain_id)} has the same address as an app on ${networkName(taken_on)}, because their KMS contracts share an address. This server can't run both, because an app's ID is its contract's address.`,
    details: [{ field: 'app_id', value: app_id }],
    suggestions: [
      `Deploy the app's contract on ${networkName(chain_id)} again: the new one will have a different address.`,
    ],
  });
}

const notDeployed = (message: string) =>
  new Problem('TX_VERIFICATION_FAILED', {
    message,
    suggestions: [
      "Check the address. If the transaction that deploys the app isn't in a block yet, wait for it, then try again.",
    ],
  });

/** Most clients send the app's contract, some the KMS contract. */
function checkAddress({ contract_address }: CreateCvm, app_id: string, kms: GoverningContract): void {
  if (contract_address === undefined) return;
  if ([`0x${app_id}`, kms.address].includes(contract_address.toLowerCase())) return;
  throw new Problem('TX_VERIFICATION_FAILED', {
    message: `contract_address is neither the app's contract nor ${kms.address}, the KMS contract it was provisioned for.`,
    details: [{ field: 'contract_address', value: contract_address }],
  });
}

/** The named deployer must have deployed the contract or own it now. */
function deployerOf(
  { deployer_address }: CreateCvm,
  { deployer, owner }: { deployer: string | null; owner: string | null },
): string {
  const known = [deployer, owner].filter((one) => one !== null);
  const named = deployer_address?.toLowerCase() ?? known[0];
  if (named === undefined || !known.includes(named))
    throw new Problem('TX_VERIFICATION_FAILED', {
      message: "deployer_address neither deployed nor owns the app's contract.",
      details: [{ field: 'deployer_address', value: deployer_address ?? null }],
      suggestions: ['Send the account that signed the transaction.'],
    });
  return named;
}
