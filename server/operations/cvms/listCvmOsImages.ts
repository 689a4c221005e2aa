import type { CvmOsImage, CvmOsImageVariant } from '../../../generated/api/types.gen';
import { runsAiGateway } from '../../db/ai/aiGateways';
import { findCvm } from '../../db/cvms/cvmLookup';
import { imagesOf } from '../../db/catalog/catalog';
import { compareVersions } from '../../domain/cvms/imageVersion';
import { versionTuple } from '../../domain/core/versions';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listCvmOsImages: Handler<'listCvmOsImages'> = async ({ path, ctx }) => {
  const { cvm, app } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const [images, isGateway] = await Promise.all([
    imagesOf(ctx.db, [cvm.teepod_id]),
    runsAiGateway(ctx.db, app.id),
  ]);
  const byVersion = new Map<string, CvmOsImage>();
  for (const image of images.toSorted((a, b) => compareVersions(b.version, a.version))) {
    if (image.state === 'retired' && image.name !== cvm.os_image) continue;
    // As for deployments: images with the GPU driver are for CVMs that have a GPU, and others for CVMs without.
    if (image.requires_gpu !== cvm.gpus > 0 && image.name !== cvm.os_image) continue;
    if (isGateway && image.is_dev && image.name !== cvm.os_image) continue;
    const version = versionTuple(image.version);
    const key = version.join('.');
    const of = byVersion.get(key) ?? { version, prod: null, dev: null };
    const variant: CvmOsImageVariant = {
      name: image.name,
      os_image_hash: image.os_image_hash,
      is_current: image.name === cvm.os_image,
    };
    const slot = image.is_dev ? 'dev' : 'prod';
    // Of two builds of a version, show the one in use.
    if (!of[slot] || variant.is_current) of[slot] = variant;
    byVersion.set(key, of);
  }
  return { status: 200, body: [...byVersion.values()].slice(0, 200) };
};
