import { randomUUID } from 'node:crypto';
import { signedKeyOf } from '../../console/lib/secrets/kmsKey';
import { ApiError, createCvm, createRollout, patchCvm, provisionCvm, restartCvm } from '../client';
import { DeployError, EXIT } from './exit';
import { secretValues, type Env, type Inputs } from './inputs';
import { makePlan, rolloutOf, type Plan } from './plan';
import { seal } from './seal';
import { readDeployed, type Deployed } from './state';
import { sleep, waitForOperation, waitForRollout, type Waiting } from './wait';

export interface Job extends Waiting {
  inputs: Inputs;
  env: Env;
  /** Text of the Compose file. */
  compose: string;
  /** Shown in the app's history; null for none. */
  reason: string | null;
  /** Seconds a CVM must be healthy before the next one is updated; the server's default if undefined. */
  settle_seconds: number | undefined;
  /** Called with each plan before it is carried out, so that a failure report can include it. */
  onPlan(plan: Plan, deployed: Deployed | null): void;
}

/** Maximum retries if the app changes while a run plans its own change. */
const MAX_ATTEMPTS = 5;

/**
 * Deploys: creates the app on the first run, updates it afterward, and waits until it is running. Nothing is
 * sent if nothing changes.
 * @returns the action taken, and the app's state afterward
 * @throws {DeployError, ApiError}
 */
export async function deploy(job: Job): Promise<{ plan: Plan; deployed: Deployed }> {
  const { client, inputs, compose, log } = job;
  let attempted: Plan | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const found = await readIdle(job);
    const plan = await makePlan(client, inputs, compose, found);
    if (plan.action === 'none' && found) return { plan: attempted ?? plan, deployed: found };
    job.onPlan(plan, found);
    if (plan.refusal !== null) throw new DeployError(EXIT.failed, plan.refusal);
    try {
      if (!found) await create(job, plan);
      else if (plan.action === 'restart') await restart(job, found);
      else await update(job, plan, found);
      const deployed = await readDeployed(client, inputs.name);
      if (!deployed)
        throw new DeployError(EXIT.failed, `“${inputs.name}” was deleted while it was deployed.`);
      return { plan, deployed };
    } catch (error) {
      if (error instanceof DeployError)
        job.onPlan(plan, await readDeployed(client, inputs.name).catch(() => found));
      if (!(error instanceof ApiError)) throw error;
      if (error.code === BUSY) {
        // Between two CVMs of a rollout, no operation is in progress.
        if (inputs.on_busy === 'fail' || Date.now() > job.deadline) throw busy(inputs.name, error.message);
        attempt -= 1;
      } else {
        const why = reasonToLookAgain(error);
        if (why === null || attempt >= MAX_ATTEMPTS) throw inWords(error, inputs.name);
        log.warning(why);
        if (why === BROKEN) attempted = plan;
      }
      await sleep(Math.max(job.poll_ms, (error.retry_after ?? 0) * 1000));
    }
  }
}

const BUSY = 'ERR-00-016';

const BROKEN = 'The connection was lost while sending the change. Checking whether it arrived.';

/** Returns the reason to reread the state instead of failing, or null. */
function reasonToLookAgain({ status, code, message }: ApiError): string | null {
  if (status === 0 || status === 502 || status === 504) return BROKEN;
  // Another run, or a user, was faster.
  if (code === 'ERR-01-004' || code === 'ERR-00-028') return message;
  return status === 412 ? 'The app has changed in the meantime. Comparing again.' : null;
}

/** Waits until no other operation is in progress on the app, or fails, depending on `on-busy`. */
async function readIdle({ client, inputs, log, deadline, poll_ms }: Job): Promise<Deployed | null> {
  let said = false;
  for (;;) {
    const found = await readDeployed(client, inputs.name);
    const live = found?.cvms.find(({ in_progress }) => in_progress);
    if (!live) return found;
    const what = `“${live.name}” is ${live.status.replace('_', ' ')}.`;
    if (inputs.on_busy === 'fail') throw busy(inputs.name, what);
    if (Date.now() + poll_ms > deadline) throw busy(inputs.name, what);
    if (!said) log.info(`${what} Waiting until that is done.`);
    said = true;
    await sleep(poll_ms);
  }
}

const busy = (name: string, what: string) =>
  new DeployError(EXIT.busy, `Another operation is in progress on “${name}”: ${what} Nothing was changed.`, [
    'Run this again when it finishes, or make runs wait with on-busy: wait.',
    'Put workflows that deploy the same app in one concurrency group.',
  ]);

