// Checks NVIDIA's evidence as far as possible offline: certificate chains to NVIDIA's root, the reports'
// signatures, nonce and firmware ID, and whether the CPU's quote is bound to it. Checks that need NVIDIA's servers
// are listed as skipped.

import { sha256 } from '@noble/hashes/sha2.js';
import { cutWhole } from '../../texts/cutWhole';
import { bytesToHex, hexToBytes, utf8 } from '../../bytes';
import { counted } from '../../texts/count';
import type { Log } from '../events/eventChecks';
import { readJson } from '../json';
import type { Quote } from '../quote';
import { isZero, readable, type Run } from '../run';
import { GPU_CHECK_IDS, type GpuCheckId, type GpuFacts } from '../types';
import { describeRoot, signerFault, verifyChain } from '../x509/chain';
import { DerError, expectTag, oidOf, readDer, sequenceOf, TAG } from '../x509/der';
import { P384, verifyEcdsa } from '../x509/ecdsa';
import type { Certificate } from '../x509/x509';
import { type GpuEvidence, parseGpuEvidence } from './payload';
import { FIELD, GpuEvidenceError, type GpuReport, textField, vbiosVersion } from './spdm';

type Gpu = GpuEvidence['gpus'][number];

/** TCG's extension with the ID of the key's firmware. */
const DICE_FIRMWARE_ID = '2.23.133.5.4.1';
const SHA384 = '2.16.840.1.101.3.4.2.2';
/** Subject of a GPU's own firmware key. Switches and network cards have certificates under the same root. */
const GPU_NAME = /^G[A-Z]\d{3} .*GSP FMC LF$/;

const ONLINE: readonly (readonly [GpuCheckId, string])[] = [
  [
    'gpu.measurements',
    'Not checked here: the reference values for this driver and VBIOS (RIM) are on NVIDIA’s servers.',
  ],
  ['gpu.revocation', 'Not checked here: NVIDIA’s revocation service (OCSP) answers only online.'],
  [
    'gpu.mode',
    'Not checked here: the report’s signature doesn’t show whether confidential computing is on and developer mode (DevTools) off.',
  ],
];

/** How the CPU's evidence is bound to the GPU's: its OS measured it, or both answer the same challenge. */
export type GpuBinding = 'measured' | 'challenged';

/** "GPU 2: …" among several. */
const which = (i: number, { length }: readonly unknown[]): string => (length > 1 ? `GPU ${i + 1}: ` : '');

/** Returns how the evidence is bound to the quote; null if there is no evidence or it is unbound. */
export async function checkGpuEvidence(
  run: Run,
  quote: Quote | null,
  log: Log | null,
): Promise<GpuBinding | null> {
  const { checks, evidence } = run;
  if (evidence.nvidia_payload === undefined) {
    if (run.policy.gpu_nonce !== undefined)
      checks.skip('gpu.nonce', 'The evidence has no GPU report to compare with the challenge.');
    return null;
  }
  let found: GpuEvidence;
  try {
    found = parseGpuEvidence(evidence.nvidia_payload);
  } catch (error) {
    if (!(error instanceof GpuEvidenceError)) throw error;
    checks.fail('gpu.evidence', `The GPU evidence cannot be read: ${error.message}.`);
    checks.skip(GPU_CHECK_IDS, 'Skipped because the GPU evidence cannot be read.');
    return null;
  }
  const { gpus } = found;
  checks.pass(
    'gpu.evidence',
    `The evidence has ${counted(gpus.length, ['report', 'reports'])} with certificates.`,
  );
  if (await checkChains(run, gpus)) {
    await checkSignatures(run, gpus);
    checkFirmware(run, gpus);
  } else checks.skip(['gpu.signature', 'gpu.firmware'], 'Skipped because a certificate chain is invalid.');
  checkNonce(run, found);
  for (const [id, detail] of ONLINE) checks.skip(id, detail);
  return checkBinding(run, found, quote, log);
}

