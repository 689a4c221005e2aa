import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { gatewayBase } from '../../domain/network/gatewayBase';
import { VmmError, type TeepodEndpoint, type VmmDriver } from '../../drivers/vmm';
import type { Context } from '../types';
import { invalid } from '../core/invalid';

/** Long enough for a host on another continent, short enough for a user waiting at a form. */
const PROBE_MS = 5_000;

/** A host's answers to a single probe. */
export interface Probe {
  reachable: boolean;
  last_error: string | null;
  version: string | null;
  warnings: string[];
  images: string[];
  gateway_base_domain: string | null;
  /** Null if the host doesn't report it; dstack-vmm never reports its disk size. */
  capacity: { max_cvms: number; max_vcpu: number; max_memory_mb: number } | null;
  /** IDs of the VMs on the host. */
  vm_ids: string[];
}

/**
 * Refuses another gateway domain than the host's own, which would replace it within minutes.
 * @param wanted undefined if the request doesn't set it @throws VALIDATION_FAILED
 */
export function requireOwnGateway(
  wanted: string | null | undefined,
  { gateway_base_domain: own }: Pick<Probe, 'gateway_base_domain'>,
): void {
  if (wanted === undefined || own === null || wanted === own) return;
  throw invalid(
    'gateway_base_domain',
    `The host reports ${own} as its gateway's domain. Enter that, or change base_domain under [gateway] in its vmm.toml.`,
  );
}

let probes = 0;

/**
 * Asks a host for its identity before its address and credential are stored. A host that doesn't respond
 * isn't an input error (it may come up later); an address that no host can have is.
 */
export async function probeHost(ctx: Context, endpoint: Omit<TeepodEndpoint, 'id'>): Promise<Probe> {
  // Teepod ids are positive: a probe never replaces the driver that live CVMs use.
  const id = -(probes = (probes % 1_000_000) + 1);
  const driver = driverToAsk(ctx, { ...endpoint, id });
  try {
    return await ask(driver, AbortSignal.any([ctx.signal, AbortSignal.timeout(PROBE_MS)]));
  } catch (error) {
    ctx.signal.throwIfAborted();
    const timeout = error instanceof Error && error.name === 'TimeoutError';
    const last_error = timeout
      ? `No response from ${driver.endpoint} within ${PROBE_MS / 1000} seconds`
      : error instanceof Error
        ? cutWhole(error.message, 2000)
        : "The host didn't respond";
    return { ...NOTHING, last_error };
  } finally {
    ctx.vmm.drop(id);
  }
}

const NOTHING: Probe = {
  reachable: false,
  last_error: null,
  version: null,
  warnings: [],
  images: [],
  gateway_base_domain: null,
  capacity: null,
  vm_ids: [],
};

/** @throws VALIDATION_FAILED for an address that no host can have */
export function driverToAsk(ctx: Context, endpoint: TeepodEndpoint): VmmDriver {
  try {
    return ctx.vmm.get(endpoint);
  } catch (error) {
    if (error instanceof VmmError) throw invalid('url', error.message.slice(error.message.indexOf(': ') + 2));
    throw error;
  }
}

async function ask(driver: VmmDriver, signal: AbortSignal): Promise<Probe> {
  const [capabilities, images, meta, { vms }] = await Promise.all([
    driver.capabilities({ signal }),
    driver.listImages({ signal }),
    // Old hosts have no GetMeta; its values can be entered by hand.
    driver.getMeta({ signal }).catch(() => null),
    driver.status({ brief: true }, { signal }),
  ]);
  const resources = meta?.resources;
  return {
    reachable: true,
    last_error: null,
    version: capabilities.version,
    warnings: capabilities.warnings,
    images: images.map((image) => image.name).sort(),
    gateway_base_domain: gatewayBase(meta?.gateway),
    vm_ids: vms.map((vm) => vm.id),
    capacity: resources
      ? {
          max_cvms: resources.max_cvm_number,
          max_vcpu: resources.max_allocable_vcpu,
          max_memory_mb: resources.max_allocable_memory_in_mb,
        }
      : null,
  };
}
