import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { addressRefusal, type OutboundPolicy } from '../../domain/core/outbound';
import { OutboundError } from './index';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/**
 * Names below .localhost are this machine (RFC 6761 §6.3), such as a local teepod's CVMs. Few systems resolve
 * them.
 */
const IS_LOCAL = /\.localhost\.?$/i;

export const systemResolve: Resolve = async (host) =>
  IS_LOCAL.test(host) ? [{ address: '127.0.0.1', family: 4 }] : lookUp(host);

const lookUp: Resolve = (host) =>
  new Promise((resolve, reject) =>
    systemLookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

/** Looks up names and refuses addresses that the policy doesn't allow. */
export function checkedAddresses(policy: OutboundPolicy, resolve: Resolve) {
  /** @param protocol of the URL; `https:` for hosts without one @throws OutboundError */
  const addressesOf = async (host: string, protocol: string): Promise<LookupAddress[]> => {
    const literal = isIP(host);
    const found =
      literal === 0
        ? await resolve(host).catch((error: unknown) => {
            throw new OutboundError('unknown_host', `The name ${host} has no address.`, { cause: error });
          })
        : [{ address: host, family: literal }];
    if (found.length === 0) throw new OutboundError('unknown_host', `The name ${host} has no address.`);
    // One forbidden address rejects the name: which of several is used depends on what responds first.
    for (const { address } of found) {
      const reason = addressRefusal(address, protocol, policy);
      if (reason !== null) throw new OutboundError('refused', `${host} is not allowed: ${reason}.`);
    }
    return found;
  };

  return {
    addressesOf,
    /** The socket connects to the address looked up here, so the check and the connection can't diverge. */
    lookupFor(protocol: string): LookupFunction {
      const ask = callbackify((host: string) => addressesOf(host, protocol));
      return (host, options, callback) =>
        ask(host, (error, found) => {
          if (error) callback(error, '');
          else if (options.all) callback(null, found);
          else callback(null, found[0]?.address ?? '', found[0]?.family ?? 4);
        });
    },
  };
}
