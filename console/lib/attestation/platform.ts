// From the pinned root down to the quote: chip certificate, quoting enclave, attestation key and TD attributes.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '../bytes';
import { describeRoot, signerFault, verifyChain } from './x509/chain';
import { checkCollateral } from './collateral';
import { verifyP256 } from './x509/ecdsa';
import { deviceId } from './identity';
import { parsePckExtension } from './x509/pckExtension';
import { parsePemChain } from './x509/pem';
import { PCK_CHAIN, type Quote } from './quote';
import { type Chip, isZero, readable, type Run } from './run';
import type { CheckId } from './types';
import type { Certificate } from './x509/x509';

export async function checkPlatform(run: Run, quote: Quote): Promise<void> {
  checkTd(run, quote);
  const chip = await checkChipChain(run, quote);
  await checkSignatures(run, quote, chip?.leaf);
  const { collateral } = run.evidence;
  if (!collateral) {
    run.checks.skip(
      COLLATERAL_CHECKS,
      'The evidence has no collateral (Intel’s statements about this platform).',
    );
    return;
  }
  await checkCollateral(run, quote, collateral, chip);
}

const COLLATERAL_CHECKS: readonly CheckId[] = [
  'qe.identity',
  'qe.identity_signature',
  'crl.root',
  'crl.pck',
  'revocation',
  'tcb.signature',
  'tcb.match',
  'tcb.module',
  'tcb.status',
];

/**
 * The chain as text: inside the quote, or supplied separately for quotes that only reference their certificate.
 */
function chipChainText(run: Run, quote: Quote): string | null {
  if (quote.certificationType === PCK_CHAIN) {
    const text = new TextDecoder('latin1').decode(quote.certificationData);
    // Quoting libraries terminate the text with NUL.
    return text.replace(/\0{1,8}$/, '');
  }
  return run.evidence.collateral?.pck_certificate_chain || null;
}

async function checkChipChain(run: Run, quote: Quote): Promise<Chip | null> {
  const { checks, facts } = run;
  const text = chipChainText(run, quote);
  if (text === null)
    return checks.fail(
      'pck.chain',
      `The quote contains no certificate chain (certification data of type ${quote.certificationType}).`,
    );
  let certificates: Certificate[];
  try {
    certificates = parsePemChain(text);
  } catch (error) {
    return checks.fail('pck.chain', `The chip’s certificate chain cannot be read: ${readable(error)}.`);
  }
  const found = await verifyChain(certificates, run.roots, run.now);
  if ('fault' in found)
    return checks.fail('pck.chain', `The chip’s certificate chain is invalid: ${found.fault}.`);
  const { path } = found;
  const [leaf, authority, root] = path;
  // Other certificates chain to the same root (TCB signing), so the name must identify this one's purpose.
  if (!leaf || !authority || !root || path.length !== 3 || !isPckName(leaf, authority))
    return checks.fail(
      'pck.chain',
      'The chain is not a PCK chain (Intel SGX PCK Certificate, PCK CA, root).',
    );
  const notSigner = signerFault(leaf);
  if (notSigner) return checks.fail('pck.chain', `The chip’s certificate is invalid: ${notSigner}.`);
  checks.pass(
    'pck.chain',
    `The chip’s certificate was issued by “${authority.commonName}”, whose certificate was issued by the root; all are valid at the time of this check.`,
    { trusted: [describeRoot(root)], age: run.now - leaf.notBefore },
  );
  const chip: Chip = { leaf, authority, root, extension: undefined };
  try {
    const extension = parsePckExtension(leaf);
    chip.extension = extension;
    facts.fmspc = extension.fmspc;
    facts.ppid = extension.ppid;
    facts.device_id = deviceId(extension.ppid);
    checks.pass(
      'pck.extensions',
      `The chip’s certificate has FMSPC ${extension.fmspc} and PCE SVN ${extension.pceSvn}.`,
      { trusted: ['PCK certificate chain'] },
    );
  } catch (error) {
    checks.fail('pck.extensions', `The chip’s certificate is unusable: ${readable(error)}.`);
  }
  run.stale.push(...path.map((certificate) => certificate.notAfter));
  return chip;
}

