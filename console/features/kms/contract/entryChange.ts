import type { AppContractEntry } from '../../../../generated/api/types.gen';
import { contractCall, type ContractFunction } from '../../../lib/kms/contractCalls';
import { bytes32 } from '../../../lib/kms/hex';
import { counted } from '../../../lib/texts/count';
import { shortHex } from '../../../ui/data/truncate';
import type { Problem } from '../../../ui/feedback/problem';
import type { Change } from './ChangeDialog';

export type EntryKind = 'ComposeHash' | 'Device';

/** One of the app's CVMs, with its boot configuration. */
export interface AppCvm {
  name: string;
  compose_hash: string | null;
  device_id: string | null;
}

/** The CVMs that use a hash or device; undefined while loading. */
export interface EntryUsage {
  cvms: readonly AppCvm[] | undefined;
  problem: Problem | null;
}

/** Maximum names listed in a sentence; more are counted. */
const MAX_NAMES = 5;

/**
 * Returns the change that removes a hash or device, or allows it again.
 * @param anyDevice whether the contract allows any device, so that its list has no effect
 */
export function entryChange(
  kind: EntryKind,
  { value, name, allowed }: Pick<AppContractEntry, 'value' | 'name' | 'allowed'>,
  usage: EntryUsage,
  anyDevice = false,
): Change {
  const adds = allowed === false;
  const noun = kind === 'Device' ? 'device' : 'compose hash';
  const having = kind === 'Device' ? 'on this device' : 'with this compose hash';
  const call: ContractFunction = `${adds ? 'add' : 'remove'}${kind}`;
  const change = {
    title: `${adds ? 'Allow' : 'Remove'} the ${noun}${name === null ? ` ${shortHex(value) ?? value}` : ` of ${name}`}`,
    call: contractCall(call, value),
  };
  if (kind === 'Device' && anyDevice) return { ...change, effect: UNUSED_LIST };
  if (adds) return { ...change, effect: `CVMs of this app ${having} get its keys when they boot.` };
  const unknown = `CVMs of this app ${having} keep running, but get no keys at their next boot.`;
  if (usage.problem) return { ...change, effect: unknown, problem: usage.problem, typed: 'remove' };
  if (!usage.cvms) return { ...change, effect: unknown, loading: true };
  const using = usage.cvms.filter((cvm) => uses(cvm, kind, value));
  if (using.length === 0)
    return {
      ...change,
      effect: `No CVM of this app uses this ${noun} now. CVMs ${having} would get no keys.`,
    };
  const [only] = using;
  if (using.length === 1 && only)
    return {
      ...change,
      effect: `In use: ${only.name} ${kind === 'Device' ? 'runs on this device' : 'has this compose hash'}. ${ONE_LEFT}`,
      typed: only.name,
    };
  return {
    ...change,
    effect: `In use: ${listed(using)} ${kind === 'Device' ? 'run on this device' : 'have this compose hash'}. ${SEVERAL_LEFT}`,
    typed: counted(using.length, ['CVM', 'CVMs']),
  };
}

const UNUSED_LIST =
  'This has no effect yet, because the contract allows any device. The list applies once you allow only listed devices.';
const ONE_LEFT =
  'It keeps running, but gets no keys at its next boot: after a restart, an update or a failure of its host, it stays down until this is allowed again.';
const SEVERAL_LEFT =
  'They keep running, but get no keys at their next boot: after a restart, an update or a failure of their host, they stay down until this is allowed again.';

const uses = ({ compose_hash, device_id }: AppCvm, kind: EntryKind, value: string): boolean => {
  const own = kind === 'Device' ? device_id : compose_hash;
  return own !== null && own !== '' && bytes32(own) === bytes32(value);
};

function listed(cvms: readonly AppCvm[]): string {
  const names = cvms.slice(0, MAX_NAMES).map(({ name }) => name);
  const rest = cvms.length - names.length;
  const parts = rest > 0 ? [...names, counted(rest, ['other CVM', 'other CVMs'])] : names;
  return new Intl.ListFormat('en-US').format(parts);
}
