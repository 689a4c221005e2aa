// The deployment sequence: provision → compare hashes → (deploy the app's contract) → check KMS key → seal → create.
// Free of React and fetch: the page passes an API client and renders the steps; tests pass a fake.

import type { CommitCvm, CreateCvm, Provision, ProvisionCvm } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import type { EnvPair } from '../../../lib/compose/envRules';
import type { DeployedApp } from '../../../lib/kms/appAuth';
import { signedKeyOf } from '../../../lib/secrets/kmsKey';
import type { Step } from '../../../ui/feedback/ProgressSteps';
import { composeHashOf } from './form';
import { checkedKey, DeployRefused, type KeyApi, seal } from './sealing';
import { counted } from '../../../lib/texts/count';
import { neverDeleted, toDeletion, type DeletionForm } from '../deletion/deletion';
import { newIdempotencyKey } from '../../../lib/idempotencyKey';

export interface DeployApi extends KeyApi {
  provisionCvm(body: ProvisionCvm, idempotency_key: string): Promise<Provision>;
  createCvm(body: CreateCvm, idempotency_key: string): Promise<CommitCvm>;
  /** Waits until the user has deployed the contract that will guard the app's keys. */
  deployContract(provision: Provision): Promise<DeployedApp>;
}

/**
 * One attempt to deploy one state of the form. A retry resumes where it stopped with the same keys and ciphertext, so
 * a lost response or a second click never creates a second CVM. It holds no plaintext; a changed form is a new
 * attempt.
 */
export interface Attempt {
  body: ProvisionCvm;
  deletion: DeletionForm;
  provision_key: string;
  create_key: string;
  provision?: Provision;
  contract?: DeployedApp;
  create?: CreateCvm;
}

export function newAttempt(
  body: ProvisionCvm,
  random: () => string = newIdempotencyKey,
  { delete_after, delete_at }: DeletionForm = neverDeleted,
): Attempt {
  return {
    body,
    deletion: { delete_after, delete_at },
    provision_key: random(),
    create_key: random(),
  };
}

/** Error codes that a retry of the same attempt can't fix: the reservation or name is no longer valid. */
const ATTEMPT_IS_OVER: ReadonlySet<string | undefined> = new Set(['ERR-00-028', 'ERR-03-007', 'ERR-00-011']);
/** Codes for a refused app contract: another one must be chosen. */
const CONTRACT_IS_REFUSED: ReadonlySet<string | undefined> = new Set(['ERR-01-007', 'ERR-01-008']);

/** Returns the attempt that a retry starts from after a failure; null for a new attempt. */
export function attemptAfter(
  error: unknown,
  attempt: Attempt,
  random: () => string = newIdempotencyKey,
): Attempt | null {
  if (error instanceof DeployRefused) return null;
  const code = isApiError(error) ? error.code : undefined;
  if (ATTEMPT_IS_OVER.has(code)) return null;
  if (!CONTRACT_IS_REFUSED.has(code)) return attempt;
  // The secrets were sealed to the app whose contract was refused.
  const { body, deletion, provision_key, provision } = attempt;
  return { body, deletion, provision_key, create_key: random(), ...(provision ? { provision } : {}) };
}

type StepId = 'provision' | 'hash' | 'contract' | 'key' | 'seal' | 'create';

const LABELS: Readonly<Record<StepId, string>> = {
  provision: 'Reserve a host',
  hash: 'Compare the compose hash with the server’s',
  contract: 'Confirm the app’s contract',
  key: 'Check that the KMS signed the encryption key',
  seal: 'Encrypt the secrets in this browser',
  create: 'Create the CVM',
};

const initialSteps = (): Step[] =>
  (Object.keys(LABELS) as StepId[])
    // Added once the provision shows that a contract guards the app.
    .filter((id) => id !== 'contract')
    .map((id) => stepOf(id));
const stepOf = (id: StepId): Step => ({ id, label: LABELS[id], state: 'waiting' });

