import type { NodeRef, QuotaMetric, Workspace, WorkspaceQuotas } from '../../../generated/api/types.gen';
import { deviceIds } from '../core/references';
import type { TeamRole } from '../core/caller';
import { teamVersion } from './teamVersions';

export interface TeamFields {
  public_id: string;
  name: string;
  slug: string;
  tier: string;
  role: TeamRole;
  is_default: boolean;
  require_second_factor: boolean;
  confidential_models_enabled: boolean;
  created_at: Date;
}

export const workspaceOut = (team: TeamFields): Workspace => {
  const shown = {
    id: team.public_id,
    name: team.name,
    slug: team.slug,
    tier: team.tier,
    role: team.role,
    is_default: team.is_default,
    created_at: team.created_at.toISOString(),
    confidential_models_enabled: team.confidential_models_enabled,
    avatar_url: null,
    require_second_factor: team.require_second_factor,
  };
  return { ...shown, etag: teamVersion.etag(team, shown) };
};

export interface QuotaFields {
  slug: string;
  tier: string;
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  max_disk_gb: number;
}

const NONE: QuotaMetric = { limit: 0, remaining: 0 };
/** Never negative, even if the quota was lowered below current usage. */
const metric = (limit: number, used: number): QuotaMetric => ({
  limit,
  remaining: Math.max(0, limit - used),
});

export const quotasOut = (
  team: QuotaFields,
  used: { cvms: number; vcpu: number; memory_mb: number; disk_gb: number },
  gpus: { reserved: number; in_use: number; misconfigured: number },
  as_of: Date,
): WorkspaceQuotas => ({
  team_slug: team.slug,
  tier: team.tier,
  quotas: {
    vm_slots: metric(team.max_cvms, used.cvms),
    vcpu: metric(team.max_vcpu, used.vcpu),
    memory_mb: metric(team.max_memory_mb, used.memory_mb),
    disk_gb: metric(team.max_disk_gb, used.disk_gb),
  },
  reserved_nodes: NONE,
  reserved_gpu: {
    gpus: metric(gpus.reserved, gpus.in_use + gpus.misconfigured),
    in_use: gpus.in_use,
    misconfigured: gpus.misconfigured,
  },
  as_of: as_of.toISOString(),
});

export interface HostFields {
  teepod_id: number;
  name: string;
  region: string | null;
  device_id: string | null;
  ppid: string | null;
  version: string | null;
  teepod_state: 'online' | 'cordoned' | 'draining' | 'offline';
  node_state: 'online' | 'maintenance' | 'offline';
  reachable: boolean;
}

export const nodeRefOut = (host: HostFields): NodeRef => ({
  object_type: 'node',
  id: host.teepod_id,
  name: host.name,
  region: host.region,
  device_id: host.device_id,
  device_ids: deviceIds(host.device_id),
  ppid: host.ppid,
  status: hostStatus(host),
  version: host.version,
});

/** Returns whether a host accepts deployments, in the terms clients expect. */
function hostStatus({ teepod_state, node_state, reachable }: HostFields): string {
  if (teepod_state === 'offline' || node_state === 'offline' || !reachable) return 'OFFLINE';
  return teepod_state === 'online' && node_state === 'online' ? 'ONLINE' : 'MAINTENANCE';
}