async function chainFault(
  { chain }: Gpu,
  roots: readonly Certificate[],
  now: number,
): Promise<string | { root: Certificate }> {
  const found = await verifyChain(chain, roots, now);
  if ('fault' in found) return `The certificate chain is invalid: ${found.fault}`;
  const [leaf] = found.path;
  const root = found.path.at(-1);
  if (!leaf || !root) return 'The certificate chain is empty';
  const notSigner = signerFault(leaf);
  if (notSigner) return `The certificate is invalid: ${notSigner}`;
  if (!GPU_NAME.test(leaf.commonName))
    return `“${cutWhole(leaf.commonName, 80)}” is not the certificate of a GPU’s firmware`;
  return { root };
}

async function checkChains({ checks, gpuRoots, now }: Run, gpus: readonly Gpu[]): Promise<boolean> {
  const seen = new Set<string>();
  const trusted = new Set<string>();
  for (const [i, gpu] of gpus.entries()) {
    const result = await chainFault(gpu, gpuRoots, now);
    const key = bytesToHex(gpu.chain[0]?.publicKey ?? new Uint8Array(0));
    if (typeof result === 'string' || seen.has(key)) {
      const fault =
        typeof result === 'string' ? result : 'It has the same key as another GPU in the evidence';
      checks.fail('gpu.chain', `${which(i, gpus)}${fault}.`);
      return false;
    }
    seen.add(key);
    trusted.add(describeRoot(result.root));
  }
  checks.pass(
    'gpu.chain',
    `${gpus.length === 1 ? 'The GPU firmware’s certificate was issued by its device, whose chain ends' : 'The GPUs’ firmware certificates were issued by their devices, whose chains end'} with a trusted root; all certificates are valid at the time of this check.`,
    { trusted: [...trusted] },
  );
  return true;
}

const factsOf = ({ report, chain }: Gpu): GpuFacts => ({
  name: cutWhole(chain[0]?.commonName ?? '', 80),
  driver: textField(report, FIELD.driver),
  vbios: vbiosVersion(report),
  project: textField(report, FIELD.project),
  project_sku: textField(report, FIELD.projectSku),
});

async function checkSignatures({ checks, facts }: Run, gpus: readonly Gpu[]): Promise<void> {
  for (const [i, { report, chain }] of gpus.entries()) {
    const key = chain[0]?.publicKey ?? new Uint8Array(0);
    if (!(await verifyEcdsa(P384, key, report.signed, report.signature))) {
      checks.fail(
        'gpu.signature',
        `${which(i, gpus)}The signature does not match the report: it was modified or signed with another key.`,
      );
      return;
    }
  }
  facts.gpus = gpus.map(factsOf);
  const described = facts.gpus.map(
    ({ name, driver, vbios }) =>
      `${name} with driver ${driver ?? 'not stated'} and VBIOS ${vbios ?? 'not stated'}`,
  );
  checks.pass(
    'gpu.signature',
    `Each report is signed with the key in its GPU’s certificate. The reports state: ${described.join('; ')}.`,
    { trusted: ['GPU certificate chain'] },
  );
}

/** @throws {DerError} */
function firmwareIdOf(leaf: Certificate | undefined): string | null {
  const value = leaf?.extensions.get(DICE_FIRMWARE_ID);
  if (!value) return null;
  const [algorithm, digest, ...rest] = sequenceOf(sequenceOf(readDer(value)).at(-1));
  if (oidOf(algorithm) !== SHA384 || rest.length > 0) throw new DerError('its firmware ID is malformed');
  const { content } = expectTag(digest, TAG.octetString);
  if (content.length !== 48) throw new DerError('its firmware ID has the wrong length');
  return bytesToHex(content);
}

/** Returns null if they match, and undefined if the report has none, as with older firmware. */
function firmwareFault(report: GpuReport, leaf: Certificate | undefined): string | null | undefined {
  const stated = report.fields.get(FIELD.firmwareId);
  if (!stated) return undefined;
  try {
    const certified = firmwareIdOf(leaf);
    if (certified === null) return 'The certificate names no firmware';
    const reported = bytesToHex(stated);
    return reported === certified
      ? null
      : `The report has firmware ID ${reported.slice(0, 96)}, the certificate ${certified}`;
  } catch (error) {
    return `The certificate is unusable: ${readable(error)}`;
  }
}

