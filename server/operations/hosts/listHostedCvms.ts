import type { AdminCvmRef, AdminHostedVm } from '../../../generated/api/types.gen';
import { cvmsNamedBy } from '../../db/hosts/duplicates';
import { composeHash } from '../../domain/hosts/drift';
import { duplicatesOf } from '../../domain/hosts/duplicates';
import type { Handler } from '../types';
import { compare, type Comparison } from './comparison';
import { teepodOr404 } from './teepod';

const MAX_VMS = 1000;

export const listHostedCvms: Handler<'listHostedCvms'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const { answer, vms } = await compare(ctx, teepod);
  const { answered, error, asked_at } = answer;
  const named = await cvmsNamedBy(ctx.db, answer.vms);
  return {
    status: 200,
    body: {
      answered,
      error,
      asked_at: asked_at.toISOString(),
      total: vms.length,
      vms: vms
        .toSorted((a, b) => b.drift.length - a.drift.length || a.vm.name.localeCompare(b.vm.name))
        .slice(0, MAX_VMS)
        .map(hostedVm),
      duplicates: duplicatesOf(teepod.name, answer.vms, named),
    },
  };
};

/** Only hashes are shown: staff may not read other users' Compose files and secrets here. */
function hostedVm({ vm, cvm, drift }: Comparison['vms'][number]): AdminHostedVm {
  const made = vm.configuration;
  return {
    host_vm_id: vm.id.slice(0, 200),
    name: vm.name.slice(0, 200),
    status: vm.status,
    app_id: vm.app_id.slice(0, 64),
    instance_id: vm.instance_id?.slice(0, 64) ?? null,
    vcpu: made?.vcpu ?? null,
    memory_mb: made?.memory ?? null,
    disk_gb: made?.disk_size ?? null,
    os_image: made?.image.slice(0, 200) ?? null,
    compose_hash: made ? composeHash(made.compose_file) : null,
    uptime: vm.uptime.slice(0, 64),
    boot_progress: vm.boot_progress.slice(0, 200),
    cvm: cvm ? cvmRef(cvm) : null,
    drift,
  };
}

function cvmRef({ vm_uuid, name, team_name, team_slug, status }: AdminCvmRef): AdminCvmRef {
  return { vm_uuid, name, team_name, team_slug, status };
}
