import { isAppIdTaken, openOnChainProvision } from '../../../db/apps/provisions';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import { answered, checkTransaction, governedBy, type GoverningContract } from '../../kms/onChain';
import type { Context, Handler } from '../../types';
import { refuseCopy, requireClaim } from './contractClaim';
import { requireAllowed, requireSameChain } from './onChainApproval';

const NOTHING = { app_id: null, owner: null, deployer_address: null };

/** Returns what a commit would answer about a contract, before the client relies on it. */
export const checkProvisionContract: Handler<'checkProvisionContract'> = async ({ body, ctx }) => {
  const compose_hash = body.compose_hash.toLowerCase().replace(/^(0x|sha256:)/, '');
  const provision = await openOnChainProvision(ctx.db, teamOf(ctx).id, compose_hash);
  const contract = governedBy(provision?.kms);
  if (!provision || !contract)
    throw new Problem('PROVISION_EXPIRED', {
      message: 'This team has no open reservation waiting for a contract with this compose hash.',
    });
  await refuseCopy(ctx, provision.rivals);
  const app_id =
    body.contract === undefined
      ? await newestFree(ctx, contract, {
          compose_hash,
          ...(body.owner === undefined ? {} : { owner: body.owner }),
        })
      : await addressOf(ctx, contract, body.contract.toLowerCase());
  if (app_id === null) return { status: 200, body: NOTHING };
  await requireSameChain(ctx, app_id, contract);
  if (await isAppIdTaken(ctx.db, app_id))
    throw new Problem('CVM_APP_ID_CONFLICT', {
      message: `The contract 0x${app_id} belongs to another app.`,
      details: [{ field: 'contract', value: `0x${app_id}` }],
      suggestions: ['Deploy a contract for this app.'],
    });
  const found = await requireAllowed(ctx, { provision, contract, app_id, compose_hash });
  await requireClaim(ctx, provision, found);
  const { owner, deployer } = found;
  return { status: 200, body: { app_id, owner, deployer_address: deployer ?? owner } };
};

/** Returns the newest contract that allows the hash, has no app yet and belongs to `owner`, if given. */
async function newestFree(
  ctx: Context,
  contract: GoverningContract,
  question: { compose_hash: string; owner?: string },
): Promise<string | null> {
  const found = await answered(ctx, (signal) => ctx.chain.findApps(contract, question, signal));
  for (const app_id of found) if (!(await isAppIdTaken(ctx.db, app_id))) return app_id;
  return null;
}

/** @param named an address, or the hash of the transaction that deployed the contract */
async function addressOf(ctx: Context, contract: GoverningContract, named: string): Promise<string> {
  if (named.length === 42) return named.slice(2);
  await checkTransaction(ctx, contract, named);
  const [app_id] = await answered(ctx, (signal) =>
    ctx.chain.findApps(contract, { transaction_hash: named }, signal),
  );
  if (app_id === undefined)
    throw new Problem('TX_VERIFICATION_FAILED', {
      message: `The transaction didn't deploy an app through the KMS contract ${contract.address}.`,
      details: [{ field: 'contract', value: named }],
      suggestions: ['Enter the transaction that called deployAndRegisterApp.'],
    });
  return app_id;
}
