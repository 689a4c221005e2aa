import { kmsUse, lockKms } from '../../../db/kms/adminKms';
import { adminOne } from '../../../db/core/adminList';
import { adminKms } from '../../../db/kms/adminKms';
import { chainIdOf } from '../../../../console/lib/kms/chains';
import { bareHex } from '../../../../console/lib/kms/hex';
import { Problem } from '../../../domain/core/problem';
import { adminKmsOut } from '../../../domain/kms/adminKmsResponse';
import { checkKms } from '../../../jobs/kms/checkKms';
import type { Handler } from '../../types';
import { etagOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { changeRow, missing } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';
import { checkPins, checkRootKey, checkUrl, KMS_NAMES } from './kmsRules';

/** The built-in teepod sets these for its KMS at every start. */
const OF_ITSELF = ['slug', 'type', 'url'] as const;

/**
 * Fields the next check compares with; changing one triggers a check immediately, so that a form shows whether it was
 * right.
 */
const JUDGED = [
  'url',
  'k256_pubkey',
  'next_k256_pubkey',
  'ca_pubkey',
  'chain',
  'kms_contract_address',
] as const;

export const updateAdminKms: Handler<'updateAdminKms'> = async ({ path, body, ctx }) => {
  const { chain, ...rest } = body;
  if (body.url !== undefined) checkUrl(ctx, body.url);
  for (const field of ['k256_pubkey', 'next_k256_pubkey'] as const) checkRootKey(field, body[field]);
  const reply = await namingConflict(KMS_NAMES, () =>
    changeRow(ctx, kms, path.id, {
      kind: 'kms',
      patch: {
        ...lowerKeys(rest),
        ...(body.aggregated_mrs === undefined ? {} : { aggregated_mrs: body.aggregated_mrs.map(bareHex) }),
        ...(chain === undefined ? {} : { chain_id: chain === null ? null : chainIdOf(chain) }),
      },
      lock: lockKms,
      async check(trx, changes, before) {
        checkPins(before, { ...before, ...changes });
        const use = await kmsUse(trx, before.id);
        for (const field of OF_ITSELF)
          if (use.local && changes[field] !== undefined)
            throw invalid(field, 'The built-in teepod sets this itself. Keys and state can be changed.');
        if (use.apps > 0 && (changes.chain_id !== undefined || changes.kms_contract_address !== undefined))
          throw new Problem('IN_USE', {
            message: `${use.apps === 1 ? 'One app uses' : `${use.apps} apps use`} the contract of “${before.slug}”, which decides who may change ${use.apps === 1 ? 'it' : 'them'}.`,
            suggestions: ['Add a key service with the other contract, and set this one to retiring.'],
          });
        if (changes.state === 'retired' && use.cvms > 0)
          throw new Problem('IN_USE', {
            message: `${use.cvms === 1 ? 'One CVM gets' : `${use.cvms} CVMs get`} keys from “${before.slug}”, counting those in the recycle bin.`,
            suggestions: [
              'Set its state to retiring, so that it accepts no new apps, and retire it once its apps are gone.',
            ],
          });
      },
      write: (trx, changes) => trx.updateTable('kms').set(changes).where('id', '=', path.id).execute(),
    }),
  );
  if (!JUDGED.some((field) => body[field] !== undefined)) return reply;
  await checkKms(ctx, { id: path.id, url: reply.body.url, slug: reply.body.slug }, ctx.signal);
  const row = await adminOne(ctx.db, adminKms, path.id);
  if (!row) throw missing(kms, path.id);
  return { status: 200, headers: { ETag: etagOf('kms', row.id, row.updated_at) }, body: adminKmsOut(row) };
};

function lowerKeys<T extends { kms_contract_address?: string | null | undefined }>(patch: T): T {
  const { kms_contract_address } = patch;
  return typeof kms_contract_address === 'string'
    ? { ...patch, kms_contract_address: kms_contract_address.toLowerCase() }
    : patch;
}