const isPckName = (leaf: Certificate, authority: Certificate): boolean =>
  leaf.commonName === 'Intel SGX PCK Certificate' &&
  /^Intel SGX PCK (Platform|Processor) CA$/.test(authority.commonName);

async function checkSignatures({ checks }: Run, quote: Quote, leaf: Certificate | undefined): Promise<void> {
  const { qeReport } = quote;
  if (leaf) {
    if (await verifyP256(leaf.publicKey, qeReport.bytes, quote.qeReportSignature))
      checks.pass('qe.signature', 'The quoting enclave’s report is signed with the chip’s certified key.', {
        trusted: ['PCK certificate chain'],
      });
    else
      checks.fail(
        'qe.signature',
        'The quoting enclave’s report is not signed with the key in the chip’s certificate.',
      );
  }
  const bound = sha256(concatBytes(quote.attestationKey, quote.qeAuthData));
  const stated = bytesToHex(qeReport.reportData.subarray(0, 32));
  if (bytesToHex(bound) === stated && isZero(qeReport.reportData.subarray(32)))
    checks.pass(
      'quote.attestation_key',
      'The quoting enclave’s report contains the SHA-256 of the attestation key and authentication data.',
      { trusted: ['quoting enclave report'] },
    );
  else
    checks.fail(
      'quote.attestation_key',
      'The quoting enclave’s report does not contain the SHA-256 of the attestation key and authentication data.',
    );
  if (await verifyP256(quote.attestationKey, quote.signed, quote.signature))
    checks.pass('quote.signature', 'The header and TD report are signed with the attestation key.', {
      trusted: ['attestation key'],
    });
  else
    checks.fail(
      'quote.signature',
      'The signature does not match the header and TD report: one of them was modified or signed with another key.',
    );
}

const SEPT_VE_DISABLE = 0x10;
/**
 * Bits of td_attributes without a defined meaning (TDX module ABI, TD attributes); PKS, KL and PERFMON may be
 * set.
 */
const RESERVED = [0x00, 0xff, 0xff, 0x2f, 0xff, 0xff, 0xff, 0x7f] as const;

function tdFault(quote: Quote): string | null {
  const attributes = quote.tdAttributes;
  const [debug = 0, , , security = 0] = attributes;
  if (debug !== 0) return 'The TD is debuggable: the host can read and change its memory';
  if ((security & SEPT_VE_DISABLE) === 0)
    return 'SEPT_VE_DISABLE is not set: the host can remove memory pages unnoticed';
  if (RESERVED.some((mask, i) => ((attributes[i] ?? 0) & mask) !== 0))
    return 'A reserved TD attribute is set';
  if (quote.mrServiceTd && !isZero(quote.mrServiceTd))
    return 'A service TD is bound to this TD and can migrate it';
  return null;
}

function checkTd({ checks }: Run, quote: Quote): void {
  const attributes = bytesToHex(quote.tdAttributes);
  const fault = tdFault(quote);
  if (fault) checks.fail('td.attributes', `${fault} (td_attributes ${attributes}).`);
  else
    checks.pass(
      'td.attributes',
      `td_attributes are ${attributes}: DEBUG is off, SEPT_VE_DISABLE is on, no reserved bit is set.`,
      { trusted: ['quote signature'] },
    );
  if (isZero(quote.mrSignerSeam) && isZero(quote.seamAttributes))
    checks.pass(
      'td.module_signer',
      'The TDX module’s signer and attributes are zero, as in Intel’s modules.',
      {
        trusted: ['quote signature'],
      },
    );
  else
    checks.fail(
      'td.module_signer',
      'The TDX module’s signer or attributes are not zero, so it is not Intel’s.',
    );
}
