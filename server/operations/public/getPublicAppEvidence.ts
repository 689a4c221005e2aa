import { parseUuid } from '../../../console/lib/ids';
import { listKnownImages } from '../../db/attestation/evidence';
import { Problem } from '../../domain/core/problem';
import { trustOfHost } from '../../domain/public/publicAppResponse';
import { collectEvidence } from '../attestation/collect';
import { expectedEvidence } from '../attestation/expectedEvidence';
import type { Handler } from '../types';
import { publishedApp } from './publicApp';

/** The API's limit. */
const MAX_IMAGES = 200;

/** Leaves out why a guest doesn't respond: the reason can name hosts. */
export const getPublicAppEvidence: Handler<'getPublicAppEvidence'> = async ({ path, query, ctx }) => {
  const { cvms } = await publishedApp(ctx, path.app_id);
  const wanted = query.vm_uuid === undefined ? cvms[0].cvm.vm_uuid : parseUuid(query.vm_uuid);
  const row = cvms.find(({ cvm }) => cvm.vm_uuid === wanted);
  if (!row) throw new Problem('NOT_FOUND', { message: 'The app has no such published CVM.' });
  const { cvm, teepod } = row;
  const [{ is_online, source, collected_at, evidence, certificate_chain }, os_images] = await Promise.all([
    collectEvidence(ctx, row),
    listKnownImages(ctx.db, cvm.os_image, MAX_IMAGES),
  ]);
  return {
    status: 200,
    body: {
      vm_uuid: cvm.vm_uuid,
      name: cvm.name,
      trust: trustOfHost(teepod),
      is_online,
      source,
      collected_at: collected_at?.toISOString() ?? null,
      evidence,
      certificate_chain,
      expected: expectedEvidence(row, os_images),
    },
  };
};
