// Computes an update: changed fields, the effect on secrets, and the hash before and after. Pure except for
// `runUpdate`, which takes its API client as an argument.

import type {
  AppCompose,
  Cvm,
  CvmDetail,
  CvmPatch,
  PatchCvmAccepted,
} from '../../../../generated/api/types.gen';
import { waitsForContract } from '../../../api/apiError';
import { buildAppCompose, type StorageFs } from '../../../lib/compose/composeHash';
import { guestFieldsOf } from '../../../lib/compose/guestFields';
import type { EnvPair } from '../../../lib/compose/envRules';
import { newRow, type SecretRow } from '../../../ui/forms/secrets';
import { checkedKey, DeployRefused, type KeyApi, seal } from './sealing';

export interface UpdateForm {
  compose: string;
  pre_launch_script: string;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  /** Saved secrets appear as kept rows: the name is known, the value can't be read. */
  secrets: SecretRow[];
}

export function formOf(
  cvm: Pick<CvmDetail, 'compose_file' | 'public_logs' | 'public_sysinfo' | 'public_tcbinfo'>,
): UpdateForm {
  const file = cvm.compose_file;
  return {
    compose: file?.docker_compose_file ?? '',
    pre_launch_script: file?.pre_launch_script ?? '',
    public_logs: cvm.public_logs,
    public_sysinfo: cvm.public_sysinfo,
    public_tcbinfo: cvm.public_tcbinfo,
    secrets: (file?.allowed_envs ?? []).map((name) => ({ ...newRow(name), kept: true })),
  };
}

export type SecretsChange =
  | { kind: 'none' }
  /** Only names were removed. The guest ignores unlisted values, so the old ciphertext can stay. */
  | { kind: 'names'; names: string[] }
  | { kind: 'values'; env: EnvPair[] }
  /** Some values are new and these are missing: the values are sealed together, so all are needed. */
  | { kind: 'incomplete'; missing: string[] };

export function secretsChange(rows: readonly SecretRow[], before: readonly string[]): SecretsChange {
  const real = rows.filter(({ key, value }) => key !== '' || value !== '');
  const isUnknown = ({ kept, value, original }: SecretRow) =>
    kept === true && value === '' && original === undefined;
  const isAsSet = (row: SecretRow) => isUnknown(row) || (row.kept === true && row.value === row.original);
  if (real.every(isAsSet))
    return real.length === before.length
      ? { kind: 'none' }
      : { kind: 'names', names: real.map(({ key }) => key) };
  const missing = real.filter(isUnknown).map(({ key }) => key);
  if (missing.length > 0) return { kind: 'incomplete', missing };
  return { kind: 'values', env: real.map(({ key, value }) => ({ key, value })) };
}

/** Fills in saved values from the user's vault copy; values already typed stay. */
export function withValues(rows: readonly SecretRow[], copy: readonly EnvPair[]): SecretRow[] {
  const known = new Map(copy.map(({ key, value }) => [key, value]));
  return rows.map((row) => {
    const original = row.kept ? known.get(row.key) : undefined;
    if (original === undefined) return row;
    return row.replaced ? { ...row, original } : { ...row, value: original, original };
  });
}

/** Only what changed, without the ciphertext, which `runUpdate` adds. */
export function toPatch(form: UpdateForm, cvm: Parameters<typeof formOf>[0]): CvmPatch {
  const now = formOf(cvm);
  const before = now.secrets.map(({ key }) => key);
  const change = secretsChange(form.secrets, before);
  const names =
    change.kind === 'names'
      ? change.names
      : change.kind === 'values'
        ? change.env.map(({ key }) => key)
        : before;
  const patch: CvmPatch = {};
  if (form.compose !== now.compose) patch.docker_compose_file = form.compose;
  if (form.pre_launch_script !== now.pre_launch_script) patch.pre_launch_script = form.pre_launch_script;
  for (const flag of ['public_logs', 'public_sysinfo', 'public_tcbinfo'] as const)
    if (form[flag] !== now[flag]) patch[flag] = form[flag];
  if (names.join('\n') !== before.join('\n')) patch.allowed_envs = names;
  return patch;
}

export type EditedField = keyof UpdateForm;

