// How good the platform is by Intel's statements, once these are authenticated.

import { bytesToHex, hexToBytes } from '../bytes';
import type { PckExtension } from './pckExtension';
import type { Quote } from './quote';
import type { Run } from './run';
import { matchPlatform, matchSvn, mergeStatus, moduleFor, type QeIdentity, type TcbInfo } from './tcb';
import type { TcbStatus } from './types';

interface Found {
  status: TcbStatus;
  advisoryIds: string[];
  date: string;
}

/** Whether `value` equals `expected` in the bits of `mask`; the latter two in hex. */
function equalMasked(value: Uint8Array, expected: string, mask: string): boolean {
  const [want, bits] = [hexToBytes(expected), hexToBytes(mask)];
  return value.every((byte, i) => ((byte ^ (want?.[i] ?? 0)) & (bits?.[i] ?? 0xff)) === 0);
}

const SGX_DEBUG = 0x02;

function qeFault({ qeReport }: Quote, identity: QeIdentity): string | null {
  const signer = bytesToHex(qeReport.mrSigner);
  if (signer !== identity.mrSigner) return `its signer is ${signer}, not ${identity.mrSigner}`;
  if (qeReport.isvProdId !== identity.isvProdId)
    return `its product id is ${qeReport.isvProdId}, not ${identity.isvProdId}`;
  if (((qeReport.attributes[0] ?? 0) & SGX_DEBUG) !== 0) return 'it may be debugged';
  if (!equalMasked(qeReport.attributes, identity.attributes, identity.attributesMask))
    return `its attributes ${bytesToHex(qeReport.attributes)} are not those of the identity`;
  if (!equalMasked(qeReport.miscSelect, identity.miscSelect, identity.miscSelectMask))
    return `its MISCSELECT ${bytesToHex(qeReport.miscSelect)} is not that of the identity`;
  return null;
}

export function checkQeIdentity({ checks }: Run, quote: Quote, identity: QeIdentity): Found | null {
  const fault = qeFault(quote, identity);
  if (fault)
    return checks.fail('qe.identity', `The quoting enclave is not the one Intel describes: ${fault}.`);
  const level = matchSvn(identity.levels, quote.qeReport.isvSvn);
  if (!level)
    return checks.fail(
      'qe.identity',
      `The quoting enclave's security version ${quote.qeReport.isvSvn} is below all that Intel lists.`,
    );
  checks.pass(
    'qe.identity',
    `Signer, product, attributes and security version ${quote.qeReport.isvSvn} of the quoting enclave are those Intel describes (${level.status}).`,
    { trusted: ['QE identity'] },
  );
  return level;
}

export function checkTcb(
  run: Run,
  quote: Quote,
  info: TcbInfo,
  extension: PckExtension,
  qe: Found | null,
): void {
  const platform = matchLevel(run, quote, info, extension);
  const module = checkModule(run, quote, info);
  if (!platform || !module || !qe) return;
  judge(run, platform, module, qe);
}

function matchLevel(
  { checks }: Run,
  quote: Quote,
  info: TcbInfo,
  extension: PckExtension,
): Found | undefined | null {
  if (info.fmspc !== extension.fmspc || info.pceId !== extension.pceId)
    return checks.fail(
      'tcb.match',
      `The TCB info is about platform family ${info.fmspc}, PCE ${info.pceId}; the chip is of ${extension.fmspc}, PCE ${extension.pceId}.`,
    );
  const level = matchPlatform(info, { ...extension, teeTcbSvn: quote.teeTcbSvn });
  if (!level)
    return checks.fail('tcb.match', 'The security versions of the platform are below all that Intel lists.');
  checks.pass(
    'tcb.match',
    `PCE version ${extension.pceSvn}, the CPU's 16 and TDX's components reach the level of ${level.date} (${level.status}).`,
    { trusted: ['TCB info', 'PCK certificate chain'] },
  );
  return level;
}

const NO_LEVEL: Found = { status: 'UpToDate', advisoryIds: [], date: '' };

function checkModule({ checks }: Run, quote: Quote, info: TcbInfo): Found | null {
  const { id, identity } = moduleFor(info, quote.teeTcbSvn);
  if (!identity)
    return checks.fail(
      'tcb.module',
      `Intel's TCB info lists no TDX module “${id}”, which this platform runs.`,
    );
  const signer = bytesToHex(quote.mrSignerSeam);
  if (
    signer !== identity.mrSigner ||
    !equalMasked(quote.seamAttributes, identity.attributes, identity.attributesMask)
  )
    return checks.fail('tcb.module', `Signer or attributes of the TDX module are not those of “${id}”.`);
  const svn = quote.teeTcbSvn[0] ?? 0;
  // Modules before version 1 have no levels of their own: they count among the platform's components.
  const level = identity.levels ? matchSvn(identity.levels, svn) : NO_LEVEL;
  if (!level)
    return checks.fail(
      'tcb.module',
      `Security version ${svn} of TDX module “${id}” is below all that Intel lists.`,
    );
  checks.pass('tcb.module', `TDX module “${id}” with security version ${svn} is listed (${level.status}).`, {
    trusted: ['TCB info'],
  });
  return level;
}

function judge({ checks, facts, policy }: Run, platform: Found, module: Found, qe: Found): void {
  const status = mergeStatus(mergeStatus(platform.status, module.status), qe.status);
  const advisories = [...new Set([platform, module, qe].flatMap((one) => one.advisoryIds))].sort();
  facts.tcb_status = status;
  facts.advisory_ids = advisories;
  const parts = `platform ${platform.status}, TDX module ${module.status}, quoting enclave ${qe.status}`;
  const open = advisories.length > 0 ? ` Advisories: ${advisories.join(', ')}.` : '';
  const more = { trusted: ['TCB info', 'QE identity'] };
  if (status === 'UpToDate')
    checks.pass('tcb.status', `By Intel's lists the platform is up to date (${parts}).${open}`, more);
  else if (status !== 'Revoked' && policy.accepted_tcb.includes(status))
    checks.warn('tcb.status', `The platform is ${status} (${parts}), which the policy accepts.${open}`, more);
  else
    checks.fail(
      'tcb.status',
      `The platform is ${status} (${parts}), which the policy does not accept.${open}`,
      more,
    );
}
