// The checks of one report. Each of CHECK_IDS appears exactly once; those of GPU evidence and of certificates appear
// only if there are some. A check that wasn't reached is `skipped`, and a skipped required check never results in
// "verified".

import {
  type Check,
  CHECK_IDS,
  type CheckGroup,
  type CheckId,
  GPU_CHECK_IDS,
  type Policy,
  type ReportState,
} from './types';

interface Definition {
  group: CheckGroup;
  title: string;
  inputs: string[];
  /** The scopes that require it; `named` = only if the policy names an expected value. */
  required: 'quote' | 'app' | 'named';
}

const define = (
  group: CheckGroup,
  title: string,
  required: Definition['required'],
  ...inputs: string[]
): Definition => ({ group, title, inputs, required });

const CHECKS: Readonly<Record<CheckId, Definition>> = {
  hardware: define('platform', 'Runs on TEE hardware', 'quote', 'quote'),
  'quote.format': define('quote', 'Quote is complete', 'quote', 'quote'),
  'quote.header': define('quote', 'Quote is a TDX quote', 'quote', 'quote'),
  'quote.signature': define('quote', 'Quote signature', 'quote', 'quote'),
  'quote.attestation_key': define(
    'quote',
    'Attestation key belongs to the quoting enclave',
    'quote',
    'quote',
  ),
  'qe.signature': define('platform', 'Quoting enclave’s report signature', 'quote', 'quote'),
  'qe.identity': define('platform', 'Quoting enclave is Intel’s', 'quote', 'quote', 'QE identity'),
  'qe.identity_signature': define('platform', 'QE identity is signed and current', 'quote', 'QE identity'),
  'pck.chain': define('platform', 'Chip certificate chain', 'quote', 'PCK certificate chain'),
  'pck.extensions': define(
    'platform',
    'Chip certificate identifies the platform',
    'quote',
    'PCK certificate chain',
  ),
  'crl.root': define('platform', 'Root CA revocation list', 'quote', 'root CA CRL'),
  'crl.pck': define('platform', 'Chip CA revocation list', 'quote', 'PCK CRL'),
  revocation: define(
    'platform',
    'No certificate is revoked',
    'quote',
    'PCK CRL',
    'root CA CRL',
    'certificate chains',
  ),
  'tcb.signature': define('platform', 'TCB info is signed and current', 'quote', 'TCB info'),
  'tcb.match': define('platform', 'Platform has a known TCB level', 'quote', 'TCB info', 'quote'),
  'tcb.module': define('platform', 'TDX module is known', 'quote', 'TCB info', 'quote'),
  'tcb.status': define('platform', 'Platform security updates', 'quote', 'TCB info', 'QE identity'),
  'td.attributes': define('quote', 'Not debuggable', 'quote', 'quote'),
  'td.module_signer': define('quote', 'TDX module is signed by Intel', 'quote', 'quote'),
  report_data: define('quote', 'Quote has the expected report data', 'named', 'quote'),
  'events.format': define('os', 'Event log is readable', 'app', 'event log'),
  'events.digests': define('os', 'Events match their digests', 'app', 'event log'),
  'events.order': define('os', 'System events occur once, before system-ready', 'app', 'event log'),
  'rtmr.boot': define('os', 'Boot events replay to RTMR0, 1 and 2', 'app', 'event log', 'quote'),
  rtmr3: define('app', 'Runtime events replay to RTMR3', 'app', 'event log', 'quote'),
  'os.image': define('os', 'OS image matches MRTD and RTMR0 to 2', 'app', 'VM configuration', 'quote'),
  'os.known': define('os', 'OS image is known', 'app', 'VM configuration'),
  'compose.hash': define('app', 'Compose file matches the measured hash', 'app', 'app compose', 'event log'),
  'compose.expected': define('app', 'Compose hash is as expected', 'named', 'event log'),
  'app.id': define('app', 'App ID', 'named', 'event log'),
  'instance.id': define('app', 'Instance ID', 'named', 'event log'),
  key_provider: define('app', 'Key provider', 'app', 'event log'),
  'kms.root': define('app', 'KMS root key is the one you pinned', 'named', 'event log'),
  certificates: define('app', 'Guest’s certificates are valid', 'named', 'certificate chain'),
  gpu: define('app', 'GPU attestation', 'named', 'app compose', 'VM configuration', 'event log'),
  'gpu.evidence': define('app', 'GPU evidence is readable', 'named', 'GPU evidence'),
  'gpu.chain': define('app', 'GPU certificate chain', 'named', 'GPU evidence'),
  'gpu.signature': define('app', 'GPU report signature', 'named', 'GPU evidence'),
  'gpu.firmware': define('app', 'GPU firmware matches its certificate', 'named', 'GPU evidence'),
  'gpu.nonce': define('app', 'GPU report has the expected nonce', 'named', 'GPU evidence'),
  'gpu.binding': define(
    'app',
    'GPU evidence is bound to the quote',
    'named',
    'GPU evidence',
    'quote',
    'event log',
  ),
  'gpu.measurements': define('app', 'GPU measurements match reference values', 'named', 'GPU evidence'),
  'gpu.revocation': define('app', 'No GPU certificate is revoked', 'named', 'GPU evidence'),
  'gpu.mode': define('app', 'GPU is in confidential mode', 'named', 'GPU evidence'),
  'device.id': define('platform', 'Device ID', 'named', 'quote', 'PCK certificate chain'),
  mr_config_id: define('app', 'Configuration register', 'named', 'quote', 'event log'),
  claims: define('app', 'Host-reported values match', 'named', 'claims', 'quote', 'event log'),
};

