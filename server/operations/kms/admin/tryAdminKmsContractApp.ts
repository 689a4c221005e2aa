import { adminKmsContracts } from '../../../db/kms/adminKms';
import { adminOne } from '../../../db/core/adminList';
import { ChainError } from '../../../drivers/chain';
import type { Handler } from '../../types';
import { missing } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';

const ANSWER_MS = 10_000;

/** Only queries and stores nothing, so there is nothing to audit. An unreachable chain is a valid result. */
export const tryAdminKmsContractApp: Handler<'tryAdminKmsContractApp'> = async ({ path, body, ctx }) => {
  const contract = await adminOne(ctx.db, adminKmsContracts, path.id);
  if (!contract) throw missing(kmsContracts, path.id);
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const { tcb_status = 'UpToDate', ...hashes } = body;
  const boot = { ...mapValues(hashes, bare), tcb_status };
  try {
    const { allowed, reason, block_number, block_at } = await ctx.chain.isAppAllowed(
      contract,
      boot,
      AbortSignal.any([ctx.signal, timeout]),
    );
    return {
      status: 200,
      body: {
        verdict: allowed ? 'allowed' : 'refused',
        reason: reason === '' ? null : reason,
        block_number,
        block_at: block_at.toISOString(),
      },
    };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof ChainError) && !timeout.aborted) throw error;
    const reason =
      error instanceof ChainError
        ? error.message
        : `The RPC didn't respond within ${ANSWER_MS / 1000} seconds.`;
    return { status: 200, body: { verdict: 'unanswered', reason, block_number: null, block_at: null } };
  }
};

const bare = (text: string) => text.toLowerCase().replace(/^(?:app_|instance_)?(?:0x)?/, '');
const mapValues = <T extends object>(given: T, change: (text: string) => string): T =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(String(value))])) as T;
