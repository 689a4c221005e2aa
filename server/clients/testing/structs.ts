import { z, type ZodType } from 'zod';
import { flag, int, kmsInfo, maybeInt, maybeText, money, node, nullText, text } from './cvmStructs';

/** Shapes of teams, hosts, key services and the catalog accepted by new clients; see cvmStructs.ts. */
export const paged = <T extends ZodType>(item: T) =>
  z.looseObject({ items: z.array(item), total: int, page: int, page_size: int, pages: int });
const instanceType = z.looseObject({
  id: text,
  name: text,
  description: text,
  vcpu: int,
  memory_mb: int,
  hourly_rate: money,
  requires_gpu: flag,
  default_disk_size_gb: int.optional(),
  family: maybeText,
});
const limit = z.looseObject({ limit: int, remaining: int });
const team = z.looseObject({
  id: text,
  name: text,
  slug: nullText,
  tier: text,
  role: text,
  is_default: flag,
  created_at: text,
});
const sshKey = z.looseObject({
  id: text,
  user_id: text,
  name: text,
  public_key: text,
  fingerprint: text,
  key_type: text,
  source: text,
  created_at: text,
  updated_at: text,
});
const teepod = z.looseObject({
  teepod_id: int,
  name: text,
  listed: flag,
  resource_score: z.number(),
  remaining_vcpu: int,
  remaining_memory: int,
  remaining_cvm_slots: int,
  images: z.array(
    z.looseObject({
      name: text,
      is_dev: flag,
      version: z.array(int).min(3).max(4),
      os_image_hash: maybeText,
    }),
  ),
  support_onchain_kms: flag.optional(),
  fmspc: maybeText,
  device_id: maybeText,
  region_identifier: maybeText,
  default_kms: maybeText,
  kms_list: z.array(text).optional(),
});
const contract = { kms_contract_id: maybeText, kms_contract_address: maybeText };
const images = { supported_os_images: z.array(text) };

const contractOfKms = z.looseObject({
  id: text,
  slug: maybeText,
  label: maybeText,
  contract_address: text,
  chain_id: int,
  k256_pubkey: maybeText,
  ca_pubkey: maybeText,
  node_count: int,
});

export const structs = {
  me: z.looseObject({
    user: z.looseObject({
      username: text,
      email: text,
      role: z.enum(['admin', 'user']),
      avatar: text,
      email_verified: flag,
      totp_enabled: flag,
      has_backup_codes: flag,
      flag_has_password: flag,
    }),
    workspace: z.looseObject({
      id: text,
      name: text,
      slug: nullText,
      tier: text,
      role: text,
      avatar: maybeText,
    }),
    credits: z.looseObject({
      balance: money,
      granted_balance: money,
      is_post_paid: flag,
      outstanding_amount: money.nullable(),
    }),
  }),
  teams: z.looseObject({
    data: z.array(team),
    pagination: z.looseObject({ has_more: flag, next_cursor: nullText, total: int.nullable() }),
  }),
  team,
  quotas: z.looseObject({
    team_slug: text,
    tier: text,
    quotas: z.looseObject({ vm_slots: limit, vcpu: limit, memory_mb: limit, disk_gb: limit }),
    reserved_nodes: limit,
    reserved_gpu: z.looseObject({ gpus: limit, in_use: z.unknown(), misconfigured: z.unknown() }),
    as_of: text,
  }),
  nodes: paged(node),
  teepods: z.looseObject({
    tier: text,
    capacity: z.looseObject({ max_instances: z.number().nullish(), max_vcpu: z.number().nullish() }),
    nodes: z.array(teepod),
    kms_list: z.array(kmsInfo),
  }),
  createResources: z.looseObject({
    tier: text,
    capacity: z.looseObject({}),
    nodes: z.array(teepod),
    kms_nodes: z.array(
      z.looseObject({
        id: text,
        slug: maybeText,
        url: text,
        version: maybeText,
        kms_type: text,
        chain_id: maybeInt,
        ...contract,
        gateway_app_id: maybeText,
        ...images,
      }),
    ),
    node_kms_relations: z.array(
      z.looseObject({ teepod_id: int, kms_id: text, kms_type: text, ...contract, ...images }),
    ),
    gateway_nodes: z.array(
      z.looseObject({
        id: text,
        teepod_id: maybeInt,
        kms_contract_id: text,
        rpc_url: maybeText,
        domain_suffix: maybeText,
        enabled: flag,
      }),
    ),
    instance_types: z.array(
      z.looseObject({
        id: text,
        name: text,
        vcpu: int,
        memory_mb: int,
        default_disk_size_gb: int,
        requires_gpu: flag,
        requires_gpu_count: int,
        family: maybeText,
        display_order: maybeInt,
      }),
    ),
    gpu_availability: z.looseObject({}),
  }),
  instanceTypes: z.strictObject({
    result: z.array(z.strictObject({ name: text, items: z.array(instanceType), total: int })),
  }),
  instanceFamily: z.strictObject({ items: z.array(instanceType), total: int, family: text }),
  osImages: paged(
    z.looseObject({
      name: text,
      slug: text,
      version: text,
      os_image_hash: maybeText,
      is_dev: flag,
      requires_gpu: flag,
    }),
  ),
  kmsPage: paged(kmsInfo),
  contract: contractOfKms,
  contracts: paged(contractOfKms),
  kmsNodes: z.looseObject({
    items: z.array(z.looseObject({ id: text, slug: maybeText, url: text, version: text, kms_type: text })),
    total: int,
  }),
  onChain: z.looseObject({ chain_name: text, chain_id: int, contracts: z.array(z.looseObject({})) }),
  pubkey: z.strictObject({ public_key: text, signature: text }),
  nextAppIds: z.strictObject({ app_ids: z.array(z.strictObject({ app_id: text, nonce: int })) }),
  sshKey,
  sshKeys: z.array(sshKey),
};
