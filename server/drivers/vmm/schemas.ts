import { z } from 'zod';
import { withoutTokens } from '../../domain/teams/token';
import { count, flag, label, list, optionalLabel, optionalText, orNull, text } from './replyFields';

/*
 * dstack-vmm's replies in JSON mode. Three rules make them readable across versions: a field that the host doesn't
 * know yet is absent, an unset optional is null, and newer hosts add fields that we ignore. So every field has a
 * default, except an ID, without which a reply is useless.
 */
const int = z
  .number()
  .nullish()
  .transform((v) => v ?? 0);
/** `bytes` travel as lowercase hex without prefix. */
const hex = (bytes?: number) =>
  z.string().regex(bytes === undefined ? /^([0-9a-f]{2})*$/i : new RegExp(`^[0-9a-f]{${bytes * 2}}$`, 'i'));

export const empty = z.unknown().transform(() => undefined);
/** CreateVm's reply: without a usable ID, it is broken. */
export const createdId = z.object({ id: z.string().regex(/^[\w.-]{1,64}$/) });

const gpuConfig = z.object({
  attach_mode: label(16),
  gpus: list(z.object({ slot: label(64) })),
});
const portMapping = z.object({
  protocol: label(16),
  host_port: int,
  vm_port: int,
  host_address: label(64),
});
/** Guests have one from their first boot; 40 hex. Anything else is none. */
const instanceId = optionalText.transform((v) => (v !== null && /^[0-9a-f]{1,64}$/i.test(v) ? v : null));
const network = z.object({ mode: text, bridge_name: text });

const vmConfiguration = z.object({
  name: text,
  image: text,
  compose_file: text,
  vcpu: int,
  memory: int,
  disk_size: int,
  ports: list(portMapping),
  encrypted_env: text,
  app_id: optionalText,
  user_config: text,
  hugepages: flag,
  pin_numa: flag,
  gpus: orNull(gpuConfig),
  kms_urls: list(z.string()),
  gateway_urls: list(z.string()),
  stopped: flag,
  no_tee: flag,
  networks: list(network),
  simulated_tee: optionalText,
});

export const vmInfo = z.object({
  id: z
    .string()
    .min(1)
    .transform((v) => v.replaceAll('\0', '').slice(0, 200)),
  name: label(200),
  /** `unknown` is ours, for a status that a future host may add */
  status: z.enum(['running', 'exited', 'stopping', 'stopped', 'removing', 'unknown']).catch('unknown'),
  uptime: label(64),
  app_url: optionalLabel(2000),
  app_id: label(64),
  instance_id: instanceId,
  configuration: orNull(vmConfiguration),
  exited_at: optionalLabel(64),
  boot_progress: label(200),
  boot_error: label(4000),
  shutdown_progress: label(200),
  image_version: label(64),
  events: list(z.object({ event: text, body: text.transform(withoutTokens), timestamp: int })),
  interfaces: list(
    z.object({ mode: text, backend: text, mac: text, bridge_name: optionalText, netdev_id: optionalText }),
  ),
});

export const statusReply = z.object({ vms: list(vmInfo), port_mapping_enabled: flag, total: int });
export const infoReply = z.object({ found: flag, info: orNull(vmInfo) });

export const reloadReply = z.object({ loaded: int, updated: int, removed: int });
/** Ids are those of VMs; the supervisor may run other processes too. */
export const processList = z.object({ processes: list(z.object({ id: text, status: text })) });

/** A host creates no VM with an image whose name doesn't match. */
const IMAGE = /^(?!.*\.\.)[\w.-]{1,64}$/;
export const imageList = z.object({
  images: list(z.object({ name: text, description: text, version: label(32), is_dev: flag })).transform(
    (images) => images.filter(({ name }) => IMAGE.test(name)),
  ),
});
export const registryImageList = z.object({
  images: list(z.object({ tag: label(200), local: flag, pulling: flag, error: label(2000) })),
});
/** PCI addresses and IDs, as `lspci` writes them. */
const SLOT = /^([0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i;
const PRODUCT = /^[0-9a-f]{4}:[0-9a-f]{4}$/i;
export const gpuList = z.object({
  gpus: list(
    z.object({
      slot: text,
      product_id: text.transform((v) => (PRODUCT.test(v) ? v : '')),
      description: label(500),
      is_free: flag,
    }),
  ).transform((gpus) => gpus.filter(({ slot }) => SLOT.test(slot))),
  allow_attach_all: flag,
});
export const versionReply = z.object({ version: label(64), rev: label(64) });
export const metaReply = z.object({
  kms: orNull(z.object({ url: text, urls: list(z.string()) })),
  gateway: orNull(
    z.object({ url: text, urls: list(z.string()), base_domain: text, port: count, agent_port: count }),
  ),
  resources: orNull(
    z.object({ max_cvm_number: count, max_allocable_vcpu: count, max_allocable_memory_in_mb: count }),
  ),
  networking: orNull(
    z.object({ supported_modes: list(z.string()), default_mode: text, default_bridge: text }),
  ),
});
export const composeHashReply = z.object({ hash: hex(32) });

/** Shared with the KMS, whose reply dstack-vmm passes on; `signature_v1` is empty before 0.5.6. */
export const envPubKey = z.object({
  public_key: hex(32),
  signature: hex(65),
  timestamp: int,
  signature_v1: z
    .union([hex(65), z.literal('')])
    .nullish()
    .transform((v) => v ?? ''),
});

export const guestInfo = z.object({
  version: text,
  app_id: text,
  instance_id: text,
  app_cert: text,
  /** JSON text: measurements, compose_hash, app_compose, event_log */
  tcb_info: text,
  device_id: text,
});
export const guestSysInfo = z.object({
  os_name: text,
  os_version: text,
  kernel_version: text,
  cpu_model: text,
  num_cpus: int,
  total_memory: int,
  available_memory: int,
  used_memory: int,
  free_memory: int,
  total_swap: int,
  used_swap: int,
  free_swap: int,
  uptime: int,
  loadavg_one: int,
  loadavg_five: int,
  loadavg_fifteen: int,
  disks: list(z.object({ name: text, mount_point: text, total_size: int, free_size: int })),
  /** Both only from the local teepod: CPU time summed over all processors, and the source of these figures. */
  cpu_time_us: orNull(z.number().nonnegative()),
  measured: orNull(z.enum(['containers', 'machine'])),
});
export const guestNetworkInfo = z.object({
  dns_servers: list(z.string()),
  gateways: list(z.object({ address: text })),
  interfaces: list(
    z.object({
      name: text,
      addresses: list(z.object({ address: text, prefix: int })),
      rx_bytes: int,
      tx_bytes: int,
      rx_errors: int,
      tx_errors: int,
    }),
  ),
  wg_info: label(16_384),
});
export const guestContainers = z.object({
  containers: list(
    z.object({
      id: text,
      names: list(z.string()),
      image: text,
      image_id: text,
      created: int,
      state: text,
      status: text,
    }),
  ),
});
