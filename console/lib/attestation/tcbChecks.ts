// The platform's TCB status according to Intel's statements, once these are authenticated.

import { bytesToHex, hexToBytes } from '../bytes';
import type { PckExtension } from './x509/pckExtension';
import type { Quote } from './quote';
import type { Run } from './run';
import {
  closest,
  matchPlatform,
  matchSvn,
  mergeStatus,
  moduleFor,
  neededSvn,
  type QeIdentity,
  type SvnLevel,
  type TcbInfo,
} from './tcb';
import type { TcbStatus } from './types';

interface Found {
  status: TcbStatus;
  advisoryIds: string[];
  /** Why it is outdated, if versions explain it: "PCE SVN: has 5, needs 11". */
  gaps: string[];
}

/** Returns the level for a security version, with what it lacks. */
function found(what: string, levels: readonly SvnLevel[], svn: number): Found | undefined {
  const level = matchSvn(levels, svn);
  const needed = neededSvn(levels, svn);
  return level && { ...level, gaps: needed === undefined ? [] : [`${what}: has ${svn}, needs ${needed}`] };
}

/** "; ISV SVN: has 3, needs 4" for a version below all levels. */
const belowAll = (svn: number, levels: readonly SvnLevel[]): string =>
  levels.length > 0 ? `has ${svn}, needs ${levels.at(-1)?.isvSvn}` : `has ${svn}, and Intel lists no version`;

/** Returns whether `value` equals `expected` in the bits of `mask`; the latter two are hex. */
function equalMasked(value: Uint8Array, expected: string, mask: string): boolean {
  const [want, bits] = [hexToBytes(expected), hexToBytes(mask)];
  return value.every((byte, i) => ((byte ^ (want?.[i] ?? 0)) & (bits?.[i] ?? 0xff)) === 0);
}

const SGX_DEBUG = 0x02;

function qeFault({ qeReport }: Quote, identity: QeIdentity): string | null {
  const signer = bytesToHex(qeReport.mrSigner);
  if (signer !== identity.mrSigner) return `MRSIGNER: has ${signer}, needs ${identity.mrSigner}`;
  if (qeReport.isvProdId !== identity.isvProdId)
    return `ISV product ID: has ${qeReport.isvProdId}, needs ${identity.isvProdId}`;
  if (((qeReport.attributes[0] ?? 0) & SGX_DEBUG) !== 0) return 'it runs in debug mode';
  if (!equalMasked(qeReport.attributes, identity.attributes, identity.attributesMask))
    return `attributes: has ${bytesToHex(qeReport.attributes)}, needs ${identity.attributes} under mask ${identity.attributesMask}`;
  if (!equalMasked(qeReport.miscSelect, identity.miscSelect, identity.miscSelectMask))
    return `MISCSELECT: has ${bytesToHex(qeReport.miscSelect)}, needs ${identity.miscSelect} under mask ${identity.miscSelectMask}`;
  return null;
}

export function checkQeIdentity({ checks }: Run, quote: Quote, identity: QeIdentity): Found | null {
  const fault = qeFault(quote, identity);
  if (fault)
    return checks.fail('qe.identity', `The quoting enclave does not match Intel’s description: ${fault}.`);
  const { isvSvn } = quote.qeReport;
  const level = found('quoting enclave ISV SVN', identity.levels, isvSvn);
  if (!level)
    return checks.fail(
      'qe.identity',
      `The quoting enclave is older than every version Intel lists: ISV SVN ${belowAll(isvSvn, identity.levels)}.`,
    );
  checks.pass(
    'qe.identity',
    `The quoting enclave’s signer, product, attributes and ISV SVN ${isvSvn} match Intel’s description (${level.status}).`,
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
      `The TCB info is for FMSPC ${info.fmspc} and PCE ID ${info.pceId}; the chip has FMSPC ${extension.fmspc} and PCE ID ${extension.pceId}.`,
    );
  const platform = { ...extension, teeTcbSvn: quote.teeTcbSvn };
  const level = matchPlatform(info, platform);
  if (!level) {
    const gaps = closest(info, platform);
    return checks.fail(
      'tcb.match',
      gaps.length > 0
        ? `The platform is older than every TCB level Intel lists. ${listed(gaps)}.`
        : 'Intel’s TCB info lists no TCB level.',
    );
  }
  checks.pass(
    'tcb.match',
    `PCE SVN ${extension.pceSvn} and the SGX and TDX TCB components reach the TCB level of ${level.date.slice(0, 10)} (${level.status}).`,
    { trusted: ['TCB info', 'PCK certificate chain'] },
  );
  return { ...level, gaps: closest(info, platform, ({ status }) => status === 'UpToDate') };
}

