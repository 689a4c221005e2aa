import { findCvm } from '../../db/cvmLookup';
import { composeFacts } from '../../domain/composeFacts';
import { publicUrls } from '../../domain/wire/cvm';
import { short } from '../../domain/wire/refs';
import type { GuestNetworkInfo } from '../../drivers/vmm';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { askGuest } from './askGuest';

export const getCvmNetwork: Handler<'getCvmNetwork'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.networkInfo(id, options));
  return {
    status: 200,
    body: {
      is_online: value !== null,
      is_public: row.cvm.public_sysinfo,
      error,
      internal_ip: value && short(internalAddress(value), 64),
      latest_handshake: value && short(handshake(value.wg_info), 64),
      public_urls: publicUrls(row, composeFacts(row.revision)),
    },
  };
};

/** On the gateway's WireGuard network if it is on one, else its first address that others can reach. */
function internalAddress({ interfaces }: GuestNetworkInfo): string | null {
  const wireguard = interfaces.find(({ name }) => /wg/.test(name));
  const others = interfaces.filter(({ name }) => name !== 'lo' && !/^(docker|br-|veth)/.test(name));
  return (wireguard ?? others[0])?.addresses[0]?.address ?? null;
}

/** From the text of `wg show`. */
const handshake = (wg_info: string) => /latest handshake: *(.+)/.exec(wg_info)?.[1]?.trim() ?? null;
