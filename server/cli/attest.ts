import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EvidenceError, parseEvidence } from '../../console/lib/attestation/evidenceBundle';
import { DerError } from '../../console/lib/attestation/x509/der';
import { KmsRootError, readKmsRoot } from '../../console/lib/attestation/kmsRoot';
import { PemError } from '../../console/lib/attestation/x509/pem';
import { parsePolicy, PolicyError, tcbStatuses } from '../../console/lib/attestation/policyFile';
import { summary } from '../../console/lib/attestation/summary';
import type { Check, Policy, Report, ReportState } from '../../console/lib/attestation/types';
import { DEFAULT_POLICY, verifyEvidence } from '../../console/lib/attestation/verify';
import { UsageError, type Cli } from './io';
import { parseOptions } from './options';

/** Usage errors also exit with 2: in both cases nothing was proved or refuted. */
const CODES: Readonly<Record<ReportState, number>> = {
  verified: 0,
  'not verified': 1,
  unknown: 2,
  simulated: 2,
  'verified with exceptions': 3,
};
const UNREADABLE = 2;

const OPTIONS = {
  policy: 'value',
  json: 'flag',
  root: 'value',
  at: 'value',
  'quote-only': 'flag',
  'app-id': 'value',
  'compose-hash': 'value',
  'instance-id': 'value',
  'report-data': 'value',
  'device-id': 'value',
  'kms-root': 'value',
  'os-image-hash': 'value',
  'accept-tcb': 'value',
} as const;

/** `teehouse attest FILE`: verifies downloaded evidence. Uses neither network nor database. */
export async function attestCommand(cli: Cli, args: string[]): Promise<number> {
  const [file, ...rest] = args;
  if (file === undefined || file.startsWith('--'))
    throw new UsageError('Specify a file: teehouse attest evidence.json');
  const options = parseOptions(rest, OPTIONS);
  const now = moment(options.at);
  try {
    const evidence = parseEvidence(await read(file));
    const kms_roots = options['kms-root'] === undefined ? undefined : await kmsRoots(options['kms-root']);
    const given = options.policy === undefined ? {} : parsePolicy(await read(options.policy));
    const report = await verifyEvidence(evidence, {
      now,
      policy: policyOf(given, options, kms_roots),
      ...(options.root === undefined ? {} : { roots: [await read(options.root)] }),
    });
    if (options.json) cli.out(JSON.stringify(report, null, 2));
    else print(cli, report, options.root);
    return CODES[report.state];
  } catch (error) {
    const isReadError =
      error instanceof EvidenceError ||
      error instanceof PolicyError ||
      error instanceof PemError ||
      error instanceof DerError ||
      error instanceof KmsRootError ||
      error instanceof UnreadableFile;
    if (!isReadError) throw error;
    cli.err(error.message);
    return UNREADABLE;
  }
}

class UnreadableFile extends Error {}

async function read(file: string): Promise<string> {
  return readFile(path.resolve(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableFile(`Can't read ${file}: ${error.code ?? 'no such file'}.`);
  });
}

/** Each entry is a hex key, or the name of a file with a key or certificate. */
async function kmsRoots(list: string): Promise<string[]> {
  const entries = list.split(',').map((entry) => entry.trim());
  return Promise.all(
    entries.map(async (entry) =>
      readKmsRoot(/^(0x)?[0-9a-f]{66,}$/i.test(entry) ? entry : await read(entry)),
    ),
  );
}

/** Unix seconds. */
function moment(at: string | undefined): number {
  const milliseconds = at === undefined ? Date.now() : Date.parse(at);
  if (!Number.isFinite(milliseconds))
    throw new UsageError('--at must be a date such as 2026-11-21 or 2026-11-21T08:00:00Z.');
  return Math.floor(milliseconds / 1000);
}

function policyOf(
  given: Partial<Policy>,
  options: { [name in keyof typeof OPTIONS]: string | boolean | undefined },
  kms_roots: string[] | undefined,
): Policy {
  const text = (name: keyof typeof OPTIONS): string | undefined => {
    const value = options[name];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (name: keyof typeof OPTIONS): string[] | undefined =>
    text(name)
      ?.split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const accepted = list('accept-tcb');
  return {
    ...DEFAULT_POLICY,
    ...given,
    scope: options['quote-only'] === true ? 'quote' : (given.scope ?? DEFAULT_POLICY.scope),
    accepted_tcb: accepted ? tcbStatuses(accepted) : (given.accepted_tcb ?? DEFAULT_POLICY.accepted_tcb),
    app_id: text('app-id') ?? given.app_id,
    compose_hash: text('compose-hash') ?? given.compose_hash,
    instance_id: text('instance-id') ?? given.instance_id,
    report_data: text('report-data') ?? given.report_data,
    device_ids: list('device-id') ?? given.device_ids,
    // A pinned root replaces the recorded list of providers: the caller decides which one is right.
    key_provider_ids: kms_roots ?? given.key_provider_ids ?? given.kms_roots,
    kms_roots: kms_roots ?? given.kms_roots,
    os_image_hashes: list('os-image-hash') ?? given.os_image_hashes,
  };
}

const RANK: Readonly<Record<Check['state'], number>> = { failed: 0, warning: 1, skipped: 3, passed: 4 };
const WORD: Readonly<Record<Check['state'], string>> = {
  failed: 'FAILED',
  warning: 'warning',
  skipped: 'not done',
  passed: 'passed',
};

/** Evidence is hostile: quoted text must not move the cursor, start a new line or change text direction. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{fffd}');

function print(cli: Cli, report: Report, rootFile: string | undefined): void {
  const line = (text: string) => cli.out(printable(text));
  if (report.roots.source === 'caller') {
    const names = report.roots.certificates.map(({ name, sha256 }) => `“${name}” (SHA-256 ${sha256})`);
    line(`TRUSTED ROOT GIVEN BY THE CALLER, not Intel's: ${names.join(', ')} from ${rootFile ?? '--root'}`);
  }
  const rank = (check: Check) => (check.state === 'skipped' && check.required ? 2 : RANK[check.state]);
  const note = report.simulated && report.state !== 'simulated' ? ' (SIMULATED)' : '';
  line(`${report.state.toUpperCase()}${note}, as of ${new Date(report.verified_at * 1000).toISOString()}`);
  line(summary(report).line);
  cli.out('');
  for (const check of [...report.checks].sort((a, b) => rank(a) - rank(b))) {
    line(`${WORD[check.state].padEnd(8)}  ${check.title}  (${check.id})`);
    if (check.state !== 'passed') line(`          ${check.detail}`);
  }
  const trusted = [...new Set(report.checks.flatMap((check) => check.trusted))];
  if (trusted.length > 0) {
    cli.out('');
    line(`Trusted: ${trusted.join('; ')}`);
  }
}
