// Intel's statements about platform, TDX module and quoting enclave. Each is authenticated and checked for
// freshness before its contents are used.

import { cutWhole } from '../texts/cutWhole';
import { hexToBytes, utf8 } from '../bytes';
import { describeRoot, sameKey, signerFault, verifyChain } from './x509/chain';
import { verifyP256 } from './x509/ecdsa';
import { parsePemChain } from './x509/pem';
import type { Quote } from './quote';
import { type Chip, readable, type Run } from './run';
import { type Dated, parseQeIdentity, parseTcbInfo, TcbError } from './tcb';
import { checkQeIdentity, checkTcb } from './tcbChecks';
import type { CheckId, Collateral } from './types';
import { type Certificate, type Crl, parseCrl } from './x509/x509';

export async function checkCollateral(
  run: Run,
  quote: Quote,
  collateral: Collateral,
  chip: Chip | null,
): Promise<void> {
  const tcbInfo = await checkSigned(run, {
    id: 'tcb.signature',
    what: 'TCB info',
    chain: collateral.tcb_info_issuer_chain,
    text: collateral.tcb_info,
    signature: collateral.tcb_info_signature,
    parse: parseTcbInfo,
  });
  const qeIdentity = await checkSigned(run, {
    id: 'qe.identity_signature',
    what: 'QE identity',
    chain: collateral.qe_identity_issuer_chain,
    text: collateral.qe_identity,
    signature: collateral.qe_identity_signature,
    parse: parseQeIdentity,
  });
  if (chip)
    await checkRevocation(run, collateral, chip, [
      ...(tcbInfo ? [tcbInfo.signer] : []),
      ...(qeIdentity ? [qeIdentity.signer] : []),
    ]);
  const qeLevel = qeIdentity && checkQeIdentity(run, quote, qeIdentity.value);
  if (tcbInfo && chip?.extension) checkTcb(run, quote, tcbInfo.value, chip.extension, qeLevel);
}

/** Returns the certificate path of a PEM chain; null if the check failed. */
async function pathOf(run: Run, id: CheckId, what: string, pem: string): Promise<Certificate[] | null> {
  let chain: Certificate[];
  try {
    chain = parsePemChain(pem);
  } catch (error) {
    return run.checks.fail(id, `The ${what} certificate chain cannot be read: ${readable(error)}.`);
  }
  const found = await verifyChain(chain, run.roots, run.now);
  if ('path' in found) return found.path;
  return run.checks.fail(id, `The ${what} certificate chain is invalid: ${found.fault}.`);
}

const moment = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns why something issued and due for renewal at these times (Unix seconds) isn't valid now, or null. */
function ageFault(now: number, issued: number, nextUpdate: number): string | null {
  if (!(now >= issued)) return `it was issued at ${moment(issued)}, after the time of this check`;
  if (!(now <= nextUpdate)) return `it expired at ${moment(nextUpdate)}`;
  return null;
}

interface Signed<T> {
  id: CheckId;
  what: string;
  chain: string;
  text: string;
  signature: string;
  parse: (text: string) => T;
}

/**
 * Checks a signed JSON document: its signer's chain, the signature over its exact bytes, its structure and its
 * dates.
 */
async function checkSigned<T extends Dated>(
  run: Run,
  { id, what, chain, text, signature, parse }: Signed<T>,
): Promise<{ value: T; signer: Certificate } | null> {
  const { checks, now } = run;
  const path = await pathOf(run, id, what, chain);
  if (!path) return null;
  const [signer, root] = path;
  // Chip certificates chain to the same root, so a compromised chip could otherwise sign anything.
  if (!signer || !root || path.length !== 2 || signer.commonName !== 'Intel SGX TCB Signing')
    return checks.fail(
      id,
      `The ${what} is signed by “${cutWhole(signer?.commonName ?? '', 80)}”, not by Intel SGX TCB Signing.`,
    );
  const notSigner = signerFault(signer);
  if (notSigner) return checks.fail(id, `The signer of the ${what} is invalid: ${notSigner}.`);
  const bytes = signature.length === 128 ? hexToBytes(signature) : null;
  if (!bytes || !(await verifyP256(signer.publicKey, utf8(text), bytes)))
    return checks.fail(
      id,
      `The signature doesn’t match the ${what}: the text was modified, or Intel did not sign it.`,
    );
  let value: T;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof TcbError)) throw error;
    return checks.fail(id, `The ${what} is unusable: ${error.message}.`);
  }
  const fault = ageFault(now, value.issued, value.nextUpdate);
  if (fault) return checks.fail(id, `The ${what} is not valid now: ${fault}.`, { age: now - value.issued });
  run.stale.push(value.nextUpdate, signer.notAfter);
  checks.pass(
    id,
    `The ${what} is signed by “${signer.commonName}”; issued ${moment(value.issued)}, valid until ${moment(value.nextUpdate)}.`,
    { trusted: [describeRoot(root)], age: now - value.issued },
  );
  return { value, signer };
}

