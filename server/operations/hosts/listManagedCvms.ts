import type { Handler } from '../types';
import { compare } from './comparison';
import { teepodOr404 } from './teepod';

export const listManagedCvms: Handler<'listManagedCvms'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const { answer, cvms, total } = await compare(ctx, teepod);
  const { answered, error, asked_at } = answer;
  return {
    status: 200,
    body: {
      answered,
      error,
      asked_at: asked_at.toISOString(),
      total,
      cvms: cvms
        .toSorted((a, b) => b.drift.length - a.drift.length)
        .map(({ cvm, vm, drift }) => ({
          vm_uuid: cvm.vm_uuid,
          name: cvm.name,
          team_name: cvm.team_name,
          team_slug: cvm.team_slug,
          app_id: cvm.app_id,
          status: cvm.status,
          desired: cvm.desired,
          host_vm_id: cvm.host_vm_id,
          host_status: vm?.status ?? null,
          vcpu: cvm.vcpu,
          memory_mb: cvm.memory_mb,
          disk_gb: cvm.disk_gb,
          os_image: cvm.os_image,
          compose_hash: cvm.compose_hash,
          drift,
        })),
    },
  };
};
