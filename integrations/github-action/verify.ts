import { parsePolicy, PolicyError } from '../../console/lib/attestation/policyFile';
import { questionOf } from '../../console/lib/attestation/answer';
import { DEFAULT_CHOICES } from '../../console/lib/attestation/expected';
import { readJson } from '../../console/lib/attestation/json';
import { stateNow, summary } from '../../console/lib/attestation/summary';
import type { Check, Policy, Report, ReportState, VerifyOptions } from '../../console/lib/attestation/types';
import { verifyEvidence } from '../../console/lib/attestation/verify';
import type { Cvm, CvmEvidence } from '../../generated/api/types.gen';
import { getCvmEvidence } from '../client';
import { DeployError, EXIT } from './exit';
import { sleep, type Waiting } from './wait';

/** Expected configuration of a CVM. */
export interface Wanted {
  compose_hash: string;
  docker_compose_file: string;
  /** Allowed variable names, in any order. */
  env_names: readonly string[];
}

export interface Verified {
  vm_uuid: string | null;
  name: string;
  state: ReportState;
  /** One sentence. */
  line: string;
  checks: Pick<Check, 'title' | 'state' | 'detail' | 'required'>[];
  /** Reference values stated by the server itself, for lack of a policy file. */
  from_server: string[];
  trusted: string[];
}

/** Guests need a moment after boot, and the server's last evidence may be of the previous version. */
const MAX_LOOKS = 20;

/**
 * Verifies a CVM's evidence on this machine: the server's statements aren't trusted, apart from reference values
 * missing in `policy`. The Compose file in the evidence must be the given one, byte for byte. Only evidence of a guest
 * that responds, judged by this machine's clock, can be verified.
 * @param roots instead of Intel's, for tests
 */
export async function verifyCvm(
  { client, deadline, poll_ms }: Waiting,
  cvm: Cvm,
  wanted: Wanted,
  policy: Partial<Policy>,
  { roots }: Pick<VerifyOptions, 'roots'> = {},
): Promise<Verified> {
  let evidence: CvmEvidence;
  for (let look = 1; ; look += 1) {
    evidence = (await getCvmEvidence({ client, throwOnError: true, path: { cvm_id: cvm.id } })).data;
    const isCurrent = evidence.source === 'guest' && evidence.expected.compose_hash === wanted.compose_hash;
    if (isCurrent || look >= MAX_LOOKS || Date.now() + poll_ms > deadline) break;
    await sleep(poll_ms);
  }
  const question = await questionOf(evidence, DEFAULT_CHOICES, policy.kms_roots);
  const report = await verifyEvidence(question.evidence, {
    now: question.now,
    // The hash is computed from the local file: the server's expectation doesn't count.
    policy: { ...question.policy, ...policy, compose_hash: wanted.compose_hash },
    roots,
  });
  return judged(cvm, evidence, report, wanted, policy);
}

function judged(
  cvm: Cvm,
  evidence: CvmEvidence,
  report: Report,
  wanted: Wanted,
  policy: Partial<Policy>,
): Verified {
  const same = fileCheck(evidence.evidence?.app_compose, wanted);
  const found = summary(report);
  const isRefuted = same.state === 'failed' && report.state !== 'not verified';
  const state = stateNow(report.state, evidence.source);
  const isPast = state !== report.state;
  const given = new Set(Object.keys(policy));
  return {
    vm_uuid: cvm.vm_uuid,
    name: cvm.name,
    state: same.state === 'failed' ? 'not verified' : state,
    line: isRefuted ? `${same.title}: ${same.detail}` : isPast ? pastLine(evidence) : found.line,
    checks: [same, ...report.checks],
    from_server: [
      // The pre-launch script, for example, which the compose hash covers, too.
      'settings besides the Compose file and the variable names',
      ...(given.has('app_id') ? [] : ['app ID']),
      ...(given.has('instance_id') ? [] : ['instance ID']),
      ...(given.has('device_ids') ? [] : ['machine']),
      ...(given.has('os_image_hashes') || given.has('os_measurements') ? [] : ['OS images']),
      ...(given.has('kms_roots') || given.has('key_provider_ids') ? [] : ['KMS root key']),
    ],
    trusted: [...new Set(report.checks.flatMap(({ trusted }) => trusted))],
  };
}

const pastLine = ({ collected_at }: CvmEvidence): string =>
  `The guest didn’t respond. Its evidence on record${collected_at === null ? '' : `, of ${collected_at},`} passes the checks but doesn’t show what runs now.`;

/** Compares the file in the evidence; other checks compare its hash with the measurement. */
function fileCheck(app_compose: string | undefined, wanted: Wanted): Verified['checks'][number] {
  const check = { title: 'Compose file of this repository', required: true } as const;
  if (app_compose === undefined)
    return { ...check, state: 'skipped', detail: 'The evidence has no Compose file.' };
  const json = readJson(app_compose);
  const measured =
    'fault' in json ? null : (json.value as { docker_compose_file?: unknown; allowed_envs?: unknown } | null);
  if (measured?.docker_compose_file !== wanted.docker_compose_file)
    return { ...check, state: 'failed', detail: 'The evidence is for a different Compose file.' };
  const names = Array.isArray(measured.allowed_envs) ? (measured.allowed_envs as unknown[]) : [];
  const isSame =
    names.length === wanted.env_names.length && wanted.env_names.every((one) => names.includes(one));
  return isSame
    ? { ...check, state: 'passed', detail: 'The evidence has the same file, byte for byte.' }
    : { ...check, state: 'failed', detail: 'The evidence is for different variable names.' };
}

/** Parses a policy file's text. @throws {DeployError} */
export function readPolicy(text: string): Partial<Policy> {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof PolicyError) throw new DeployError(EXIT.usage, `policy-file: ${error.message}`);
    throw error;
  }
}

/** Whether evidence in this state is enough for `verify`. */
export const isEnough = (state: ReportState, verify: 'required' | 'report' | 'off'): boolean =>
  verify === 'off' ||
  state === 'verified' ||
  state === 'verified with exceptions' ||
  (verify === 'report' && state !== 'not verified');