/** Fields changed differently on both sides. */
export interface Rebased {
  form: UpdateForm;
  collisions: EditedField[];
}

type Editable = Parameters<typeof formOf>[0];

const namesOf = (rows: readonly SecretRow[]) => rows.map(({ key }) => key).join('\n');

/**
 * Rebases a form from `base` onto `now`: fields changed on one side take that side's value; fields changed on both
 * keep the user's and are listed as collisions.
 */
export function rebase(form: UpdateForm, base: Editable, now: Editable): Rebased {
  const [then, present] = [formOf(base), formOf(now)];
  const collisions: EditedField[] = [];
  const pick = <K extends Exclude<EditedField, 'secrets'>>(field: K): UpdateForm[K] => {
    if (form[field] === then[field]) return present[field];
    if (present[field] !== then[field] && present[field] !== form[field]) collisions.push(field);
    return form[field];
  };
  const rebased: UpdateForm = {
    compose: pick('compose'),
    pre_launch_script: pick('pre_launch_script'),
    public_logs: pick('public_logs'),
    public_sysinfo: pick('public_sysinfo'),
    public_tcbinfo: pick('public_tcbinfo'),
    secrets: form.secrets,
  };
  const mine = secretsChange(form.secrets, base.compose_file?.allowed_envs ?? []);
  if (mine.kind === 'none') rebased.secrets = present.secrets;
  else if (namesOf(then.secrets) !== namesOf(present.secrets)) collisions.push('secrets');
  return { form: rebased, collisions };
}

/** The app-compose.json after the patch, as input to `buildAppCompose`. */
export function composeAfter(file: AppCompose, patch: CvmPatch) {
  return {
    name: file.name,
    docker_compose_file: patch.docker_compose_file ?? file.docker_compose_file,
    pre_launch_script: patch.pre_launch_script ?? file.pre_launch_script,
    allowed_envs: patch.allowed_envs ?? file.allowed_envs ?? [],
    kms_enabled: file.kms_enabled,
    gateway_enabled: file.gateway_enabled,
    public_logs: patch.public_logs ?? file.public_logs,
    public_sysinfo: patch.public_sysinfo ?? file.public_sysinfo,
    public_tcbinfo: patch.public_tcbinfo ?? file.public_tcbinfo,
    secure_time: file.secure_time,
    storage_fs: file.storage_fs satisfies StorageFs | undefined,
    ...guestFieldsOf({ ...file, runner: file.runner === 'bash' ? undefined : file.runner }),
  };
}

/** Whether this browser reproduces the running hash; a compose file from another tool may have unknown fields. */
export function hashIsOurs(cvm: Pick<CvmDetail, 'compose_file' | 'compose_hash'>): boolean {
  if (cvm.compose_file === null) return false;
  try {
    return buildAppCompose(composeAfter(cvm.compose_file, {})).compose_hash === cvm.compose_hash;
  } catch {
    return false;
  }
}

/** One CVM, or all of the app's CVMs one at a time. */
export type UpdateScope = 'cvm' | 'app';

/**
 * Returns why an update can't go to all of the app's CVMs. It contains only what changed in the form, and a rollout
 * applies that to the app's newest revision.
 * @param cvm the CVM as it is now: an edit that was overtaken on it is reviewed before it is sent
 */
export function rolloutRefusal(
  cvm: Pick<CvmDetail, 'revision_number'>,
  cvms: readonly Pick<Cvm, 'name' | 'revision_number' | 'desired_status'>[],
): string | undefined {
  const from = cvm.revision_number ?? 0;
  const [newest] = cvms
    .filter(
      ({ revision_number, desired_status }) => (revision_number ?? 0) > from && desired_status !== 'deleted',
    )
    .toSorted((a, b) => (b.revision_number ?? 0) - (a.revision_number ?? 0));
  return (
    newest &&
    `${newest.name} runs revision ${newest.revision_number}, but this form starts from revision ${from}. To update all CVMs, edit ${newest.name}.`
  );
}

export interface UpdateRequest {
  patch: CvmPatch;
  /** All new values; null to keep the current ones. */
  env: readonly EnvPair[] | null;
  scope: UpdateScope;
}

