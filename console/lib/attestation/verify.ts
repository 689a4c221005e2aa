// The verifier: takes evidence, a clock and a policy, and returns a report. No network, no state, and no
// exceptions whatever the evidence contains. Needs only WebCrypto, in a browser worker or Node.

import { bytesToHex, hexToBytes } from '../bytes';
import { checkApp } from './appChecks';
import { Checks, stateOf } from './checks';
import { hasWebCrypto, P384 } from './x509/ecdsa';
import { checkEvents } from './events/eventChecks';
import { checkGpu } from './gpu/gpuChecks';
import { checkGpuEvidence } from './gpu/gpuEvidence';
import { NVIDIA_DEVICE_IDENTITY_CA } from './gpu/nvidiaRoot';
import { checkGuestChain, readGuestChain } from './guestChain';
import { checkOs, readVmConfig } from './os/osChecks';
import { parsePemChain } from './x509/pem';
import { checkPlatform } from './platform';
import { parseQuote, type Quote, QuoteError } from './quote';
import { INTEL_SGX_ROOT_CA } from './x509/roots';
import type { Run } from './run';
import { CHECK_IDS, type Evidence, type Report, type TrustedRoots, type VerifyOptions } from './types';

export { DEFAULT_POLICY } from './defaultPolicy';

/**
 * @throws {PemError
 * DerError} only for `options.roots` and `options.gpu_roots` that aren't certificates.
 */
export async function verifyEvidence(evidence: Evidence, options: VerifyOptions): Promise<Report> {
  const { now, policy } = options;
  const run: Run = {
    checks: new Checks(policy),
    facts: {},
    evidence,
    policy,
    now,
    roots: (options.roots ?? [INTEL_SGX_ROOT_CA]).flatMap((pem) => parsePemChain(pem)),
    gpuRoots:
      evidence.nvidia_payload === undefined
        ? []
        : (options.gpu_roots ?? [NVIDIA_DEVICE_IDENTITY_CA]).flatMap((pem) => parsePemChain(pem, P384)),
    stale: [],
  };
  const given = [
    ...(options.roots || !options.gpu_roots ? run.roots : []),
    ...(options.gpu_roots ? run.gpuRoots : []),
  ];
  const roots: TrustedRoots = {
    source: options.roots || options.gpu_roots ? 'caller' : 'built-in',
    certificates: given.map(({ commonName, fingerprint }) => ({ name: commonName, sha256: fingerprint })),
  };
  try {
    await runChecks(run);
  } catch (error) {
    // Not reached by any known input. If it ever is, it must look like a failure.
    run.checks.fail(
      'hardware',
      `The verifier itself failed (${error instanceof Error ? error.name : 'unknown error'}). Please report this evidence.`,
    );
  }
  const stale = Math.min(...run.stale);
  if (Number.isFinite(stale)) run.facts.fresh_until = new Date(stale * 1000).toISOString();
  const checks = run.checks.list(evidence.quote !== undefined);
  return {
    roots,
    state: stateOf(checks, evidence.simulated === true),
    simulated: evidence.simulated === true,
    checks,
    facts: run.facts,
    verified_at: now,
  };
}

async function runChecks(run: Run): Promise<void> {
  const { checks } = run;
  if (!hasWebCrypto()) {
    checks.skip(
      CHECK_IDS,
      'WebCrypto is unavailable here, so no signature can be checked. Open this page over HTTPS or on localhost.',
    );
    return;
  }
  const quote = readQuote(run);
  const chain = await readGuestChain(run);
  if (quote) {
    checkReportData(run, quote, chain?.report_data);
    await checkPlatform(run, quote);
  }
  const log = checkEvents(run, quote);
  const config = readVmConfig(run);
  checkOs(run, quote, log, config);
  checkApp(run, quote, log, config);
  checkGpu(run, log, config, await checkGpuEvidence(run, quote, log));
  if (chain) checkGuestChain(run, chain, quote);
}

function readQuote({ checks, evidence, facts }: Run): Quote | null {
  if (evidence.simulated === true)
    checks.skip(
      'hardware',
      'The host reports that it has no TEE hardware: its operator can see everything in this CVM.',
    );
  if (evidence.quote === undefined) {
    checks.skip('hardware', 'The evidence has no quote.');
    return null;
  }
  const bytes = evidence.quote.length <= MAX_QUOTE_HEX ? hexToBytes(evidence.quote) : null;
  if (!bytes) return checks.fail('quote.format', 'The quote is not hex, or is too long.');
  let quote: Quote;
  try {
    quote = parseQuote(bytes);
  } catch (error) {
    if (!(error instanceof QuoteError)) throw error;
    return checks.fail(error.check, error.message);
  }
  checks.pass('hardware', 'The evidence has a quote. The other checks show whether TEE hardware created it.');
  checks.pass('quote.format', `The quote is complete and has version ${quote.version}.`);
  checks.pass(
    'quote.header',
    'The header identifies a TDX quote from Intel’s quoting enclave, signed with an ECDSA P-256 key.',
  );
  Object.assign(facts, {
    quote_version: quote.version,
    mrtd: bytesToHex(quote.mrtd),
    rtmr0: bytesToHex(quote.rtmrs[0]),
    rtmr1: bytesToHex(quote.rtmrs[1]),
    rtmr2: bytesToHex(quote.rtmrs[2]),
    rtmr3: bytesToHex(quote.rtmrs[3]),
    mr_config_id: bytesToHex(quote.mrConfigId),
    report_data: bytesToHex(quote.reportData),
    td_attributes: bytesToHex(quote.tdAttributes),
  });
  return quote;
}

const MAX_QUOTE_HEX = 131_072;

/** @param fromCertificate what the guest's certificate requires, which stands in for a value that the policy lacks */
function checkReportData(
  { checks, evidence, policy }: Run,
  quote: Quote,
  fromCertificate: string | undefined,
): void {
  const actual = bytesToHex(quote.reportData);
  const trusted = ['quote signature'];
  if (policy.report_data !== undefined) {
    const expected = policy.report_data.toLowerCase().replace(/^0x/, '').padEnd(128, '0');
    if (actual === expected) checks.pass('report_data', 'report_data has the expected value.', { trusted });
    else checks.fail('report_data', `report_data is ${actual}, not the expected ${expected.slice(0, 128)}.`);
    return;
  }
  if (fromCertificate === undefined || evidence.simulated === true) {
    checks.skip(
      'report_data',
      'No report data was specified, so an older quote from the same CVM would look the same.',
    );
    return;
  }
  if (actual === fromCertificate)
    checks.pass('report_data', 'report_data matches the guest’s certificate.', { trusted });
  else
    checks.fail(
      'report_data',
      `report_data is ${actual}, not ${fromCertificate} as the guest’s certificate requires: the quote belongs to a different certificate.`,
    );
}
