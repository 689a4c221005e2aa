import { DriverCache } from '../vmm/driverCache';
import {
  GatewayError,
  type GatewayClients,
  type GatewayDriver,
  type GatewayEndpoint,
  type GatewayFactory,
} from './index';

/**
 * Drivers per gateway.
 * @param open unseals a credential
 */
export function createGatewayClients(
  create: GatewayFactory,
  open: (sealed: string) => string,
): GatewayClients {
  return new DriverCache<GatewayEndpoint, GatewayDriver>(
    ({ url, sealed_credential }) => JSON.stringify([url, sealed_credential]),
    ({ url, sealed_credential }) => {
      try {
        return create({ url, token: sealed_credential === null ? null : open(sealed_credential) });
      } catch (cause) {
        const detail = cause instanceof Error ? cause.message : 'is unusable';
        throw new GatewayError({ kind: 'unsupported', method: 'connect', endpoint: url, detail, cause });
      }
    },
  );
}