export const checkTitle = (id: CheckId): string => CHECKS[id].title;

/** Checks that become required if the policy names an expected value. */
const NAMED: Partial<Record<CheckId, (policy: Policy) => unknown>> = {
  report_data: (policy) => policy.report_data,
  'gpu.nonce': (policy) => policy.gpu_nonce,
  'compose.expected': (policy) => policy.compose_hash,
  'app.id': (policy) => policy.app_id,
  'instance.id': (policy) => policy.instance_id,
  'device.id': (policy) => policy.device_ids,
  'kms.root': (policy) => policy.kms_roots,
};

function isRequired(id: CheckId, policy: Policy): boolean {
  const { required } = CHECKS[id];
  if (required === 'named') return NAMED[id]?.(policy) !== undefined;
  return required === 'quote' || policy.scope === 'app';
}

const ORDER: readonly CheckId[] = CHECK_IDS.flatMap((id): CheckId[] =>
  id === 'gpu' ? ['certificates', id, ...GPU_CHECK_IDS] : [id],
);

/** Number of checks in the report of a guest without GPU evidence, which comes with its certificates. */
export const USUAL_CHECKS = CHECK_IDS.length + 1;

const LACKS_DATA = 'Skipped because the evidence lacks the required data.';

const needsQuote = (id: CheckId): boolean =>
  CHECKS[id].group === 'platform' || CHECKS[id].inputs.includes('quote');

type More = Partial<Pick<Check, 'trusted' | 'age'>>;

/**
 * Records the result of each check. The first result stands, except that a failure replaces a pass or warning.
 */
export class Checks {
  private readonly done = new Map<CheckId, Check>();
  constructor(private readonly policy: Policy) {}

  private set(id: CheckId, state: Check['state'], detail: string, more: More = {}): void {
    const before = this.done.get(id)?.state;
    if (before !== undefined && (state !== 'failed' || before === 'failed')) return;
    const { group, title, inputs } = CHECKS[id];
    const { trusted = [], age } = more;
    this.done.set(id, {
      id,
      group,
      title,
      state,
      detail,
      inputs,
      trusted,
      ...(age === undefined ? {} : { age: Math.max(0, Math.round(age)) }),
      required: isRequired(id, this.policy),
    });
  }

  pass(id: CheckId, detail: string, more?: More): void {
    this.set(id, 'passed', detail, more);
  }
  warn(id: CheckId, detail: string, more?: More): void {
    this.set(id, 'warning', detail, more);
  }
  /** Returns null, so that a check that produces a value can return this call. */
  fail(id: CheckId, detail: string, more?: More): null {
    this.set(id, 'failed', detail, more);
    return null;
  }
  skip(ids: CheckId | readonly CheckId[], detail: string): void {
    for (const id of typeof ids === 'string' ? [ids] : ids) this.set(id, 'skipped', detail);
  }
  state(id: CheckId): Check['state'] | undefined {
    return this.done.get(id)?.state;
  }
  passed(id: CheckId): boolean {
    return this.state(id) === 'passed';
  }

  /** Returns all checks in order. Without a quote, the quote checks report missing data, whatever else failed. */
  list(hasQuote: boolean): Check[] {
    const failed = ORDER.map((id) => this.done.get(id)).find((check) => check?.state === 'failed');
    if (!hasQuote) this.skip(CHECK_IDS.filter(needsQuote), LACKS_DATA);
    this.skip(CHECK_IDS, failed ? `Skipped because “${failed.title}” failed.` : LACKS_DATA);
    return ORDER.flatMap((id) => this.done.get(id) ?? []);
  }
}

export function stateOf(checks: readonly Check[], simulated: boolean): ReportState {
  // Evidence that contradicts itself is false, whatever hardware it names.
  if (checks.some((check) => check.state === 'failed')) return 'not verified';
  // A host's claim to have no TEE is trusted, because it only lowers trust.
  if (simulated) return 'simulated';
  if (checks.some((check) => check.required && check.state === 'skipped')) return 'unknown';
  return checks.some((check) => check.state === 'warning') ? 'verified with exceptions' : 'verified';
}
