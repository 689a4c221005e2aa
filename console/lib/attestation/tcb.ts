// Intel's two signed statements: TCB info (statuses of the security versions of a chip family and the TDX
// module) and the quoting enclave's identity. Validated, then matched like Intel's quote verification library
// does.

import { readJson } from './json';
import { TCB_STATUSES, type TcbStatus } from './types';

export class TcbError extends Error {
  override name = 'TcbError';
}

interface Level {
  status: TcbStatus;
  advisoryIds: string[];
  /** ISO time. */
  date: string;
}
export interface SvnLevel extends Level {
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
const MAX_CHARACTERS = 1_048_576;
const MAX_LEVELS = 256;

function object(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TcbError(`${what} is not an object`);
  return value as Json;
}
function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value) || value.length > MAX_LEVELS)
    throw new TcbError(`${what} is not a list of at most ${MAX_LEVELS}`);
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
  if (Number.isNaN(ms)) throw new TcbError(`${what} is not a valid time`);
  return ms / 1000;
}

function parse(text: string): Json {
  if (text.length > MAX_CHARACTERS) throw new TcbError('it is too long');
  const json = readJson(text);
  if ('fault' in json) throw new TcbError(`it ${json.fault}`);
  return object(json.value, 'it');
}

const dates = (json: Json): Dated => ({
  issued: seconds(json.issueDate, 'issueDate'),
  nextUpdate: seconds(json.nextUpdate, 'nextUpdate'),
});

function level(json: Json): Level {
  const status = TCB_STATUSES.find((one) => one === json.tcbStatus);
  if (!status) throw new TcbError('a tcbStatus is unknown');
  const advisories = json.advisoryIDs === undefined ? [] : list(json.advisoryIDs, 'advisoryIDs');
  return {
    status,
    advisoryIds: advisories.filter((id) => typeof id === 'string').map((id) => id.slice(0, 32)),
    date: typeof json.tcbDate === 'string' ? json.tcbDate.slice(0, 20) : '',
  };
}

/** Highest first, whatever their order in the document; stable for equal levels. */
const svnLevels = (value: unknown, most: number): SvnLevel[] =>
  list(value, 'tcbLevels')
    .map((item) => {
      const json = object(item, 'a TCB level');
      return { ...level(json), isvSvn: integer(object(json.tcb, 'tcb').isvsvn, most, 'isvsvn') };
    })
    .sort((a, b) => b.isvSvn - a.isvSvn);

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
  if (json.id !== 'TDX' || json.version !== 3) throw new TcbError('it is not TDX TCB info, version 3');
  if (json.tcbType !== 0) throw new TcbError('its tcbType is not 0, the only supported one');
  const modules = new Map<string, ModuleIdentity & { levels: SvnLevel[] }>();
  for (const item of json.tdxModuleIdentities === undefined
    ? []
    : list(json.tdxModuleIdentities, 'tdxModuleIdentities')) {
    const one = object(item, 'a TDX module identity');
    if (typeof one.id !== 'string') throw new TcbError('a TDX module identity has no id');
    const identity = { ...moduleIdentity(one), levels: svnLevels(one.tcbLevels, 255) };
    // For duplicate IDs, Intel's library uses the first (std::find_if in TdxModuleCheck.cpp).
    const id = one.id.toUpperCase();
    if (!modules.has(id)) modules.set(id, identity);
  }
  return {
    ...dates(json),
    fmspc: hex(json.fmspc, 6, 'fmspc'),
    pceId: hex(json.pceId, 2, 'pceId'),
    module: json.tdxModule === undefined ? undefined : moduleIdentity(object(json.tdxModule, 'tdxModule')),
    modules,
    levels: list(json.tcbLevels, 'tcbLevels').map(platformLevel).sort(byHeight),
  };
}

function platformLevel(item: unknown): PlatformLevel {
  const one = object(item, 'a TCB level');
  const tcb = object(one.tcb, 'tcb');
  return {
    ...level(one),
    pceSvn: integer(tcb.pcesvn, 0xffff, 'pcesvn'),
    sgx: components(tcb.sgxtcbcomponents),
    tdx: components(tcb.tdxtcbcomponents),
  };
}

