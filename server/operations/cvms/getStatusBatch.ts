import { parseUuid } from '../../../console/lib/ids';
import { cvmStatuses } from '../../db/cvmQueries';
import { toStatusEntry } from '../../domain/wire/cvm';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getStatusBatch: Handler<'getStatusBatch'> = async ({ body, ctx }) => {
  // Answered under the very texts that were sent, which may spell one uuid in several ways.
  const asked = new Map(body.vm_uuids.map((text) => [text, parseUuid(text)]));
  const uuids = [...new Set(asked.values())].filter((uuid) => uuid !== null);
  const found = new Map(
    (await cvmStatuses(ctx.db, teamOf(ctx).id, uuids)).map((row) => [row.cvm.vm_uuid, row]),
  );
  const entries = [...asked].flatMap(([text, uuid]) => {
    const row = uuid === null ? undefined : found.get(uuid);
    return row ? [[text, toStatusEntry(text, row.cvm, row.operation)] as const] : [];
  });
  return { status: 200, body: Object.fromEntries(entries) };
};
