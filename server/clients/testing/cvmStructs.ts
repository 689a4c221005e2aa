import { z } from 'zod';
import type { ApiVersion } from '../../http/compat/versions';

/**
 * What the Go client's structs and the Python client's models accept, and older clients' shapes that differ by
 * version. Types are never converted: Go refuses a number where its struct has a string, and so do these. Unknown
 * keys are ignored, as in both clients.
 */
export const text = z.string();
export const int = z.number().int();
export const flag = z.boolean();
export const maybeText = text.nullish();
export const maybeInt = int.nullish();
/** Present, but may be null. */
export const nullText = text.nullable();
export const money = z.string().regex(/^-?\d+(\.\d+)?$/);

/** Identifiers of a CVM: numbers until 2026-01-21, strings since. */
const idIn = (version: ApiVersion) => (version < '2026-05-22' ? int : text);

export const appUrl = z.looseObject({ app: text, instance: text });
const workspace = z.looseObject({
  object_type: z.literal('workspace'),
  id: text,
  name: text,
  slug: maybeText,
  avatar_url: maybeText,
});
const creator = z.looseObject({ object_type: z.literal('user'), id: maybeText, username: maybeText });
const device = z.looseObject({
  device_id: text,
  algorithm_version: text,
  os_image_ids: z.array(int),
  enabled: flag,
});
export const node = z.looseObject({
  object_type: z.literal('node'),
  id: maybeInt,
  name: maybeText,
  region: maybeText,
  device_id: maybeText,
  ppid: maybeText,
  status: maybeText,
  version: maybeText,
});

const cvmFields = {
  id: text,
  name: text,
  status: text,
  resource: z.looseObject({
    instance_type: maybeText,
    vcpu: maybeInt,
    memory_in_gb: z.number().nullish(),
    disk_in_gb: maybeInt,
    gpus: maybeInt,
    compute_billing_price: maybeText,
    billing_period: z.enum(['skip', 'hourly', 'monthly']).nullish(),
  }),
  gateway: z.looseObject({ base_domain: maybeText, cname: maybeText }),
  hourly_rate: z
    .looseObject({ total: money.nullish(), compute: money.nullish(), disk: money.nullish() })
    .nullish(),
  logs: z.looseObject({
    serial: maybeText,
    stdout: maybeText,
    stderr: maybeText,
    container_log_base: maybeText,
  }),
  app_id: maybeText,
  vm_uuid: maybeText,
  instance_id: maybeText,
  compose_hash: maybeText,
  docker_compose_hash: maybeText,
  pre_launch_script_hash: maybeText,
  managed_env: flag,
  billing_interval: maybeText,
  created_at: maybeText,
  deleted_at: maybeText,
  updated_at: maybeText,
  project_type: maybeText,
  node_info: node.extend({ device_ids: z.array(device).nullish() }).nullish(),
  os: z
    .looseObject({ name: maybeText, version: maybeText, is_dev: flag.nullish(), os_image_hash: maybeText })
    .nullish(),
  kms_type: z.enum(['phala', 'ethereum', 'base', 'legacy']).nullish(),
  kms_info: z
    .looseObject({
      chain_id: maybeInt,
      dstack_kms_address: maybeText,
      dstack_app_address: maybeText,
      deployer_address: maybeText,
      rpc_endpoint: maybeText,
      encrypted_env_pubkey: maybeText,
      k256_pubkey: maybeText,
    })
    .nullish(),
  progress: z.looseObject({ target: maybeText, started_at: maybeText, correlation_id: maybeText }).nullish(),
  services: z.array(z.looseObject({})),
  endpoints: z.array(appUrl).nullish(),
  listed: flag,
  storage_fs: text.optional(),
  public_logs: flag.optional(),
  public_sysinfo: flag.optional(),
  public_tcbinfo: flag.optional(),
  gateway_enabled: flag.optional(),
  secure_time: flag.optional(),
  gpu_rental_order: z.looseObject({ order_id: text, status: text }).nullish(),
  workspace: workspace.nullish(),
  creator: creator.nullish(),
};
export const cvm = z.looseObject(cvmFields);
/** CvmInfo with the fields of a single one. */
export const cvmDetail = cvm.extend({
  compose_file: z.union([text, z.looseObject({})]).nullish(),
  encrypted_env_pubkey: maybeText,
  disk_size: maybeInt,
  public_urls: z.array(appUrl).nullish(),
});

export const kmsInfo = z.looseObject({
  id: text,
  slug: nullText,
  url: text,
  version: text,
  chain_id: int.nullable(),
  kms_contract_address: nullText,
  gateway_app_id: nullText,
});

