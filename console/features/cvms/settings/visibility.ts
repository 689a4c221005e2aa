import type { CvmDetail } from '../../../../generated/api/types.gen';
import type { SecretHost } from '../../../lib/secrets/privacy';
import type { Visibility } from '../../../ui/forms/VisibilitySection';

/** The guest agent's port, the same in every dstack image. */
const AGENT_PORT = 8090;

export const visibilityOf = ({ public_logs, public_sysinfo, public_tcbinfo }: Visibility): Visibility => ({
  public_logs,
  public_sysinfo,
  public_tcbinfo,
});

/** Returns only the changed fields, or null, so another member's concurrent changes aren't reverted. */
export function visibilityChange(now: Visibility, wanted: Visibility): Partial<Visibility> | null {
  const names = Object.keys(wanted) as (keyof Visibility)[];
  const changed = names.filter((name) => wanted[name] !== now[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, wanted[name]]));
}

/** The guest agent's public URLs through the gateway; empty without one. */
export function publicAddresses({
  app_id,
  gateway,
  trust,
}: Pick<CvmDetail, 'app_id' | 'gateway' | 'trust'>): Partial<Record<keyof Visibility, string>> {
  if (app_id === null || gateway.base_domain === null) return {};
  // The local teepod serves without TLS.
  const base = `${trust === 'simulated' ? 'http' : 'https'}://${app_id}-${AGENT_PORT}.${gateway.base_domain}`;
  return {
    public_logs: `${base}/logs/<container>`,
    public_sysinfo: `${base}/metrics`,
    public_tcbinfo: `${base}/prpc/Worker.Info?json`,
  };
}

const WORDS: Readonly<Record<keyof Visibility, string>> = {
  public_logs: 'container logs',
  public_sysinfo: 'system information',
  public_tcbinfo: 'measurements',
};

/** What a local teepod shows its team and the machine's operator whether or not it is public. */
const SHOWN_LOCALLY: readonly string[] = [WORDS.public_logs, WORDS.public_sysinfo];

/** Describes who can read what after the change, one sentence each. */
export function visibilityEffects(change: Partial<Visibility>, host: SecretHost): string[] {
  const isLocal = host === 'local';
  const named = (shown: boolean) =>
    (Object.keys(change) as (keyof Visibility)[])
      .filter((name) => change[name] === shown)
      .map((name) => WORDS[name]);
  const [shown, hidden] = [named(true), named(false)];
  const internal = hidden.filter((word) => isLocal && SHOWN_LOCALLY.includes(word));
  const closed = hidden.filter((word) => !internal.includes(word));
  return [
    ...(shown.length > 0 ? [`Anyone who knows the address can read: ${shown.join(', ')}.`] : []),
    ...(internal.length > 0
      ? [`Only your team and the machine’s operator can read: ${internal.join(', ')}.`]
      : []),
    ...(closed.length > 0 ? [`No longer readable outside the CVM: ${closed.join(', ')}.`] : []),
    ...(change.public_logs === false && !isLocal
      ? ['This console will no longer show its container logs; the serial log remains.']
      : []),
  ];
}
