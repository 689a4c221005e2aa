// The verifier: evidence, a clock and a policy in; a report out. No network, no state, never an error whatever the
// evidence holds. Runs in a browser's worker and in Node from WebCrypto alone.

import { bytesToHex, hexToBytes } from '../bytes';
import { checkApp } from './appChecks';
import { Checks, stateOf } from './checks';
import { hasWebCrypto } from './ecdsa';
import { checkEvents } from './eventChecks';
import { checkOs, readVmConfig } from './osChecks';
import { parsePemChain } from './pem';
import { checkPlatform } from './platform';
import { parseQuote, type Quote, QuoteError } from './quote';
import { INTEL_SGX_ROOT_CA } from './roots';
import type { Run } from './run';
import { CHECK_IDS, type Evidence, type Report, type VerifyOptions } from './types';

export { DEFAULT_POLICY } from './defaultPolicy';

/** @throws {PemError | DerError} only for `options.roots` that are not certificates. */
export async function verifyEvidence(evidence: Evidence, options: VerifyOptions): Promise<Report> {
  const { now, policy } = options;
  const run: Run = {
    checks: new Checks(policy),
    facts: {},
    evidence,
    policy,
    now,
    roots: (options.roots ?? [INTEL_SGX_ROOT_CA]).flatMap(parsePemChain),
    stale: [],
  };
  try {
    await runChecks(run);
  } catch (error) {
    // Not reached by any input we know of. If there is one, it must not look like anything but a failure.
    run.checks.fail(
      'hardware',
      `The verifier itself failed (${error instanceof Error ? error.name : 'unknown error'}). Please report this evidence.`,
    );
  }
  const stale = Math.min(...run.stale);
  if (Number.isFinite(stale)) run.facts.fresh_until = new Date(stale * 1000).toISOString();
  const checks = run.checks.list();
  return {
    state: stateOf(checks, evidence.simulated === true),
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
      'This browser offers no WebCrypto here (it does on https and localhost), so no signature can be checked.',
    );
    return;
  }
  const quote = readQuote(run);
  if (quote) {
    checkReportData(run, quote);
    await checkPlatform(run, quote);
  }
  const log = checkEvents(run, quote);
  const config = readVmConfig(run);
  checkOs(run, quote, log, config);
  checkApp(run, quote, log, config);
}

function readQuote({ checks, evidence, facts }: Run): Quote | null {
  if (evidence.simulated === true)
    checks.skip(
      'hardware',
      'The host says of itself that it has no TEE hardware: whoever runs it can see everything in this CVM.',
    );
  if (evidence.quote === undefined) {
    checks.skip('hardware', 'There is no quote in the evidence.');
    return null;
  }
  const bytes = evidence.quote.length <= MOST_QUOTE_HEX ? hexToBytes(evidence.quote) : null;
  if (!bytes) return checks.fail('quote.format', 'The quote is not hex, or too long to be one.');
  let quote: Quote;
  try {
    quote = parseQuote(bytes);
  } catch (error) {
    if (!(error instanceof QuoteError)) throw error;
    return checks.fail(error.check, error.message);
  }
  checks.pass('hardware', 'There is a quote; whether TEE hardware made it, the checks below say.');
  checks.pass('quote.format', `The quote has version ${quote.version} and is whole.`);
  checks.pass(
    'quote.header',
    "The quote says it is of a TD, made by Intel's quoting enclave, with ECDSA P-256.",
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

const MOST_QUOTE_HEX = 131_072;

function checkReportData({ checks, policy }: Run, quote: Quote): void {
  const actual = bytesToHex(quote.reportData);
  if (policy.report_data === undefined) {
    checks.skip('report_data', 'No challenge was given: an older quote of the same CVM would look the same.');
    return;
  }
  const expected = policy.report_data.toLowerCase().replace(/^0x/, '').padEnd(128, '0');
  if (actual === expected)
    checks.pass('report_data', 'The quote holds the bytes it was asked to hold.', {
      trusted: ['quote signature'],
    });
  else checks.fail('report_data', `The quote holds ${actual}, not the expected ${expected.slice(0, 128)}.`);
}
