import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { composeFacts } from '../../domain/apps/composeFacts';
import { gatewayAlias } from '../../domain/network/domains';
import { formsOf } from '../../domain/network/endpoints';
import { readHandshake } from '../../domain/attestation/handshake';
import { publicUrls } from '../../domain/cvms/cvmResponse';
import { short } from '../../domain/core/references';
import type { GuestNetworkInfo } from '../../drivers/vmm';
import { reachabilityOf } from '../network/reachability';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { askGuest } from './askGuest';

/** A hanging host must not delay data that doesn't depend on it. */
const HOST_MS = 3_000;

export const getCvmNetwork: Handler<'getCvmNetwork'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  const [{ value, error }, host_ports] = await Promise.all([
    askGuest(ctx, row, (guest, id, options) => guest.networkInfo(id, options)),
    hostPorts(ctx, row),
  ]);
  const handshake = value && readHandshake(value.wg_info);
  const { enabled, ports, restricts, unserved } = reachabilityOf(row);
  const { kind, gateway_base_domain: base } = row.teepod;
  return {
    status: 200,
    body: {
      is_online: value !== null,
      is_public: row.cvm.public_sysinfo,
      error,
      internal_ip: value && short(internalAddress(value), 64),
      latest_handshake: short(handshake?.text ?? null, 64),
      public_urls: publicUrls(row, composeFacts(row.revision)),
      gateway: {
        enabled,
        kind,
        base_domain: base,
        cname: unserved === null && base !== null ? gatewayAlias(base) : null,
        forms: enabled && base !== null ? [...formsOf({ kind })] : [],
        domains_unserved: unserved,
        policy_restricts: restricts,
      },
      ports,
      handshake: {
        state: handshake?.state ?? 'unknown',
        age_seconds: handshake?.age_seconds ?? null,
      },
      dns_servers: (value?.dns_servers ?? []).slice(0, 20).map((one) => short(one, 64)),
      interfaces: (value?.interfaces ?? []).slice(0, 50).map((one) => ({
        name: short(one.name, 64),
        addresses: ipv4First(one.addresses)
          .slice(0, 20)
          .map(({ address, prefix }) => short(`${address}/${prefix}`, 64)),
        rx_bytes: Math.max(0, one.rx_bytes),
        tx_bytes: Math.max(0, one.tx_bytes),
        rx_errors: Math.max(0, one.rx_errors),
        tx_errors: Math.max(0, one.tx_errors),
      })),
      host_ports,
    },
  };
};

/**
 * Returns the address on the gateway's WireGuard network if there is one, else the first address reachable by
 * others.
 */
function internalAddress({ interfaces }: GuestNetworkInfo): string | null {
  const wireguard = interfaces.find(({ name }) => /wg/.test(name));
  const others = interfaces.filter(({ name }) => name !== 'lo' && !/^(docker|br-|veth)/.test(name));
  return ipv4First((wireguard ?? others[0])?.addresses ?? [])[0]?.address ?? null;
}

type Addresses = GuestNetworkInfo['interfaces'][number]['addresses'];

/** Guests list addresses in any order; link-local ones are the least useful. */
const ipv4First = (addresses: Addresses): Addresses =>
  [...addresses].sort((a, b) => kindOf(a.address) - kindOf(b.address));

const kindOf = (address: string) => (!address.includes(':') ? 0 : /^fe[89ab]/i.test(address) ? 2 : 1);

/** Returns whether the host maps its ports to VMs, and which ones to this VM. */
async function hostPorts(ctx: Context, { cvm, teepod }: JoinedCvm) {
  const requested = cvm.ports.slice(0, 20);
  const unsaid = { supported: null, requested, mappings: [] };
  if (cvm.host_vm_id === null) return unsaid;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(HOST_MS)]);
  try {
    const page = await ctx.vmm.get(teepod).status({ ids: [cvm.host_vm_id] }, { signal });
    const ports = page.vms.find(({ id }) => id === cvm.host_vm_id)?.configuration?.ports ?? [];
    return {
      supported: page.port_mapping_enabled,
      requested,
      mappings: ports.slice(0, 100).map(({ protocol, host_address, host_port, vm_port }) => ({
        protocol: short(protocol, 16),
        host_address: short(host_address, 64),
        host_port: Math.min(Math.max(0, host_port), 65_535),
        vm_port: Math.min(Math.max(0, vm_port), 65_535),
      })),
    };
  } catch {
    // The guest's answer in the same reply already says why the host doesn't respond.
    return unsaid;
  }
}
