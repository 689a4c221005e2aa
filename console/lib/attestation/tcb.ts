// Intel's two signed statements: TCB info (which security versions of a chip family and of the TDX module are how
// good) and the identity of the quoting enclave. Read with their shape checked, then matched as Intel's quote
// verification library does.

import { TCB_STATUSES, type TcbStatus } from './types';

export class TcbError extends Error {
  override name = 'TcbError';
}

interface Level {
  status: TcbStatus;
  advisoryIds: string[];
  date: string;
}
interface SvnLevel extends Level {
  isvSvn: number;
}
interface PlatformLevel extends Level {
  pceSvn: number;
  sgx: number[];
  tdx: number[];
}
interface ModuleIdentity {
  mrSigner: string;
  attributes: string;
  attributesMask: string;
}

export interface Dated {
  /** Unix seconds. */
  issued: number;
  nextUpdate: number;
}

export interface TcbInfo extends Dated {
  fmspc: string;
  pceId: string;
  module: ModuleIdentity | undefined;
  modules: ReadonlyMap<string, ModuleIdentity & { levels: SvnLevel[] }>;
  levels: PlatformLevel[];
}

export interface QeIdentity extends Dated {
  miscSelect: string;
  miscSelectMask: string;
  attributes: string;
  attributesMask: string;
  mrSigner: string;
  isvProdId: number;
  levels: SvnLevel[];
}

type Json = Readonly<Record<string, unknown>>;
const MOST_CHARACTERS = 1_048_576;
const MOST_LEVELS = 256;

function object(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TcbError(`${what} is not an object`);
  return value as Json;
}
function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value) || value.length > MOST_LEVELS)
    throw new TcbError(`${what} is not a list of at most ${MOST_LEVELS}`);
  return value as unknown[];
}
function integer(value: unknown, most: number, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw new TcbError(`${what} is not a number from 0 to ${most}`);
  return value;
}
function hex(value: unknown, bytes: number, what: string): string {
  if (typeof value !== 'string' || value.length !== 2 * bytes || !/^[0-9a-f]*$/i.test(value))
    throw new TcbError(`${what} is not ${bytes} bytes of hex`);
  return value.toLowerCase();
}
function seconds(value: unknown, what: string): number {
  const ms =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(ms)) throw new TcbError(`${what} is not a time`);
  return ms / 1000;
}

function parse(text: string): Json {
  if (text.length > MOST_CHARACTERS) throw new TcbError('it is too long');
  try {
    return object(JSON.parse(text), 'it');
  } catch (error) {
    if (error instanceof TcbError) throw error;
    throw new TcbError('it is not JSON');
  }
}

const dates = (json: Json): Dated => ({
  issued: seconds(json.issueDate, 'issueDate'),
  nextUpdate: seconds(json.nextUpdate, 'nextUpdate'),
});

function level(json: Json): Level {
  const status = TCB_STATUSES.find((one) => one === json.tcbStatus);
  if (!status) throw new TcbError('tcbStatus is none that is known');
  const advisories = json.advisoryIDs === undefined ? [] : list(json.advisoryIDs, 'advisoryIDs');
  return {
    status,
    advisoryIds: advisories.filter((id) => typeof id === 'string').map((id) => id.slice(0, 32)),
    date: typeof json.tcbDate === 'string' ? json.tcbDate.slice(0, 10) : '',
  };
}

const svnLevels = (value: unknown, most: number): SvnLevel[] =>
  list(value, 'tcbLevels').map((item) => {
    const json = object(item, 'a TCB level');
    return { ...level(json), isvSvn: integer(object(json.tcb, 'tcb').isvsvn, most, 'isvsvn') };
  });

function components(value: unknown): number[] {
  const svns = list(value, 'TCB components').map((item) =>
    integer(object(item, 'a TCB component').svn, 255, 'svn'),
  );
  if (svns.length !== 16) throw new TcbError('a TCB level does not have 16 components');
  return svns;
}

const moduleIdentity = (json: Json): ModuleIdentity => ({
  mrSigner: hex(json.mrsigner, 48, 'mrsigner'),
  attributes: hex(json.attributes, 8, 'attributes'),
  attributesMask: hex(json.attributesMask, 8, 'attributesMask'),
});

