import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cvmPath } from '../../console/lib/paths';
import { ownValue } from '../../console/lib/ownValue';
import { appPagePath } from '../../console/lib/public/site';
import { ApiError, createTeehouse } from '../client';
import { hasLoneSurrogate } from '../../console/lib/bytes';
import { composeSize } from '../../console/lib/compose/composeHash';
import { deploy, inWords, type Job } from './deploy';
import { DeployError, EXIT, type ExitCode } from './exit';
import { comment, isWorkflow, writeStep } from './github';
import { readInputs, type Env, type Inputs } from './inputs';
import { createLog, type Log } from './log';
import { makePlan, type Plan } from './plan';
import { markdown, markerOf, type Report } from './report';
import { readDeployed, type Deployed } from './state';
import { isEnough, readPolicy, verifyCvm, type Verified } from './verify';

export interface Surroundings {
  env: Env;
  argv: readonly string[];
  /** Folder that paths are relative to. */
  cwd: string;
  /** Writes one line, without its end. */
  write(line: string): void;
  /** Polling interval of an operation in milliseconds. */
  poll_ms?: number;
  /** Seconds a CVM must be healthy before the next one is updated; the server's default if absent. */
  settle_seconds?: number;
}

/** Runs the program. @returns its exit code; it never throws */
export async function run({
  env,
  argv,
  cwd,
  write,
  poll_ms = 3_000,
  settle_seconds,
}: Surroundings): Promise<ExitCode> {
  const log = createLog(write, { workflow: isWorkflow(env) });
  let inputs: Inputs;
  try {
    inputs = readInputs(env, argv);
  } catch (error) {
    return fail(error, log, '').code;
  }
  log.hide(inputs.token);
  if (inputs.github_token !== undefined) log.hide(inputs.github_token);
  for (const name of inputs.secrets ?? []) log.hide(ownValue(env, name) ?? '');

  const report: Report = {
    name: inputs.name,
    mode: inputs.mode,
    plan: null,
    failure: null,
    verified: [],
    not_verified: null,
    cvm_url: null,
    verify_url: null,
    source: sourceOf(env),
  };
  let code: ExitCode;
  try {
    code = await work(inputs, { env, cwd, log, poll_ms, settle_seconds }, report);
  } catch (error) {
    const failure = fail(error, log, inputs.name);
    report.failure = failure;
    code = failure.code;
  }
  const text = log.clean(markdown(report));
  try {
    if (inputs.report_file !== undefined) await writeFile(path.resolve(cwd, inputs.report_file), text);
    else if (!isWorkflow(env)) for (const line of text.split('\n')) write(line);
    await writeStep(env, outputsOf(report), text);
    const marker = markerOf(inputs.name);
    // Not masked: a secret may be part of the app's name.
    await comment(env, inputs, { marker, text: `${marker}\n${text}` }, log);
  } catch (error) {
    log.warning(`Couldn't write the report: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
  return code;
}

interface World {
  env: Env;
  cwd: string;
  log: Log;
  poll_ms: number;
  settle_seconds: number | undefined;
}

async function work(inputs: Inputs, world: World, report: Report): Promise<ExitCode> {
  const { env, cwd, log, poll_ms, settle_seconds } = world;
  const compose = composeText(await readText(cwd, inputs.compose_file, 'compose-file'));
  const policy =
    inputs.policy_file === undefined
      ? {}
      : readPolicy(await readText(cwd, inputs.policy_file, 'policy-file'));
  const client = createTeehouse({ server: inputs.server, token: inputs.token, conflicts: false });
  const job: Job = {
    client,
    log,
    poll_ms,
    settle_seconds,
    deadline: Date.now() + inputs.timeout_ms,
    inputs,
    env,
    compose,
    reason: reasonOf(env),
    onPlan(plan, deployed) {
      report.plan = plan;
      if (deployed) Object.assign(report, linksOf(inputs, deployed));
    },
  };
  if (inputs.mode === 'plan') return planOnly(job, report);

  const { plan, deployed } = await deploy(job);
  job.onPlan(plan, deployed);
  log.info(plan.action === 'none' ? 'Nothing changes.' : `“${inputs.name}” is deployed.`);
  return verifyAll(job, plan, deployed, policy, report);
}

/** Shows a deployment's plan. Nothing is deployed, and no secret is read. */
async function planOnly({ client, inputs, compose, log, onPlan }: Job, report: Report): Promise<ExitCode> {
  const deployed = await readDeployed(client, inputs.name);
  const plan = await makePlan(client, inputs, compose, deployed);
  onPlan(plan, deployed);
  report.not_verified = 'This is a plan: nothing was deployed.';
  const what = {
    create: 'would be created',
    update: 'would be updated',
    restart: 'failed and would be restarted',
    none: 'would not change',
  };
  log.info(`“${inputs.name}” ${what[plan.action]}.`);
  if (plan.refusal !== null) log.warning(`This can’t be deployed right now: ${plan.refusal}`);
  return EXIT.ok;
}

async function verifyAll(
  job: Job,
  plan: Plan,
  { cvms }: Deployed,
  policy: Parameters<typeof verifyCvm>[3],
  report: Report,
): Promise<ExitCode> {
  const { inputs, log } = job;
  const running = cvms.filter(({ status }) => status === 'running');
  if (inputs.verify === 'off') {
    report.not_verified = 'Verification is off for this workflow.';
    return EXIT.ok;
  }
  if (running.length < cvms.length)
    log.warning(
      `${cvms.length - running.length} of ${cvms.length} CVMs aren't running, so they weren't verified.`,
    );
  if (running.length === 0) {
    report.not_verified = 'No CVM is running.';
    return EXIT.ok;
  }
  const wanted = {
    compose_hash: plan.after.compose_hash,
    docker_compose_file: plan.after.docker_compose_file,
    env_names: plan.env.names,
  };
  for (const cvm of running.slice(0, MAX_VERIFIED)) {
    const verified = await verifyCvm(job, cvm, wanted, policy);
    report.verified.push(verified);
    say(log, verified);
  }
  const left = running.length - report.verified.length;
  if (left > 0) log.warning(`${left} more CVMs weren't verified.`);
  if (report.verified.every(({ state }) => isEnough(state, inputs.verify))) return EXIT.ok;
  log.error(`The evidence of “${inputs.name}” isn't what verify: ${inputs.verify} requires.`);
  return EXIT.unverified;
}

const MAX_VERIFIED = 20;

function say(log: Log, { name, state, line, checks }: Verified): void {
  log.info(`Attestation of “${name}”: ${state}. ${line}`);
  for (const check of checks)
    if (check.state !== 'passed') log.info(`  ${check.state}: ${check.title}. ${check.detail}`);
}

async function readText(cwd: string, file: string, input: string): Promise<string> {
  const bytes = await readFile(path.resolve(cwd, file)).catch((error: NodeJS.ErrnoException) => {
    throw new DeployError(EXIT.usage, `${input}: can't read ${file} (${error.code ?? 'unknown error'}).`);
  });
  try {
    // A byte order mark is part of the measured file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DeployError(EXIT.usage, `${input}: ${file} isn't UTF-8.`);
  }
}

function composeText(text: string): string {
  const { bytes, limit, fits } = composeSize(text);
  if (text.trim() === '') throw new DeployError(EXIT.usage, 'compose-file: the file is empty.');
  if (!fits || hasLoneSurrogate(text))
    throw new DeployError(EXIT.usage, `compose-file: the file has ${bytes} bytes; the limit is ${limit}.`);
  return text;
}

/** Publicly listed apps have a page where anyone can verify them; others are verified by their team. */
function linksOf({ server }: Inputs, { cvm, app_id }: Deployed): Pick<Report, 'cvm_url' | 'verify_url'> {
  const slug = cvm.workspace?.slug;
  if (!slug || cvm.vm_uuid === null) return { cvm_url: null, verify_url: null };
  return {
    cvm_url: `${server}${cvmPath(slug, cvm.vm_uuid)}`,
    verify_url: `${server}${cvm.listed ? appPagePath(app_id) : cvmPath(slug, cvm.vm_uuid, 'certificates')}`,
  };
}

const outputsOf = ({ plan, cvm_url, verified, failure }: Report): Record<string, string> => ({
  action: failure ? 'failed' : (plan?.action ?? ''),
  'compose-hash': plan?.after.compose_hash ?? '',
  'cvm-url': cvm_url ?? '',
  attestation: [...new Set(verified.map(({ state }) => state))].join(', '),
});

/** Variables of GitHub, Forgejo and GitLab that identify the commit. */
function sourceOf(env: Env): Report['source'] {
  const sha = env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? '';
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_RUN_ID: run_id } = env;
  const url = server && name && run_id ? `${server}/${name}/actions/runs/${run_id}` : (env.CI_JOB_URL ?? '');
  return {
    commit: /^[0-9a-f]{7,64}$/.test(sha) ? sha : null,
    run_url: /^https?:\/\/[\w.:/-]+$/.test(url) ? url : null,
  };
}

/** For the app's history, visible to the whole team. */
function reasonOf(env: Env): string | null {
  const name = env.GITHUB_REPOSITORY ?? env.CI_PROJECT_PATH;
  const { commit } = sourceOf(env);
  if (!name && commit === null) return null;
  return [
    'Deployed by CI',
    ...(name ? [name.slice(0, 200)] : []),
    ...(commit === null ? [] : [commit.slice(0, 12)]),
  ].join(' ');
}

function fail(
  error: unknown,
  log: Log,
  name: string,
): { code: ExitCode; message: string; advice: readonly string[] } {
  const known = error instanceof ApiError ? inWords(error, name) : error;
  if (known instanceof DeployError) {
    log.error(known.message);
    for (const advice of known.advice) log.info(advice);
    return { code: known.code, message: known.message, advice: known.advice };
  }
  // For internal errors, the log includes the location.
  const message = 'This program failed unexpectedly.';
  log.error(`${message} ${error instanceof Error ? (error.stack ?? error.message) : ''}`);
  return { code: EXIT.failed, message, advice: [] };
}
