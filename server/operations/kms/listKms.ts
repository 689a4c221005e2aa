import type { KmsContractPage, KmsPage20260522 } from '../../../generated/api/types.gen';
import { listKmsGroups } from '../../db/kms/kmsContracts';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { kmsContractOut } from '../../domain/kms/kmsContractResponse';
import { offsetOf, pageOut } from '../core/paging';
import type { Handler } from '../types';

export const listKms: Handler<'listKms'> = async ({ query, ctx }) => {
  const { limit, offset } = offsetOf(query);
  const wanted = (await listKmsGroups(ctx.db)).filter(
    ({ first, replicas }) =>
      replicas.length > 0 &&
      (query.is_onchain === undefined || query.is_onchain === (first.chain_id !== null)),
  );
  const pageOf = <T>(all: T[]) => pageOut(all.slice(offset, offset + limit), all.length, query);
  const services = wanted.flatMap(({ replicas }) => replicas).toSorted((a, b) => a.id - b.id);
  const body: KmsContractPage & { services: KmsPage20260522 } = {
    ...pageOf(wanted.map((group) => kmsContractOut(group, group.label))),
    // Older versions list the services themselves.
    services: pageOf(services.map(kmsOut)),
  };
  return { status: 200, body };
};