/** @throws {TcbError} whose message completes "The TCB info cannot be used: …". */
export function parseTcbInfo(text: string): TcbInfo {
  const json = parse(text);
  if (json.id !== 'TDX' || json.version !== 3) throw new TcbError('it is not TDX TCB info of version 3');
  if (json.tcbType !== 0) throw new TcbError('its tcbType is not 0, the only one known');
  const modules = new Map<string, ModuleIdentity & { levels: SvnLevel[] }>();
  for (const item of json.tdxModuleIdentities === undefined
    ? []
    : list(json.tdxModuleIdentities, 'tdxModuleIdentities')) {
    const one = object(item, 'a TDX module identity');
    if (typeof one.id !== 'string') throw new TcbError('a TDX module identity has no id');
    modules.set(one.id.toUpperCase(), { ...moduleIdentity(one), levels: svnLevels(one.tcbLevels, 255) });
  }
  return {
    ...dates(json),
    fmspc: hex(json.fmspc, 6, 'fmspc'),
    pceId: hex(json.pceId, 2, 'pceId'),
    module: json.tdxModule === undefined ? undefined : moduleIdentity(object(json.tdxModule, 'tdxModule')),
    modules,
    levels: list(json.tcbLevels, 'tcbLevels').map((item) => {
      const one = object(item, 'a TCB level');
      const tcb = object(one.tcb, 'tcb');
      return {
        ...level(one),
        pceSvn: integer(tcb.pcesvn, 0xffff, 'pcesvn'),
        sgx: components(tcb.sgxtcbcomponents),
        tdx: components(tcb.tdxtcbcomponents),
      };
    }),
  };
}

/** @throws {TcbError} */
export function parseQeIdentity(text: string): QeIdentity {
  const json = parse(text);
  if (json.id !== 'TD_QE' || (json.version !== 2 && json.version !== 3))
    throw new TcbError("it is not the identity of TDX's quoting enclave");
  return {
    ...dates(json),
    miscSelect: hex(json.miscselect, 4, 'miscselect'),
    miscSelectMask: hex(json.miscselectMask, 4, 'miscselectMask'),
    attributes: hex(json.attributes, 16, 'attributes'),
    attributesMask: hex(json.attributesMask, 16, 'attributesMask'),
    mrSigner: hex(json.mrsigner, 32, 'mrsigner'),
    isvProdId: integer(json.isvprodid, 0xffff, 'isvprodid'),
    levels: svnLevels(json.tcbLevels, 0xffff),
  };
}

const atLeast = (have: ArrayLike<number>, need: readonly number[], from: number): boolean =>
  need.every((svn, i) => i < from || (have[i] ?? -1) >= svn);

/** The highest level the platform reaches. Levels come highest first; undefined when it reaches none. */
export function matchPlatform(
  info: TcbInfo,
  platform: { cpuSvn: readonly number[]; pceSvn: number; teeTcbSvn: Uint8Array },
): PlatformLevel | undefined {
  // From module version 1 on, components 0 and 1 are the module's own and judged by its identity.
  const from = (platform.teeTcbSvn[1] ?? 0) > 0 ? 2 : 0;
  return info.levels.find(
    (one) =>
      platform.pceSvn >= one.pceSvn &&
      atLeast(platform.cpuSvn, one.sgx, 0) &&
      atLeast(platform.teeTcbSvn, one.tdx, from),
  );
}

/** Which identity a TDX module of this version must have: id for people, undefined identity when none is published. */
export function moduleFor(
  info: TcbInfo,
  teeTcbSvn: Uint8Array,
): { id: string; identity: (ModuleIdentity & { levels?: SvnLevel[] }) | undefined } {
  const version = teeTcbSvn[1] ?? 0;
  if (version === 0) return { id: 'TDX', identity: info.module };
  const id = `TDX_${version.toString(16).padStart(2, '0').toUpperCase()}`;
  return { id, identity: info.modules.get(id) };
}

export const matchSvn = (levels: readonly SvnLevel[], svn: number): SvnLevel | undefined =>
  levels.find((one) => svn >= one.isvSvn);

/** What the platform's status becomes with that of a part (TDX module, quoting enclave) added. */
export function mergeStatus(platform: TcbStatus, part: TcbStatus | undefined): TcbStatus {
  if (part === undefined || part === 'UpToDate') return platform;
  if (part === 'Revoked' || platform === 'Revoked') return 'Revoked';
  if (platform === 'UpToDate' && part !== 'OutOfDate') return part;
  if (part === 'OutOfDate') {
    if (platform === 'UpToDate' || platform === 'SWHardeningNeeded') return 'OutOfDate';
    if (platform === 'ConfigurationNeeded' || platform === 'ConfigurationAndSWHardeningNeeded')
      return 'OutOfDateConfigurationNeeded';
  }
  return platform;
}
