import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import type { AdminHostImages } from '../../../../generated/api/types.gen';
import type { Db } from '../../../db/core/client';
import { cvmsByImage } from '../../../db/hosts/hostImages';
import type { TeepodRow } from '../../../db/hosts/teepodsTable';
import { Problem } from '../../../domain/core/problem';
import { VmmError } from '../../../drivers/vmm';
import type { Context } from '../../types';

const ANSWER_MS = 15_000;
const MAX_IMAGES = 1000;
const LACKS_METHOD = /service not found/i;
const UNSUPPORTED = "This host can't pull or delete images: it needs dstack-vmm 0.5.9 or newer.";

const limited = (ctx: Context) => ({
  signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]),
});

export const auditedOn = ({ id }: TeepodRow) => ({ target_kind: 'teepod', target_id: String(id) });

/** Returns why a host call failed, or rethrows errors not caused by the host. */
function reasonOf(ctx: Context, error: unknown): string {
  ctx.signal.throwIfAborted();
  if (error instanceof VmmError && LACKS_METHOD.test(error.message)) return UNSUPPORTED;
  if (error instanceof VmmError) return cutWhole(error.message, 2000);
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `No response within ${ANSWER_MS / 1000} seconds.`;
  throw error;
}

/** Returns the images on a host and in its registry. A failing registry doesn't hide the host's images. */
export async function hostImages(ctx: Context, db: Db, teepod: TeepodRow): Promise<AdminHostImages> {
  const driver = ctx.vmm.get(teepod);
  const how = limited(ctx);
  const failed = (error: unknown) => ({ reason: reasonOf(ctx, error) });
  const [local, registry] = await Promise.all([
    driver.listImages(how).catch(failed),
    driver.listRegistryImages(how).catch(failed),
  ]);
  const counts = await cvmsByImage(db, teepod.id);
  const images = Array.isArray(local) ? local : [];
  const offered = Array.isArray(registry) ? registry : [];
  return {
    answered: Array.isArray(local),
    error: Array.isArray(local) ? null : local.reason,
    images: images.slice(0, MAX_IMAGES).map(({ name, version, is_dev }) => ({
      name: cutWhole(name, 200),
      version: cutWhole(version, 200),
      is_dev,
      cvm_count: counts.get(name) ?? 0,
    })),
    registry_images: offered.slice(0, MAX_IMAGES).map(({ tag, local: stored, pulling, error }) => ({
      tag: cutWhole(tag, 200),
      local: stored,
      pulling,
      error: error === '' ? null : cutWhole(error, 2000),
    })),
    registry_error: Array.isArray(registry) ? null : registry.reason,
  };
}

/**
 * Runs a change to a host's images.
 * @throws HOST_UNREACHABLE or HOST_REFUSED with the host's reason
 */
export async function changeImages(
  ctx: Context,
  teepod: TeepodRow,
  change: (driver: ReturnType<Context['vmm']['get']>, how: { signal: AbortSignal }) => Promise<void>,
): Promise<void> {
  try {
    await change(ctx.vmm.get(teepod), limited(ctx));
  } catch (error) {
    const message = reasonOf(ctx, error);
    const refused = error instanceof VmmError && error.kind !== 'unreachable' && error.kind !== 'timeout';
    throw new Problem(refused ? 'HOST_REFUSED' : 'HOST_UNREACHABLE', {
      message,
    });
  }
}
