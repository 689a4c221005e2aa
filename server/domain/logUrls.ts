import type { Seal } from './seal';

/**
 * Log addresses are fetched without any header (the published command line does so), so each carries its own
 * credential: a signed note naming one CVM, its team, what of its logs may be read, and until when.
 */
export type LogScope =
  /** Serial console, stdout and stderr of the VM. */
  | 'cvm'
  /** Every container. */
  | 'containers'
  | `container:${string}`;

export interface LogGrant {
  cvm_id: number;
  team_id: number;
  scope: LogScope;
}

const PURPOSE = 'log-url';
const VALID_SECONDS = 3600;
/** Addresses made within this time are equal, so that a page that polls does not restart its log stream. */
const STEP_SECONDS = 600;

export function signLogToken(seal: Seal, grant: LogGrant, now = Date.now()): string {
  const expires = Math.ceil(now / 1000 / STEP_SECONDS) * STEP_SECONDS + VALID_SECONDS;
  const note = Buffer.from(
    JSON.stringify([expires, grant.cvm_id, grant.team_id, grant.scope]),
    'utf8',
  ).toString('base64url');
  return `${note}.${seal.sign(PURPOSE, note)}`;
}

/** Null for a token that is not ours, altered or expired: a reader need not learn which. */
export function openLogToken(seal: Seal, token: string, now = Date.now()): LogGrant | null {
  const [note, mac, ...more] = token.split('.');
  if (!note || !mac || more.length > 0 || !seal.verify(PURPOSE, note, mac)) return null;
  // The signature says that we wrote it, so its form is known.
  const [expires, cvm_id, team_id, scope] = JSON.parse(Buffer.from(note, 'base64url').toString('utf8')) as [
    number,
    number,
    number,
    LogScope,
  ];
  return expires * 1000 > now ? { cvm_id, team_id, scope } : null;
}

interface Place {
  publicUrl: string;
  seal: Seal;
}
interface Subject {
  id: number;
  team_id: number;
  vm_uuid: string;
}

/** Contains "?", because the command line appends "&ch=serial". */
export function cvmLogUrl({ publicUrl, seal }: Place, cvm: Subject): string {
  const token = signLogToken(seal, { cvm_id: cvm.id, team_id: cvm.team_id, scope: 'cvm' });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}?token=${token}`;
}

export function containerLogUrl({ publicUrl, seal }: Place, cvm: Subject, container: string): string {
  const token = signLogToken(seal, {
    cvm_id: cvm.id,
    team_id: cvm.team_id,
    scope: `container:${container}`,
  });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}/containers/${encodeURIComponent(container)}?token=${token}`;
}

/** With "{container}" in it, for any container of the CVM. */
export function containerLogBase({ publicUrl, seal }: Place, cvm: Subject): string {
  const token = signLogToken(seal, { cvm_id: cvm.id, team_id: cvm.team_id, scope: 'containers' });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}/containers/{container}?token=${token}`;
}