function checkFirmware({ checks }: Run, gpus: readonly Gpu[]): void {
  const faults = gpus.map(({ report, chain }) => firmwareFault(report, chain[0]));
  const at = faults.findIndex((fault) => typeof fault === 'string');
  if (at !== -1) checks.fail('gpu.firmware', `${which(at, gpus)}${faults[at]}.`);
  else if (faults.includes(undefined))
    checks.skip('gpu.firmware', 'A report has no firmware ID, which is normal for older firmware.');
  else
    checks.pass('gpu.firmware', 'The firmware ID in each report is the one its certificate was issued for.', {
      trusted: ['GPU certificate chain'],
    });
}

function checkNonce({ checks, policy }: Run, { nonce, gpus }: GpuEvidence): void {
  const stated = bytesToHex(nonce);
  const at = gpus.findIndex(({ report }) => bytesToHex(report.nonce) !== stated);
  if (at !== -1) {
    checks.fail(
      'gpu.nonce',
      `${which(at, gpus)}The nonce in the report differs from the one in the evidence.`,
    );
    return;
  }
  const expected = policy.gpu_nonce?.toLowerCase().replace(/^0x/, '');
  if (expected === undefined)
    checks.pass(
      'gpu.nonce',
      'Each report has the nonce in the evidence. No challenge was specified, so older evidence from the same GPU would look the same.',
    );
  else if (expected === stated)
    checks.pass('gpu.nonce', 'Each report has the nonce from your challenge.', {
      trusted: ['GPU report signature'],
    });
  else checks.fail('gpu.nonce', `The nonce is ${stated}, not the expected ${expected.slice(0, 64)}.`);
}

/** Returns the hash in the event that the guest's OS measured before it received keys. */
function measuredHash(log: Log | null): string | null {
  const payload = log?.system?.values.get('gpu-attestation');
  if (payload === undefined) return null;
  const json = readJson(new TextDecoder().decode(hexToBytes(payload) ?? new Uint8Array(0)));
  if ('fault' in json || typeof json.value !== 'object' || json.value === null) return null;
  const { evidence_sha256 } = json.value as Readonly<Record<string, unknown>>;
  return typeof evidence_sha256 === 'string' ? evidence_sha256.toLowerCase() : null;
}

function checkBinding(
  { checks, evidence }: Run,
  { nonce }: GpuEvidence,
  quote: Quote | null,
  log: Log | null,
): GpuBinding | null {
  const measured = checks.passed('rtmr3') ? measuredHash(log) : null;
  if (measured !== null && measured === bytesToHex(sha256(utf8(evidence.nvidia_payload ?? '')))) {
    checks.pass(
      'gpu.binding',
      'RTMR3 has the SHA-256 of exactly this evidence: the guest’s OS collected it.',
      {
        trusted: ['OS image', 'RTMR3'],
      },
    );
    return 'measured';
  }
  const halves = quote ? [quote.reportData.subarray(0, 32), quote.reportData.subarray(32)] : [];
  // Quotes pad short challenges with zeros, which bind nothing.
  const half = isZero(nonce) ? -1 : halves.findIndex((bytes) => bytesToHex(bytes) === bytesToHex(nonce));
  if (half !== -1) {
    checks.pass(
      'gpu.binding',
      `The quote’s report_data has the reports’ nonce (bytes ${32 * half} to ${32 * half + 31}): both answer one challenge. It doesn’t show that the GPU is attached to this CVM.`,
      { trusted: ['quote signature'] },
    );
    return 'challenged';
  }
  checks.skip(
    'gpu.binding',
    `Neither the quote’s report_data nor RTMR3 has this evidence’s nonce or hash${measured === null ? '' : ' (RTMR3 has the hash of other evidence)'}: it may come from any GPU.`,
  );
  return null;
}