/** Negative if `a` is higher; the first differing component decides. */
function compareSvns(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((svn, i) => svn !== b[i]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

/** Highest first: SGX components, then PCE, then TDX components (TcbLevel::operator> of Intel's library). */
const byHeight = (a: PlatformLevel, b: PlatformLevel): number =>
  compareSvns(a.sgx, b.sgx) || b.pceSvn - a.pceSvn || compareSvns(a.tdx, b.tdx);

/** @throws {TcbError} */
export function parseQeIdentity(text: string): QeIdentity {
  const json = parse(text);
  if (json.id !== 'TD_QE' || (json.version !== 2 && json.version !== 3))
    throw new TcbError('it is not the identity of TDX’s quoting enclave');
  return {
    ...dates(json),
    miscSelect: hex(json.miscselect, 4, 'miscselect'),
    miscSelectMask: hex(json.miscselectMask, 4, 'miscselectMask'),
    attributes: hex(json.attributes, 16, 'attributes'),
    attributesMask: hex(json.attributesMask, 16, 'attributesMask'),
    mrSigner: hex(json.mrsigner, 32, 'mrsigner'),
    isvProdId: integer(json.isvprodid, 0xffff, 'isvprodid'),
    // For levels with the same version, the newer one counts (IdentityTcbLevel::operator>).
    levels: svnLevels(json.tcbLevels, 0xffff).sort(
      (a, b) => b.isvSvn - a.isvSvn || (a.date < b.date ? 1 : a.date > b.date ? -1 : 0),
    ),
  };
}

/** A platform's security versions: CPU and PCE from its certificate, TDX from the quote. */
export interface PlatformSvns {
  cpuSvn: readonly number[];
  pceSvn: number;
  teeTcbSvn: Uint8Array;
}

/** Returns what the platform lacks for a level, one phrase each; empty if it reaches the level. */
function missing(level: PlatformLevel, { cpuSvn, pceSvn, teeTcbSvn }: PlatformSvns): string[] {
  // From module version 1, components 1 and 2 belong to the module and are judged by its identity.
  const own = (teeTcbSvn[1] ?? 0) > 0 ? 2 : 0;
  const compare = (name: string, have: ArrayLike<number>, need: readonly number[], from: number): string[] =>
    need.flatMap((svn, i) =>
      i < from || (have[i] ?? 0) >= svn
        ? []
        : [`${name} TCB component ${i + 1}: has ${have[i] ?? 0}, needs ${svn}`],
    );
  return [
    ...compare('SGX', cpuSvn, level.sgx, 0),
    ...(pceSvn >= level.pceSvn ? [] : [`PCE SVN: has ${pceSvn}, needs ${level.pceSvn}`]),
    ...compare('TDX', teeTcbSvn, level.tdx, own),
  ];
}

/** Returns the highest level the platform reaches, or undefined. */
export const matchPlatform = (info: TcbInfo, platform: PlatformSvns): PlatformLevel | undefined =>
  info.levels.find((one) => missing(one, platform).length === 0);

/** Returns what the platform lacks for the nearest level among those that `count`. */
export function closest(
  info: TcbInfo,
  platform: PlatformSvns,
  count: (level: PlatformLevel) => boolean = () => true,
): string[] {
  const lists = info.levels.filter(count).map((one) => missing(one, platform));
  return lists.reduce((best, one) => (one.length <= best.length ? one : best), lists[0] ?? []);
}

/** Returns the identity required of a TDX module of this version, with its display id; undefined if none is published. */
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

/** Versions of the lowest up-to-date level above `svn`, to explain an outdated one. */
export const neededSvn = (levels: readonly SvnLevel[], svn: number): number | undefined =>
  levels.filter((one) => one.status === 'UpToDate' && one.isvSvn > svn).at(-1)?.isvSvn;

/** What each status implies, apart from Revoked, which outweighs all others. */
const SAYS: Readonly<Record<TcbStatus, readonly ('outdated' | 'configuration' | 'software')[]>> = {
  UpToDate: [],
  SWHardeningNeeded: ['software'],
  ConfigurationNeeded: ['configuration'],
  ConfigurationAndSWHardeningNeeded: ['configuration', 'software'],
  OutOfDate: ['outdated'],
  OutOfDateConfigurationNeeded: ['outdated', 'configuration'],
  Revoked: [],
};

/**
 * Returns the worst of several statuses: anything one of them implies holds for the result. For the statuses
 * Intel gives to modules and enclaves (UpToDate, OutOfDate, Revoked) this matches its library
 * (convergeTcbStatusWith…).
 */
export function mergeStatus(...statuses: TcbStatus[]): TcbStatus {
  if (statuses.includes('Revoked')) return 'Revoked';
  const said = new Set(statuses.flatMap((status) => SAYS[status]));
  const [configuration, software] = [said.has('configuration'), said.has('software')];
  // No status exists for outdated platforms that also need software hardening: OutOfDate covers them.
  if (said.has('outdated')) return configuration ? 'OutOfDateConfigurationNeeded' : 'OutOfDate';
  if (configuration) return software ? 'ConfigurationAndSWHardeningNeeded' : 'ConfigurationNeeded';
  return software ? 'SWHardeningNeeded' : 'UpToDate';
}
