import { imagesOf } from '../../db/catalog/catalog';
import type { Tx } from '../../db/core/client';
import { gpuModelsOf } from '../../db/hosts/gpus';
import { takenPorts } from '../../db/hosts/hostPorts';
import { lockReplicas, replicasByHost } from '../../db/hosts/replicasByHost';
import { reserve, teepodCapacities } from '../../db/hosts/reservations';
import { gpuStock } from '../../db/hosts/waits/heldRoom';
import { placementPolicy } from '../../db/platform/platformSettings';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { portName, unsupportedAttachment } from '../../domain/hosts/attachments';
import { guestFieldsIn, unsupportedField } from '../../domain/hosts/guestSupport';
import { hasGpus, whyNoGpus, type GpuModel } from '../../domain/hosts/gpuFit';
import { apart, rank, shortage, usesKms } from '../../domain/hosts/scheduler';
import { drainText } from '../../../console/lib/texts/drainTexts';
import type { Text } from '../../../console/lib/texts/text';

/**
 * Reserves capacity for the CVM on another host its team may use: under the same key service, which alone can
 * decrypt its secrets, behind the same gateway, so that its URLs stay, with its OS image and matching GPUs.
 * `why` names what is missing.
 */
export async function takeTarget(
  trx: Tx,
  cvm: CvmRow,
  source: Pick<TeepodRow, 'id' | 'gateway_base_domain'>,
): Promise<{ teepod_id: number; name: string } | { why: Text }> {
  // Another host may be drained at the same time.
  await lockReplicas(trx, cvm.app_id);
  const all = (await teepodCapacities(trx, { team_id: cvm.team_id })).filter(
    (host) => host.teepod_id !== source.id,
  );
  if (all.length === 0) return { why: drainText('no_other_host') };
  const sameKms = all.filter((host) => usesKms(host, cvm.kms_id));
  if (sameKms.length === 0) return { why: drainText('no_kms_host') };
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
  if (near.length === 0) return { why: drainText('no_gateway_host') };
  const images = await imagesOf(
    trx,
    near.map((host) => host.teepod_id),
  );
  const { app_compose } = await trx
    .selectFrom('revisions')
    .select('app_compose')
    .where('id', '=', cvm.revision_id)
    .executeTakeFirstOrThrow();
  const fields = guestFieldsIn(app_compose);
  const able = near.filter((host) =>
    images.some(
      (image) =>
        image.teepod_id === host.teepod_id &&
        image.name === cvm.os_image &&
        unsupportedField(fields, host, image) === null,
    ),
  );
  if (able.length === 0) return { why: drainText('no_image_host', { image: cvm.os_image }) };
  const size = { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb };
  const { gpus, all_gpus, ports, team_id } = cvm;
  const mapping = able.filter(
    (host) => unsupportedAttachment({ ports, gpus, all_gpus: false }, host) === null,
  );
  if (mapping.length === 0) return { why: drainText('no_port_host') };
  const attaching = mapping.filter((host) => unsupportedAttachment({ ports, gpus, all_gpus }, host) === null);
  if (attaching.length === 0) return { why: drainText('no_all_gpus_host') };
  const taken = await takenPorts(
    trx,
    attaching.map((host) => host.teepod_id),
    ports,
  );
  const open = attaching.filter(({ teepod_id }) => !taken.some((port) => port.teepod_id === teepod_id));
  const [first] = taken;
  const on = attaching.find(({ teepod_id }) => teepod_id === first?.teepod_id);
  if (open.length === 0 && first && on)
    return { why: drainText('port_taken', { port: portName(first), host: on.teepod_name }) };
  const models = await gpusLike(trx, cvm);
  const products = models.map(({ product_id }) => product_id);
  const stock =
    gpus === 0
      ? []
      : await gpuStock(
          trx,
          open.map((host) => host.teepod_id),
          team_id,
        );
  const fit = open.filter((host) =>
    hasGpus(
      stock.filter(({ teepod_id }) => teepod_id === host.teepod_id),
      products,
    ),
  );
  if (fit.length === 0) return { why: whyNoGpus(stock, models) };
  const ranked = rank(fit, { size, gpus }, await placementPolicy(trx));
  const best = apart(ranked, await replicasByHost(trx, cvm.app_id));
  for (const { teepod_id, teepod_name } of best)
    if (
      await reserve(trx, {
        teepod_id,
        team_id,
        size,
        gpus,
        all_gpus,
        ports,
        products,
        cvm_id: cvm.id,
        moving: true,
      })
    )
      return { teepod_id, name: teepod_name };
  return { why: shortage(fit, { size, gpus }).reason };
}

/**
 * Returns GPUs like the current ones, since its workload was built for them. For a planned GPU not yet
 * attached, any model.
 */
async function gpusLike(trx: Tx, cvm: CvmRow): Promise<GpuModel[]> {
  const has = await gpuModelsOf(trx, cvm);
  const any = { product_id: null, name: 'GPU' };
  return [...has, ...Array<GpuModel>(Math.max(0, cvm.gpus - has.length)).fill(any)].slice(0, cvm.gpus);
}
