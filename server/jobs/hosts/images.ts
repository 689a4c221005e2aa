import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { prepared } from '../../db/core/client';
import type { ResolvedImage } from '../../db/apps/revisionsTable';
import type { OperationRun } from '../cvms/operationRun';
import { toJson } from '../../db/core/json';

const ANSWER_MS = 3_000;
const MAX_IMAGES = 100;

/**
 * Stores the images of a freshly booted CVM's containers with its revision: a tag may refer to another image at
 * the next boot, and a comparison of revisions should show that. Reported by the guest; without a report,
 * nothing is stored.
 */
export async function rememberImages(run: OperationRun): Promise<void> {
  const { cvm, operation } = run;
  if (cvm.host_vm_id === null) return;
  const containers = await run.driver.guest.listContainers(cvm.host_vm_id, {
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const at = new Date().toISOString();
  const images: ResolvedImage[] = containers
    .filter((container) => container.image_id !== '')
    .slice(0, MAX_IMAGES)
    .map(({ names, image, image_id }) => ({
      name: cutWhole((names.at(-1) ?? '').replace(/^\//, ''), 256),
      image: cutWhole(image, 512),
      image_id: cutWhole(image_id, 256),
      at,
    }));
  if (images.length === 0) return;
  await run.db
    .updateTable('revisions')
    .set({ resolved_images: toJson(images) })
    .where('id', '=', operation.payload.revision_id ?? cvm.revision_id)
    .where(sql<boolean>`live_at is not null`)
    .modifyEnd(prepared)
    .execute();
}