export interface UpdateApi extends KeyApi {
  patchCvm(cvm_id: string, body: CvmPatch): Promise<PatchCvmAccepted>;
  createRollout(app_id: string, body: CvmPatch): Promise<unknown>;
}

export interface Updated {
  /** The sealed environment as sent, if any. */
  sealed: string | null;
  /** Whether the server keeps the change until the app's contract allows it. */
  waits: boolean;
}

/** Checks the key, seals any new values and sends the update. @throws {DeployRefused} */
export async function runUpdate(
  api: UpdateApi,
  cvm: Pick<CvmDetail, 'id' | 'app_id' | 'kms' | 'kms_type' | 'kms_info'>,
  { patch, env, scope }: UpdateRequest,
): Promise<Updated> {
  const send = async (body: CvmPatch, sealed: string | null): Promise<Updated> => {
    try {
      if (scope === 'app' && cvm.app_id !== null) await api.createRollout(cvm.app_id, body);
      else await api.patchCvm(cvm.id, body);
      return { sealed, waits: false };
    } catch (error) {
      if (waitsForContract(error)) return { sealed, waits: true };
      throw error;
    }
  };
  if (env === null || env.length === 0)
    // Removing all secrets changes only names, so there is nothing to seal.
    return send(env === null ? patch : { ...patch, allowed_envs: [] }, null);
  if (cvm.app_id === null) throw new Error('The CVM has no app ID yet.');
  const { public_key } = await checkedKey(api, cvm.kms?.id ?? cvm.kms_type ?? 'phala', cvm.app_id, null);
  const known = cvm.kms_info?.encrypted_env_pubkey?.replace(/^0x/, '').toLowerCase();
  if (known !== undefined && known !== public_key.replace(/^0x/, '').toLowerCase())
    throw new DeployRefused(
      'env_key_changed',
      `The CVM decrypts with key ${known}, but the KMS now returns ${public_key} for this app. The CVM couldn’t decrypt values sealed to that key.`,
      'Nothing was sent. The KMS may have been replaced; contact an administrator.',
    );
  const encrypted_env = seal(env, public_key);
  return send({ ...patch, encrypted_env }, encrypted_env);
}

/** The answer of the app's contract, which nobody can change anymore, for the new compose hash. */
interface FinalAnswer {
  network: string;
  /** Null if unknown. */
  allowed: boolean | null;
}

/**
 * Describes the effect of an update. @param network of the contract that must allow it first; null if none must
 * @param final set if that contract no longer has an owner
 */
export function updateEffect(
  { desired_status }: Pick<CvmDetail, 'desired_status'>,
  scope: UpdateScope,
  network: string | null,
  final: FinalAnswer | null = null,
  /** Changing only secret values makes no revision. */
  makesRevision = true,
): { title?: string; text: string } {
  const what = makesRevision ? 'revision' : 'secrets';
  const start =
    scope === 'app'
      ? 'the CVMs restart one at a time'
      : desired_status === 'stopped'
        ? 'the next start runs it'
        : 'the CVM restarts';
  if (network !== null && final?.allowed === false)
    return {
      title: 'Nobody can allow this change.',
      text: `The app’s contract on ${network} no longer has an owner and doesn’t allow the new compose hash. To run it, deploy it as a new app.`,
    };
  if (network !== null && final?.allowed === null)
    return {
      title: 'The app’s contract can no longer be changed.',
      text: `It has no owner on ${network}. You can update only to a compose hash the contract already allows. To run any other, deploy it as a new app.`,
    };
  if (network !== null && final === null)
    return {
      title: 'The app’s contract must allow this change first.',
      text: `Update saves the change and opens the KMS tab. There, the owner allows the new compose hash on ${network}, and you commit the change. Then ${start}. A change that the contract already allows starts immediately.`,
    };
  if (scope === 'app')
    return {
      text: `CVMs restart with the new ${what} one at a time, while the others keep serving.`,
    };
  return {
    text:
      desired_status === 'stopped'
        ? `The CVM stays stopped. The next start ${makesRevision ? 'runs the new revision' : 'uses the new secrets'}.`
        : `The CVM restarts with the new ${what} and is unavailable until it boots.${makesRevision ? ' If it fails to boot, it rolls back to the current revision.' : ''}`,
  };
}
