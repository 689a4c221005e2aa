import { parseUuid } from '../../../console/lib/ids';
import { cvmStatuses } from '../../db/cvms/cvmQueries';
import { toStatusEntry } from '../../domain/cvms/cvmResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getStatusBatch: Handler<'getStatusBatch'> = async ({ body, ctx }) => {
  // The reply uses the identifiers exactly as sent; the same UUID has several spellings.
  const requested = new Map(body.vm_uuids.map((text) => [text, parseUuid(text)]));
  const uuids = [...new Set(requested.values())].filter((uuid) => uuid !== null);
  const found = new Map(
    (await cvmStatuses(ctx.db, teamOf(ctx).id, uuids)).map((row) => [row.cvm.vm_uuid, row]),
  );
  const entries = [...requested].flatMap(([text, uuid]) => {
    const row = uuid === null ? undefined : found.get(uuid);
    return row ? [[text, toStatusEntry(text, row.cvm, row.operation)] as const] : [];
  });
  return { status: 200, body: Object.fromEntries(entries) };
};
