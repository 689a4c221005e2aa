import { readFactsOften } from '../../../db/hosts/hostFacts';
import type { Handler } from '../../types';
import { teepodOr404 } from '../teepod';
import { auditedOn, changeImages, hostImages } from './hostImages';

/** Starts the download; the host answers before it ends, and lists its progress. */
export const pullTeepodImage: Handler<'pullTeepodImage'> = async ({ path, body: { tag }, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const target = auditedOn(teepod);
  // Audited first, because a host may act on a call that times out here.
  await ctx.write(({ audit }) => audit({ action: 'teepod.pull_image_request', ...target, after: { tag } }));
  await changeImages(ctx, teepod, (driver, how) => driver.pullRegistryImage(tag, how));
  await ctx.write(async ({ trx, audit }) => {
    // Offered to teams soon after it has arrived.
    await readFactsOften(trx, teepod.id);
    await audit({ action: 'teepod.pull_image', ...target, after: { tag } });
  });
  return { status: 200, body: await hostImages(ctx, ctx.db, teepod) };
};