const MAX_GAPS = 6;
/** Limits the list; 33 versions may differ. */
const listed = (gaps: readonly string[]): string =>
  gaps.slice(0, MAX_GAPS).join('; ') + (gaps.length > MAX_GAPS ? `; and ${gaps.length - MAX_GAPS} more` : '');

const NO_LEVEL: Found = { status: 'UpToDate', advisoryIds: [], gaps: [] };

function checkModule({ checks }: Run, quote: Quote, info: TcbInfo): Found | null {
  const { id, identity } = moduleFor(info, quote.teeTcbSvn);
  if (!identity)
    return checks.fail(
      'tcb.module',
      `This platform runs TDX module “${id}”, which Intel’s TCB info does not list.`,
    );
  const signer = bytesToHex(quote.mrSignerSeam);
  if (
    signer !== identity.mrSigner ||
    !equalMasked(quote.seamAttributes, identity.attributes, identity.attributesMask)
  )
    return checks.fail(
      'tcb.module',
      `TDX module “${id}” has signer ${signer} and attributes ${bytesToHex(quote.seamAttributes)}; it needs ${identity.mrSigner} and ${identity.attributes} under mask ${identity.attributesMask}.`,
    );
  const svn = quote.teeTcbSvn[0] ?? 0;
  // Modules before version 1 have no levels of their own; they count among the platform's components.
  const level = identity.levels ? found(`TDX module ${id} ISV SVN`, identity.levels, svn) : NO_LEVEL;
  if (!level)
    return checks.fail(
      'tcb.module',
      `TDX module “${id}” is older than every version Intel lists: ISV SVN ${belowAll(svn, identity.levels ?? [])}.`,
    );
  checks.pass('tcb.module', `TDX module “${id}” with ISV SVN ${svn} is listed (${level.status}).`, {
    trusted: ['TCB info'],
  });
  return level;
}

function judge({ checks, facts, policy }: Run, platform: Found, module: Found, qe: Found): void {
  const all = [platform, module, qe];
  const status = mergeStatus(...all.map((one) => one.status));
  const gaps = all.flatMap((one) => (one.status === 'UpToDate' ? [] : one.gaps));
  const advisories = [...new Set(all.flatMap((one) => one.advisoryIds))].sort();
  facts.tcb_status = status;
  facts.advisory_ids = advisories;
  const parts = `platform ${platform.status}, TDX module ${module.status}, quoting enclave ${qe.status}`;
  const open = [
    ...(gaps.length > 0 ? [` Missing updates: ${listed(gaps)}.`] : []),
    ...(advisories.length > 0 ? [` Advisories: ${advisories.join(', ')}.`] : []),
  ].join('');
  const more = { trusted: ['TCB info', 'QE identity'] };
  if (status === 'UpToDate')
    checks.pass('tcb.status', `The platform is up to date according to Intel (${parts}).${open}`, more);
  else if (status !== 'Revoked' && policy.accepted_tcb.includes(status))
    checks.warn(
      'tcb.status',
      `The TCB status is ${status} (${parts}), which the policy accepts.${open}`,
      more,
    );
  else
    checks.fail(
      'tcb.status',
      `The TCB status is ${status} (${parts}), which the policy does not accept.${open}`,
      more,
    );
}