/** @throws {DeployRefused} when it stops for safety; API errors pass through. */
export async function runDeploy(
  api: DeployApi,
  attempt: Attempt,
  env: readonly EnvPair[],
  onSteps: (steps: Step[]) => void = () => undefined,
): Promise<CommitCvm> {
  let steps = initialSteps();
  const set = (id: StepId, change: Partial<Step>) => {
    steps = steps.map((step) => (step.id === id ? { ...step, ...change } : step));
    onSteps(steps);
  };
  const step = async <T>(
    id: StepId,
    work: () => T | Promise<T>,
    say: (result: T) => string | null,
  ): Promise<T> => {
    const started_at = Date.now();
    set(id, { state: 'running', started_at });
    try {
      const result = await work();
      set(id, { state: 'done', started_at, finished_at: Date.now(), detail: say(result) });
      return result;
    } catch (error) {
      // The form's error box gives the reason, and shows it at the affected field.
      set(id, { state: 'failed', started_at, finished_at: Date.now(), detail: null });
      throw error;
    }
  };

  const provision = await step(
    'provision',
    async () => (attempt.provision ??= await api.provisionCvm(attempt.body, attempt.provision_key)),
    () => null,
  );
  await step(
    'hash',
    () => sameHash(attempt.body, provision),
    (hash) => hash,
  );
  if (provision.kms_info?.chain_id != null) {
    steps = steps.flatMap((one) => (one.id === 'key' ? [stepOf('contract'), one] : [one]));
    await step(
      'contract',
      async () => (attempt.contract ??= await api.deployContract(provision)),
      ({ app_id }) => `0x${app_id}`,
    );
  }
  attempt.create ??= await createBody(api, attempt, provision, env, step, set);
  const { create } = attempt;
  if (steps.some(({ id, state }) => id === 'seal' && state === 'waiting')) {
    // An earlier attempt already checked the key and sealed.
    for (const id of ['key', 'seal'] as const) set(id, { state: 'done', detail: 'already done' });
  }
  return step(
    'create',
    () => api.createCvm(create, attempt.create_key),
    () => null,
  );
}

function sameHash(body: ProvisionCvm, provision: Provision): string {
  const here = composeHashOf(body);
  if (here === provision.compose_hash) return here;
  throw new DeployRefused(
    'compose_hash_mismatch',
    `The server’s compose hash, ${provision.compose_hash}, doesn’t match the one computed in this browser, ${here}. Nothing was deployed.`,
    'Reload the page in case it’s older than the server, then try again. If the hashes still differ, report both.',
  );
}

type Run = <T>(id: StepId, work: () => T | Promise<T>, say: (result: T) => string | null) => Promise<T>;

async function createBody(
  api: DeployApi,
  { body, contract, deletion }: Attempt,
  provision: Provision,
  env: readonly EnvPair[],
  step: Run,
  set: (id: StepId, change: Partial<Step>) => void,
): Promise<CreateCvm> {
  const { kms_id, compose_hash } = provision;
  const app_id = contract?.app_id ?? provision.app_id;
  if (app_id === null)
    throw new DeployRefused(
      'app_id_missing',
      'The server returned neither an app ID nor a network for the app’s contract.',
      'Reload the page in case it’s older than the server, then try again.',
    );
  const names = body.compose_file.allowed_envs ?? [];
  const base: CreateCvm = {
    app_id,
    compose_hash,
    ...(kms_id === null ? {} : { kms_id }),
    ...(contract ? { contract_address: `0x${app_id}`, deployer_address: contract.deployer_address } : {}),
    ...toDeletion(deletion),
  };
  if (env.length === 0) {
    for (const id of ['key', 'seal'] as const) set(id, { state: 'skipped', detail: 'no secrets' });
    return base;
  }
  const { public_key } = await step(
    'key',
    () => checkedKey(api, kms_id ?? body.kms ?? 'phala', app_id, signedKeyOf(provision)),
    ({ signer }) => `signed by ${signer}`,
  );
  const encrypted_env = await step(
    'seal',
    () => seal(env, public_key),
    (blob) => `${counted(env.length, ['value', 'values'])}, ${blob.length / 2} bytes of ciphertext`,
  );
  return { ...base, encrypted_env, env_keys: [...names] };
}
