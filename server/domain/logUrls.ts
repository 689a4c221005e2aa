import type { Caller } from './caller';
import type { Seal } from './seal';

/**
 * Log addresses are fetched without any header (the published command line does so), so each carries its own
 * credential: a signed note naming one CVM, its team, what of its logs may be read, until when, and who got it by which
 * session or token: it is worth no more than what that still may.
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
  /** Staff who came as staff; whoever looks as somebody is told from them by the session. */
  as_staff: boolean;
  /** Who looks as `user_id`. */
  staff_user_id: number | null;
}

export interface LogGrant {
  cvm_id: number;
  team_id: number;
  scope: LogScope;
  reader: LogReader;
}

/** @throws for a caller who is nobody: the permission to read a CVM has been checked */
export function logReader(caller: Reading): LogReader {
  if (!caller.user) throw new Error('a log address for nobody');
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
/** Addresses made within this time are equal, so that a page that polls does not restart its log stream. */
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

/** Null for a token that is not ours, altered or expired: a reader need not learn which. */
export function openLogToken(seal: Seal, token: string, now = Date.now()): LogGrant | null {
  const [note, mac, ...more] = token.split('.');
  if (!note || !mac || more.length > 0 || !seal.verify(PURPOSE, note, mac)) return null;
  // The signature says that we wrote it, so its form is known; addresses from before readers were named have ended.
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
