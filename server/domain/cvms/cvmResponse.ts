import { formatMicros } from '../../../console/lib/billing/money';
import type {
  Cvm,
  CvmDetail,
  CvmLogs,
  CvmState,
  CvmStatusEntry,
  CvmUrl,
  KmsInfo,
  KmsType,
  NodeRef,
  OperationSummary,
} from '../../../generated/api/types.gen';
import type { Coverage } from '../billing/metering';
import { hourlyRate } from '../billing/pricing';
import type { Caller } from '../core/caller';
import { composeFacts, parseAppCompose, type ComposeFacts } from '../apps/composeFacts';
import type { CvmDesired, CvmStatus, OperationType } from './cvmStates';
import { cvmEtag, type EditedCvm } from './cvmVersion';
import { presentedPin } from '../kms/kmsKeys';
import { gatewayAlias } from '../network/domains';
import { domainsUnserved } from '../network/endpoints';
import { containerLogBase, cvmLogUrl, logReader } from '../logs/logUrls';
import type { Seal } from '../core/seal';
import { kmsOut, type KmsFields } from '../catalog/catalogResponse';
import { deviceIds, iso, short, userRef, workspaceRef, type UserFields } from '../core/references';
import { textKeys } from '../core/textKeys';
import { gpuRentalOrder, type CoveringOrderFields } from '../billing/orders/gpuRentalOrder';

/** The inputs of a response besides its row; every `Context` satisfies it. */
export interface WireContext {
  readonly config: { readonly publicUrl: string };
  readonly seal: Seal;
  readonly caller: Pick<Caller, 'user' | 'team' | 'session' | 'token_id' | 'as_staff' | 'view_as'>;
}

/** Fields of a CVM and related rows that the responses below read. */
export interface CvmFields {
  cvm: StatusFields & {
    id: number;
    vm_uuid: string;
    team_id: number;
    desired: CvmDesired;
    status_reason: string | null;
    status_reason_keys: Cvm['status_reason_keys'];
    instance_type: string | null;
    vcpu: number;
    memory_mb: number;
    disk_gb: number;
    hourly_rate_micros: number;
    gpu_rate_micros: number;
    disk_rate_micros: number;
    covers: Coverage | null;
    covered_until: Date | null;
    os_image: string;
    env_pubkey: string | null;
    public_logs: boolean;
    public_sysinfo: boolean;
    public_tcbinfo: boolean;
    listed: boolean;
    endpoints: readonly CvmUrl[];
    created_by: number | null;
    created_at: Date;
    updated_at: Date;
    deleted_at: Date | null;
    hostname: string | null;
    protected: boolean;
    movable: boolean;
    scheduled_stop_at: Date | null;
    scheduled_delete_at: Date | null;
    missing_since: Date | null;
  };
  app: { app_id: string; deployer_address: string | null };
  revision: { number: number; compose_hash: string };
  teepod: {
    id: number;
    name: string;
    kind: 'dstack_vmm' | 'local';
    state: string;
    reachable: boolean;
    version: string | null;
    engine: string | null;
    gateway_base_domain: string | null;
    tee: 'tdx' | 'sev_snp' | null;
  };
  node: { region: string | null; state: string; device_id: string | null; ppid: string | null };
  kms: (KmsFields & { type: KmsType }) | null;
  creator: (UserFields & { id: number }) | null;
  os: { version: string; is_dev: boolean; os_image_hash: string | null } | null;
  instance_type: { gpu_count: number } | null;
  /** The order that covers it. */
  order: CoveringOrderFields | null;
  /** Operation in progress. */
  operation: LiveOperationFields | null;
  latest_operation: SummaryFields | null;
}

export interface CvmDetailFields extends CvmFields {
  cvm: CvmFields['cvm'] & EditedCvm['cvm'];
  app: CvmFields['app'] & { name: string; listing_refused_reason: string | null };
  revision: CvmFields['revision'] & EditedCvm['revision'] & { app_compose: string };
}

interface StatusFields {
  public_id: string;
  name: string;
  status: CvmStatus;
  instance_id: string | null;
  started_at: Date | null;
  boot_progress: string | null;
  boot_error: string | null;
}

export interface LiveOperationFields {
  correlation_id: string;
  type: OperationType;
  target: string;
  started_at: Date | null;
  created_at: Date;
}

interface SummaryFields extends LiveOperationFields {
  state: OperationSummary['state'];
  steps: readonly { name: string }[];
  rolls_back: boolean;
  finished_at: Date | null;
  deadline_at: Date;
}

/**
 * A CVM in a list. Members beyond `Cvm` are for the mappers of the older API version; the current one never
 * sends them. Lists omit log URLs, which are credentials and cost a signature each.
 */
export type ListedCvm = Cvm & { kms: KmsInfo | null; creator_number: number | null };

const NO_LOGS: CvmLogs = {
  serial: null,
  stdout: null,
  stderr: null,
  syslog_endpoint: null,
  container_log_base: null,
};

