/** Hosts may claim anything, and addresses are built from this. With its port, it must fit 253 characters. */
const BASE = /^[a-z0-9.-]{1,240}(:[0-9]{1,5})?$/i;

/**
 * The domain a host's gateway serves, with the port clients must use where that is not 443 (as dstack-vmm
 * writes `app_url`).
 */
export function gatewayBase(
  gateway: { base_domain: string; port: number } | null | undefined,
): string | null {
  if (!gateway || !BASE.test(gateway.base_domain)) return null;
  const { base_domain, port } = gateway;
  return port === 0 || port === 443 || base_domain.includes(':') ? base_domain : `${base_domain}:${port}`;
}