/** CvmDetail of 2025-10-28, which updateCvmVisibility returns until 2026-01-21. */
export const cvmDetail2025 = z.looseObject({
  id: int,
  name: text,
  status: text,
  in_progress: flag,
  teepod_id: int.nullable(),
  app_id: text,
  vm_uuid: nullText,
  instance_id: nullText,
  vcpu: int,
  memory: int,
  disk_size: int,
  base_image: nullText,
  encrypted_env_pubkey: nullText,
  public_sysinfo: flag,
  public_logs: flag,
  public_urls: z.array(appUrl),
  kms_info: kmsInfo.nullish(),
});

export const vm = (version: ApiVersion) =>
  z.looseObject({
    id: idIn(version),
    name: text,
    status: text,
    teepod_id: int,
    teepod: z.looseObject({ id: int, name: text, region_identifier: maybeText }).nullish(),
    user_id: maybeInt,
    app_id: text,
    vm_uuid: nullText,
    instance_id: nullText,
    app_url: maybeText,
    base_image: maybeText,
    vcpu: int,
    memory: int,
    disk_size: int,
    manifest_version: maybeInt,
    version: maybeText,
    runner: maybeText,
    docker_compose_file: maybeText,
    features: z.array(text).nullish(),
    created_at: text,
    encrypted_env_pubkey: nullText,
  });

export const isAllowed = (version: ApiVersion) =>
  z.looseObject({
    cvm_id: idIn(version).optional(),
    app_contract_address: text,
    compose_hash: text,
    device_id: text,
    compose_hash_allowed: flag,
    allow_any_device: flag,
    device_id_allowed: flag.nullish(),
    is_allowed: flag,
    error: maybeText,
  });
export const refresh = (version: ApiVersion) =>
  z.looseObject({
    cvm_id: idIn(version),
    identifier: text,
    status: z.enum(['updated', 'unchanged', 'skipped', 'conflict', 'error']),
    source: z.enum(['teepod_state', 'teepod_info', 'gateway', 'none']),
    verified_with_gateway: flag,
    old_instance_id: maybeText,
    new_instance_id: maybeText,
    reason: maybeText,
  });
export const app = z.looseObject({
  id: text,
  name: text,
  app_id: text,
  created_at: text,
  kms_type: text,
  current_cvm: cvm.nullish(),
  cvms: z.array(cvm),
  cvm_count: int,
});
export const revision = z.looseObject({
  revision_id: text,
  app_id: text,
  vm_uuid: text,
  compose_hash: text,
  created_at: text,
  operation_type: text,
  trace_id: maybeText,
  triggered_by: creator.nullish(),
  cvm: z.looseObject({ object_type: z.literal('cvm'), id: maybeText, vm_uuid: maybeText }).nullish(),
  workspace: workspace.nullish(),
});
export const offline = { is_online: flag, is_public: flag, error: nullText };
export const accepted = z.looseObject({ correlation_id: text });
export const changing = accepted.extend({ status: text, message: text });

export const state = z.looseObject({
  name: text,
  status: text,
  id: text.optional(),
  instance_id: text.optional(),
  uptime: text.optional(),
  exited_at: text.optional(),
  boot_progress: text.optional(),
  boot_error: text.optional(),
  shutdown_progress: text.optional(),
});
export const batchStatus = z.looseObject({
  status: text,
  uptime: maybeText,
  in_progress: flag,
  boot_progress: maybeText,
  boot_error: maybeText,
  shutdown_progress: maybeText,
  events: z.array(z.looseObject({ event: text, body: text, timestamp: z.union([text, int]) })).optional(),
  operation: z
    .looseObject({ type: maybeText, phase: maybeText, started_at: maybeText, correlation_id: maybeText })
    .nullish(),
  resource_usage: z
    .looseObject({
      cpu_percent: z.number().nullish(),
      memory_used_bytes: maybeInt,
      memory_total_bytes: maybeInt,
      egress_bytes: maybeInt,
    })
    .nullish(),
});
export const container = z.looseObject({
  id: text,
  names: z.array(text),
  image: text,
  image_id: text,
  command: maybeText,
  created: int,
  state: text,
  status: text,
  log_endpoint: nullText,
});
const imageChoice = z.looseObject({ name: text, os_image_hash: maybeText, is_current: flag }).nullish();
export const availableImage = z.looseObject({
  version: z.array(int).min(3).max(4),
  prod: imageChoice,
  dev: imageChoice,
});