export function toCvm(row: CvmFields, facts: ComposeFacts, ctx: WireContext): ListedCvm {
  const { cvm, app, revision, teepod, node, kms, operation, latest_operation } = row;
  const urls = publicUrls(row, facts);
  return {
    id: cvm.public_id,
    numeric_id: cvm.id,
    name: cvm.name,
    status: cvm.status,
    desired_status: cvm.desired,
    status_reason: short(cvm.status_reason, 2000),
    status_reason_keys: textKeys(cvm.status_reason_keys),
    in_progress: operation !== null,
    resource: {
      instance_type: cvm.instance_type,
      vcpu: cvm.vcpu,
      memory_in_gb: cvm.memory_mb / 1024,
      disk_in_gb: cvm.disk_gb,
      gpus: row.instance_type?.gpu_count ?? 0,
      compute_billing_price: formatMicros(cvm.hourly_rate_micros),
      billing_period: 'hourly',
    },
    gateway: {
      base_domain: facts.gateway_enabled ? teepod.gateway_base_domain : null,
      cname:
        teepod.gateway_base_domain !== null && domainsUnserved(teepod, facts.gateway_enabled) === null
          ? gatewayAlias(teepod.gateway_base_domain)
          : null,
    },
    instance_type: cvm.instance_type,
    hourly_rate: hourlyRate(cvm),
    billing_interval: 'hourly',
    gpu_rental_order: row.order && (row.instance_type?.gpu_count ?? 0) > 0 ? gpuRentalOrder(row.order) : null,
    app_id: app.app_id,
    vm_uuid: cvm.vm_uuid,
    instance_id: cvm.instance_id,
    compose_hash: revision.compose_hash,
    docker_compose_hash: facts.docker_compose_hash,
    pre_launch_script_hash: facts.pre_launch_script_hash,
    managed_env: false,
    revision_number: revision.number,
    teepod: { id: teepod.id, name: teepod.name, region_identifier: node.region, tee: teepod.tee },
    node_info: nodeRef(row),
    os: {
      name: cvm.os_image,
      version: row.os?.version ?? null,
      is_dev: row.os?.is_dev ?? null,
      os_image_hash: row.os?.os_image_hash ?? null,
    },
    kms_type: kms?.type ?? 'phala',
    kms_info: {
      chain_id: kms?.chain_id ?? null,
      dstack_kms_address: kms?.kms_contract_address ?? null,
      // With an on-chain KMS, the app ID is the address of the app's contract.
      dstack_app_address: kms?.chain_id ? `0x${app.app_id}` : null,
      deployer_address: app.deployer_address,
      rpc_endpoint: null,
      encrypted_env_pubkey: cvm.env_pubkey,
      k256_pubkey: kms && presentedPin(kms),
    },
    kms: kms && kmsOut(kms),
    progress: operation && {
      target: operation.target,
      started_at: (operation.started_at ?? operation.created_at).toISOString(),
      correlation_id: operation.correlation_id,
    },
    operation: latest_operation && operationSummary(latest_operation),
    services: facts.services,
    endpoints: urls,
    public_urls: urls,
    listed: cvm.listed,
    ...(facts.storage_fs ? { storage_fs: facts.storage_fs } : {}),
    public_logs: cvm.public_logs,
    public_sysinfo: cvm.public_sysinfo,
    public_tcbinfo: cvm.public_tcbinfo,
    gateway_enabled: facts.gateway_enabled,
    secure_time: facts.secure_time,
    uptime: uptime(cvm),
    exited_at: null,
    boot_progress: short(cvm.boot_progress, 200),
    boot_error: short(cvm.boot_error, 2000),
    shutdown_progress: null,
    trust: trustOf(teepod),
    simulated: isSimulated(teepod),
    logs: NO_LOGS,
    workspace: workspaceRef(ctx.caller.team),
    creator: userRef(row.creator),
    creator_number: row.creator?.id ?? null,
    project_type: null,
    created_at: cvm.created_at.toISOString(),
    updated_at: cvm.updated_at.toISOString(),
    deleted_at: iso(cvm.deleted_at),
  };
}

export function toCvmDetail(row: CvmDetailFields, ctx: WireContext): ListedCvm & CvmDetail {
  const place = { publicUrl: ctx.config.publicUrl, seal: ctx.seal, reader: logReader(ctx.caller) };
  const syslog_endpoint = cvmLogUrl(place, row.cvm);
  return {
    ...toCvm(row, composeFacts(row.revision), ctx),
    logs: {
      serial: `${syslog_endpoint}&ch=serial`,
      stdout: `${syslog_endpoint}&ch=stdout`,
      stderr: `${syslog_endpoint}&ch=stderr`,
      syslog_endpoint,
      container_log_base: containerLogBase(place, row.cvm),
    },
    encrypted_env_pubkey: row.cvm.env_pubkey,
    disk_size: row.cvm.disk_gb,
    compose_file: parseAppCompose(row.revision.app_compose),
    app_name: row.app.name,
    listing_refused_reason: row.app.listing_refused_reason,
    hostname: row.cvm.hostname ?? row.cvm.name,
    protected: row.cvm.protected,
    movable: row.cvm.movable,
    scheduled_stop_at: iso(row.cvm.scheduled_stop_at),
    scheduled_delete_at: iso(row.cvm.scheduled_delete_at),
    lost_since: row.cvm.status === 'lost' ? iso(row.cvm.missing_since) : null,
    etag: cvmEtag(row),
  };
}

