import type { Caller } from '../core/caller';
import type { Seal } from '../core/seal';

/**
 * Log URLs are fetched without any header (the published command line does so), so each carries its own
 * credential: a signed token naming one CVM, its team, what may be read of its logs, when it expires, and the
 * session or token it was issued to. It grants no more than that session or token still does.
 */
export type LogScope =
  /** Serial console, stdout and stderr of the VM. */
  | 'cvm'
  /** Every container. */
  | 'containers'
  | `container:${string}`;

export interface LogReader {
  user_id: number;
  session_id: number | null;
  token_id: number | null;
  /** Staff addressing the team as staff; impersonation is recorded in the session instead. */
  as_staff: boolean;
  /** The staff user impersonating `user_id`. */
  staff_user_id: number | null;
}

export interface LogGrant {
  cvm_id: number;
  team_id: number;
  scope: LogScope;
  reader: LogReader;
}

/** @throws for an unauthenticated caller: the permission to read a CVM has been checked */
export function logReader(caller: Reading): LogReader {
  if (!caller.user) throw new Error('a log URL without a reader');
  return {
    user_id: caller.user.id,
    session_id: caller.session?.id ?? null,
    token_id: caller.token_id,
    as_staff: caller.as_staff,
    staff_user_id: caller.view_as?.staff.id ?? null,
  };
}

type Reading = Pick<Caller, 'user' | 'session' | 'token_id' | 'as_staff' | 'view_as'>;

const PURPOSE = 'log-url';
const VALID_SECONDS = 3600;
/** URLs issued within this time are equal, so that a polling page doesn't restart its log stream. */
const STEP_SECONDS = 600;

export function signLogToken(seal: Seal, grant: LogGrant, now = Date.now()): string {
  const expires = Math.ceil(now / 1000 / STEP_SECONDS) * STEP_SECONDS + VALID_SECONDS;
  const { cvm_id, team_id, scope, reader } = grant;
  const { user_id, session_id, token_id, as_staff, staff_user_id } = reader;
  const staff = as_staff || staff_user_id !== null ? [as_staff, staff_user_id] : [];
  const note = Buffer.from(
    JSON.stringify([expires, cvm_id, team_id, scope, user_id, session_id, token_id, ...staff]),
    'utf8',
  ).toString('base64url');
  return `${note}.${seal.sign(PURPOSE, note)}`;
}

/** Returns null for a token that is foreign, altered or expired: a reader need not learn which. */
export function openLogToken(seal: Seal, token: string, now = Date.now()): LogGrant | null {
  const [note, mac, ...more] = token.split('.');
  if (!note || !mac || more.length > 0 || !seal.verify(PURPOSE, note, mac)) return null;
  // The signature proves we wrote it, so its format is known; URLs from before readers were named have
  // expired.
  const [
    expires,
    cvm_id,
    team_id,
    scope,
    user_id,
    session_id,
    token_id,
    as_staff = false,
    staff_user_id = null,
  ] = JSON.parse(Buffer.from(note, 'base64url').toString('utf8')) as Note;
  if (expires * 1000 <= now || user_id === undefined) return null;
  return { cvm_id, team_id, scope, reader: { user_id, session_id, token_id, as_staff, staff_user_id } };
}

type Note = [
  number,
  number,
  number,
  LogScope,
  number | undefined,
  number | null,
  number | null,
  boolean?,
  (number | null)?,
];

interface Place {
  publicUrl: string;
  seal: Seal;
  reader: LogReader;
}
interface Subject {
  id: number;
  team_id: number;
  vm_uuid: string;
}

/** Contains "?", because the command line appends "&ch=serial". */
export function cvmLogUrl({ publicUrl, seal, reader }: Place, cvm: Subject): string {
  const token = signLogToken(seal, { cvm_id: cvm.id, team_id: cvm.team_id, scope: 'cvm', reader });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}?token=${token}`;
}

export function containerLogUrl({ publicUrl, seal, reader }: Place, cvm: Subject, container: string): string {
  const token = signLogToken(seal, {
    cvm_id: cvm.id,
    team_id: cvm.team_id,
    scope: `container:${container}`,
    reader,
  });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}/containers/${encodeURIComponent(container)}?token=${token}`;
}

/** With "{container}" in it, for any container of the CVM. */
export function containerLogBase({ publicUrl, seal, reader }: Place, cvm: Subject): string {
  const token = signLogToken(seal, { cvm_id: cvm.id, team_id: cvm.team_id, scope: 'containers', reader });
  return `${publicUrl}/api/v1/logs/cvms/${cvm.vm_uuid}/containers/{container}?token=${token}`;
}
