import type { Endpoint } from './endpoint';
import type { TlsOptions, VmmCapabilities, VmmVersion } from './index';

interface Situation {
  endpoint: Endpoint;
  tls: TlsOptions | undefined;
  hasCredential: boolean;
}

/**
 * What each version of dstack-vmm supports. Its JSON mode ignores unknown fields, so a newer field sent to an older
 * host silently does nothing; with this table the driver refuses instead. A version that isn't a number (a
 * development build) counts as the newest.
 */
export function capabilitiesOf({ version, rev }: VmmVersion, situation: Situation): VmmCapabilities {
  const since = (minimum: string) => atLeast(version, minimum);
  const api_protected = since('0.6.0');
  return {
    version,
    rev,
    update_vm: since('0.5.6'),
    no_tee: since('0.5.6'),
    networking: since('0.6.0'),
    simulated_tee: since('0.6.0'),
    registry: since('0.5.9'),
    api_protected,
    warnings: warningsOf(version, api_protected, situation),
  };
}

function warningsOf(
  version: string,
  apiProtected: boolean,
  { endpoint, tls, hasCredential }: Situation,
): string[] {
  if (endpoint.local) return [];
  const warnings: string[] = [];
  if (!apiProtected)
    warnings.push(
      `API open to the network: dstack-vmm ${version} requires a credential on /logs only. ` +
        'Put it behind a unix socket with a tunnel, or a proxy with client certificates.',
    );
  else if (!hasCredential)
    warnings.push(
      'API open to the network: this host responds without a credential. Enable [auth] in its vmm.toml.',
    );
  if (!endpoint.tls)
    warnings.push('Not encrypted: credentials and Compose files cross the network in plain text. Use https.');
  else if (tls?.insecure === true && tls.pin_sha256 === undefined)
    warnings.push("This host's certificate is not checked. Enter its CA or pin its certificate.");
  return warnings;
}

/** Compares `major.minor.patch`; what follows a `-` or `+` doesn't count. */
export function atLeast(version: string, minimum: string): boolean {
  const parse = (text: string) =>
    /^v?(\d+)\.(\d+)(?:\.(\d+))?/
      .exec(text)
      ?.slice(1)
      .map((n) => Number(n ?? 0));
  const have = parse(version);
  const want = parse(minimum) ?? [];
  if (have === undefined) return true;
  for (const [i, wanted] of want.entries()) {
    const had = have[i] ?? 0;
    if (had !== wanted) return had > wanted;
  }
  return true;
}