/** Returns a CVM's state. Omits null members, which the SDK rejects. */
export function toCvmState(cvm: StatusFields): CvmState {
  return {
    name: cvm.name,
    status: cvm.status,
    id: cvm.public_id,
    ...present('instance_id', cvm.instance_id),
    ...present('uptime', uptime(cvm)),
    ...present('boot_progress', short(cvm.boot_progress, 200)),
    ...present('boot_error', short(cvm.boot_error, 2000)),
  };
}

const present = <K extends string>(key: K, value: string | null) =>
  (value ? { [key]: value } : {}) as Partial<Record<K, string>>;

/** Returns an entry of the batch status. @param vm_uuid exactly as the client sent it */
export function toStatusEntry(
  vm_uuid: string,
  cvm: Pick<StatusFields, 'status' | 'started_at' | 'boot_progress' | 'boot_error'>,
  operation: (Omit<LiveOperationFields, 'target'> & { step: string | null }) | null,
): CvmStatusEntry {
  const live = operation && {
    type: operation.type,
    phase: short(operation.step, 64),
    started_at: (operation.started_at ?? operation.created_at).toISOString(),
    correlation_id: operation.correlation_id,
  };
  return {
    vm_uuid,
    status: cvm.status,
    uptime: uptime(cvm),
    in_progress: operation !== null,
    boot_progress: short(cvm.boot_progress, 200),
    boot_error: short(cvm.boot_error, 2000),
    operation: live,
    operation_type: live?.type ?? null,
    operation_started_at: live?.started_at ?? null,
    correlation_id: live?.correlation_id ?? null,
  };
}

/**
 * Returns the URLs of published ports: as reported by the host, else by the gateway's naming rule
 * (`<app or instance ID>-<port>.<base domain>`). Before the first boot there is no instance ID, so both use
 * the app ID.
 */
export function publicUrls(
  { cvm, app, teepod }: Pick<CvmFields, 'cvm' | 'app' | 'teepod'>,
  facts: Pick<ComposeFacts, 'ports' | 'gateway_enabled'>,
): CvmUrl[] {
  if (cvm.endpoints.length > 0)
    return cvm.endpoints.slice(0, 200).map(({ app: ofApp, instance }) => ({ app: ofApp, instance }));
  const domain = teepod.gateway_base_domain;
  if (!domain || !facts.gateway_enabled) return [];
  // The local teepod serves on loopback, without a certificate.
  const scheme = teepod.kind === 'local' ? 'http' : 'https';
  return facts.ports.map((port) => ({
    app: `${scheme}://${app.app_id}-${port}.${domain}`,
    instance: `${scheme}://${cvm.instance_id ?? app.app_id}-${port}.${domain}`,
  }));
}

/** Never "verified": reading a database row verifies nothing, and a local teepod has no TEE. */
export const trustOf = (teepod: Pick<CvmFields['teepod'], 'kind'>) =>
  teepod.kind === 'local' ? ('simulated' as const) : ('unknown' as const);

/** Whether containers are simulated, because the local teepod has no Docker engine. */
export const isSimulated = ({ kind, engine }: Pick<CvmFields['teepod'], 'kind' | 'engine'>): boolean =>
  kind === 'local' && engine === 'simulated';

/** Clients call a teepod a node: this has its ID and name, with the machine's region and identity. */
function nodeRef({ teepod, node }: Pick<CvmFields, 'teepod' | 'node'>): NodeRef {
  const down = node.state === 'offline' || teepod.state === 'offline' || !teepod.reachable;
  const serviced = node.state === 'maintenance' || teepod.state !== 'online';
  return {
    object_type: 'node',
    id: teepod.id,
    name: teepod.name,
    region: node.region,
    device_id: node.device_id,
    device_ids: deviceIds(node.device_id),
    ppid: node.ppid,
    status: down ? 'OFFLINE' : serviced ? 'MAINTENANCE' : 'ONLINE',
    version: teepod.version,
  };
}

export function operationSummary(operation: SummaryFields): OperationSummary {
  const step = operation.steps.at(-1);
  return {
    correlation_id: operation.correlation_id,
    type: operation.type,
    state: operation.state,
    target: operation.target as OperationSummary['target'],
    step: step ? step.name : null,
    rolls_back: operation.rolls_back,
    created_at: operation.created_at.toISOString(),
    started_at: iso(operation.started_at),
    finished_at: iso(operation.finished_at),
    deadline_at: operation.deadline_at.toISOString(),
  };
}

/** Returns the uptime as dstack hosts format it, e.g. "12m 4s"; null if the CVM isn't running. */
function uptime({ started_at }: Pick<StatusFields, 'started_at'>): string | null {
  if (!started_at) return null;
  const seconds = Math.max(0, Math.floor((Date.now() - started_at.getTime()) / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0s';
  return parts
    .slice(first, first + 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}
