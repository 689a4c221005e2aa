import { cvmsByImage, forgetImage } from '../../../db/hosts/hostImages';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { teepodOr404 } from '../teepod';
import { auditedOn, changeImages, hostImages } from './hostImages';
import { counted } from '../../../../console/lib/texts/count';

/**
 * Deletes an image that no CVM needs. The host also refuses while one of its VMs uses it, even a VM that
 * isn't ours.
 */
export const deleteTeepodImage: Handler<'deleteTeepodImage'> = async ({ path, body: { name }, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const used = (await cvmsByImage(ctx.db, teepod.id)).get(name) ?? 0;
  if (used > 0)
    throw new Problem('CONFLICT', {
      message: `${name} is used by ${counted(used, ['CVM', 'CVMs'])} on ${teepod.name}.`,
      suggestions: ['Update these CVMs to another image or delete them permanently first.'],
    });
  const target = auditedOn(teepod);
  // Audited first, because a host may act on a call that times out here.
  await ctx.write(({ audit }) =>
    audit({ action: 'teepod.delete_image_request', ...target, before: { name } }),
  );
  await changeImages(ctx, teepod, (driver, how) => driver.deleteImage(name, how));
  await ctx.write(async ({ trx, audit }) => {
    await forgetImage(trx, teepod.id, name);
    await audit({ action: 'teepod.delete_image', ...target, before: { name } });
  });
  return { status: 200, body: await hostImages(ctx, ctx.db, teepod) };
};