/** Checks a revocation list of `issuer`: signature and dates. */
async function checkCrl(run: Run, id: CheckId, hex: string, issuer: Certificate): Promise<Crl | null> {
  const { checks, now } = run;
  const what = `revocation list of “${issuer.commonName}”`;
  const der = hex.length <= MAX_CRL_HEX ? hexToBytes(hex) : null;
  if (!der || der.length === 0) return checks.fail(id, `The ${what} is empty, too long or not hex.`);
  let crl: Crl;
  try {
    crl = parseCrl(der);
  } catch (error) {
    return checks.fail(id, `The ${what} cannot be read: ${readable(error)}.`);
  }
  if (crl.issuer !== issuer.subject || !issuer.maySign.crls)
    return checks.fail(id, `The revocation list was not issued by “${issuer.commonName}”.`);
  if (!(await verifyP256(issuer.publicKey, crl.tbs, crl.signature)))
    return checks.fail(id, `The signature on the ${what} is invalid.`);
  const fault = ageFault(now, crl.thisUpdate, crl.nextUpdate);
  if (fault) return checks.fail(id, `The ${what} is not valid now: ${fault}.`, { age: now - crl.thisUpdate });
  run.stale.push(crl.nextUpdate);
  checks.pass(
    id,
    `The ${what} has a valid signature; issued ${moment(crl.thisUpdate)}, valid until ${moment(crl.nextUpdate)}; revoked certificates: ${crl.revoked.size}.`,
    {
      trusted: [`${issuer.commonName} (certificate SHA-256 ${issuer.fingerprint})`],
      age: now - crl.thisUpdate,
    },
  );
  return crl;
}

/** Hex digits for 256 KiB; Intel's lists have 3 KB. */
const MAX_CRL_HEX = 524_288;

async function checkRevocation(
  run: Run,
  collateral: Collateral,
  chip: Chip,
  signers: readonly Certificate[],
): Promise<void> {
  const { checks } = run;
  const rootCrl = await checkCrl(run, 'crl.root', collateral.root_ca_crl, chip.root);
  const path = await pathOf(run, 'crl.pck', 'PCK revocation list', collateral.pck_crl_issuer_chain);
  if (!path) return;
  const [issuer] = path;
  if (!issuer || !sameKey(issuer, chip.authority)) {
    checks.fail(
      'crl.pck',
      `The PCK revocation list is from “${cutWhole(issuer?.commonName ?? '', 80)}”, but “${chip.authority.commonName}” issued the chip’s certificate.`,
    );
    return;
  }
  const pckCrl = await checkCrl(run, 'crl.pck', collateral.pck_crl, chip.authority);
  if (!rootCrl || !pckCrl) return;
  const revoked = [
    ...(pckCrl.revoked.has(chip.leaf.serial) ? [chip.leaf] : []),
    ...[chip.authority, issuer, ...signers].filter((one) => rootCrl.revoked.has(one.serial)),
  ];
  const [first] = revoked;
  if (rootCrl.revoked.has(chip.root.serial))
    checks.fail(
      'revocation',
      `The root “${chip.root.commonName}” (serial ${chip.root.serial}) is on its own revocation list.`,
    );
  else if (first)
    checks.fail('revocation', `“${first.commonName}” (serial ${first.serial}) has been revoked.`);
  else if (signers.length === 2)
    checks.pass(
      'revocation',
      'The chip’s certificate, its CA, the root and the signers of the TCB info and QE identity are not on the revocation lists.',
      {
        trusted: ['root CA CRL', 'PCK CRL'],
        age: run.now - Math.min(rootCrl.thisUpdate, pckCrl.thisUpdate),
      },
    );
}
