import { imagesOf } from '../db/catalogue';
import type { Tx } from '../db/client';
import { gpuModelsOf, gpuStock } from '../db/gpus';
import { reserve, teepodCapacities } from '../db/reservations';
import type { CvmRow, TeepodRow } from '../db/schema';
import { hasGpus, whyNoGpus, type GpuModel } from '../domain/gpuFit';
import { rank, refusal } from '../domain/scheduler';

/**
 * Takes room for the CVM on another host its team may use: under the same key service, which alone can open its secrets,
 * behind the same gateway, so that its addresses stay, with its OS image and GPUs like its own. `why` names what is missing.
 */
export async function takeTarget(
  trx: Tx,
  cvm: CvmRow,
  source: Pick<TeepodRow, 'id' | 'gateway_base_domain'>,
): Promise<{ teepod_id: number; name: string } | { why: string }> {
  const all = (await teepodCapacities(trx, { team_id: cvm.team_id })).filter(
    (host) => host.teepod_id !== source.id,
  );
  if (all.length === 0) return { why: 'No other host that its team may use takes CVMs now.' };
  const sameKms = all.filter((host) => host.kms_id === cvm.kms_id);
  if (sameKms.length === 0) return { why: 'No other host uses the key service that holds its keys.' };
  const gateways = await trx
    .selectFrom('teepods')
    .select(['id', 'gateway_base_domain'])
    .where(
      'id',
      'in',
      sameKms.map((host) => host.teepod_id),
    )
    .execute();
  const same = new Set(
    gateways.filter((one) => one.gateway_base_domain === source.gateway_base_domain).map(({ id }) => id),
  );
  const near = sameKms.filter((host) => same.has(host.teepod_id));
  if (near.length === 0)
    return { why: 'No other host is behind the same gateway: its addresses would change.' };
  const images = await imagesOf(
    trx,
    near.map((host) => host.teepod_id),
  );
  const able = near.filter((host) =>
    images.some((image) => image.teepod_id === host.teepod_id && image.name === cvm.os_image),
  );
  if (able.length === 0) return { why: `No other host has its OS image ${cvm.os_image}.` };
  const size = { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb };
  const { gpus, team_id } = cvm;
  const models = await gpusLike(trx, cvm);
  const products = models.map(({ product_id }) => product_id);
  const stock =
    gpus === 0
      ? []
      : await gpuStock(
          trx,
          able.map((host) => host.teepod_id),
          team_id,
        );
  const fit = able.filter((host) =>
    hasGpus(
      stock.filter(({ teepod_id }) => teepod_id === host.teepod_id),
      products,
    ),
  );
  if (fit.length === 0) return { why: whyNoGpus(stock, models) };
  for (const { teepod_id, teepod_name } of rank(fit, { size, gpus }))
    if (await reserve(trx, { teepod_id, team_id, size, gpus, products, cvm_id: cvm.id, moving: true }))
      return { teepod_id, name: teepod_name };
  return { why: refusal(fit, { size, gpus }).message };
}

/** GPUs as it has now: what runs in it was made for them. Of one that it is to have and has not, any. */
async function gpusLike(trx: Tx, cvm: CvmRow): Promise<GpuModel[]> {
  const has = await gpuModelsOf(trx, cvm);
  const any = { product_id: null, name: 'GPU' };
  return [...has, ...Array<GpuModel>(Math.max(0, cvm.gpus - has.length)).fill(any)].slice(0, cvm.gpus);
}
