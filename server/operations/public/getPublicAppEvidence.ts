import { parseUuid } from '../../../console/lib/ids';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { publicEvidence } from './publicEvidence';
import { publishedApp } from './publicApp';

export const getPublicAppEvidence: Handler<'getPublicAppEvidence'> = async ({ path, query, ctx }) => {
  const { cvms } = await publishedApp(ctx, path.app_id);
  const wanted = query.vm_uuid === undefined ? cvms[0].cvm.vm_uuid : parseUuid(query.vm_uuid);
  const row = cvms.find(({ cvm }) => cvm.vm_uuid === wanted);
  if (!row) throw new Problem('NOT_FOUND', { message: 'Published CVM not found for this app.' });
  return { status: 200, body: await publicEvidence(ctx, row) };
};