async function create(job: Job, plan: Plan): Promise<void> {
  const { client, inputs, env, log } = job;
  if (!plan.create) throw new Error('a plan that creates an app has a request');
  // Checked before anything is reserved.
  const pairs = secretValues(plan.env.names, env);
  log.info(`Creating “${inputs.name}”.`);
  const options = { client, throwOnError: true } as const;
  const { data: provision } = await provisionCvm({
    ...options,
    body: plan.create,
    headers: { 'Idempotency-Key': randomUUID() },
  });
  const { app_id, compose_hash } = provision;
  if (app_id === null)
    throw new DeployError(
      EXIT.approval,
      'A contract governs this KMS’s keys, and deploying it requires a wallet.',
      ['Deploy the app in the console the first time. Later runs update it.'],
    );
  if (compose_hash !== plan.after.compose_hash)
    throw new DeployError(
      EXIT.failed,
      `The server reserved compose hash ${compose_hash}, but had computed ${plan.after.compose_hash} before. No secret was sent.`,
    );
  const kms = provision.kms_info?.id ?? provision.kms_id ?? 'phala';
  const encrypted_env =
    pairs.length === 0
      ? undefined
      : await seal(client, pairs, { kms, app_id, key: signedKeyOf(provision), pinned: inputs.kms_roots });
  const { data: cvm } = await createCvm({
    ...options,
    body: { app_id, compose_hash, ...(encrypted_env === undefined ? {} : { encrypted_env }) },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  await waitForOperation(job, cvm.correlation_id);
}

async function update(job: Job, plan: Plan, { cvm, app_id, cvms }: Deployed): Promise<void> {
  const { client, inputs, env, log, reason, settle_seconds } = job;
  if (!plan.patch) throw new Error('a plan that updates an app has a request');
  const pairs = plan.seals ? secretValues(plan.env.names, env) : [];
  const kms = cvm.kms?.id ?? cvm.kms_type ?? 'phala';
  const sealed =
    pairs.length === 0
      ? {}
      : { encrypted_env: await seal(client, pairs, { kms, app_id, key: null, pinned: inputs.kms_roots }) };
  const why = reason === null ? {} : { reason };
  const options = { client, throwOnError: true } as const;
  if (cvms.length > 1) {
    log.info(`Updating ${cvms.length} CVMs of “${inputs.name}”, one at a time.`);
    const { data } = await createRollout({
      ...options,
      path: { app_id },
      body: { ...rolloutOf(plan.patch), ...sealed, ...why, settle_seconds },
    });
    return waitForRollout(job, { app_id, rollout_id: data.rollout_id });
  }
  log.info(`Updating “${inputs.name}”.`);
  const { data } = await patchCvm({
    ...options,
    path: { cvm_id: cvm.id },
    headers: { 'If-Match': cvm.etag },
    body: { ...plan.patch, ...sealed, ...why },
  });
  await waitForOperation(job, data.correlation_id);
}

async function restart(job: Job, { cvms }: Deployed): Promise<void> {
  for (const { id, name, status } of cvms) {
    if (status !== 'error') continue;
    job.log.info(`Restarting “${name}”, which failed.`);
    const { data } = await restartCvm({ client: job.client, throwOnError: true, path: { cvm_id: id } });
    await waitForOperation(job, data.correlation_id);
  }
}

/** Adds what the server's message means for this run. */
export function inWords(error: ApiError, name: string): DeployError {
  const { status, code, message, fields, suggestions, request_id } = error;
  const details = fields
    .map((fault) => fault.message)
    .filter((text) => text !== '' && !message.includes(text));
  const whole = [message, ...details.slice(0, 5)].join('\n');
  const advice = [...suggestions, ...(request_id === undefined ? [] : [`Request ID: ${request_id}`])];
  if (code === 'ERR-01-005')
    return new DeployError(
      EXIT.approval,
      `The contract of “${name}” has to allow the new compose hash first.`,
      ['Approve it on the KMS page of the CVM, then run this again.'],
    );
  if (status === 401)
    return new DeployError(EXIT.failed, `The server refused the token: ${whole}`, [
      'Create an API token in your team, and store it as a secret of this repository.',
      ...advice,
    ]);
  if (status === 403)
    return new DeployError(EXIT.failed, `The token isn't allowed to do this: ${whole}`, [
      'Use a token with the scopes cvms:* and nodes:*, of a member who can deploy.',
      ...advice,
    ]);
  return new DeployError(code === BUSY ? EXIT.busy : EXIT.failed, whole, advice);
}
