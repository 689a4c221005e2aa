import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { chainById } from '../../../lib/kms/chains';
import { ContractView } from './ContractView';
import { flagText, historyRows } from './historyRows';
import { olderHashes } from './olderHashes';
import { contractStates, storyCvms, type ContractState } from './storyData';
import { unreadContract, unreadVerdict } from './unread';

const chain = chainById(31337)!;

function stateOf(id: string): ContractState {
  const state = contractStates.find((one) => one.id === id);
  if (!state) throw new Error(`There is no state ${id}`);
  return state;
}

/** The screen's text in order, for a state of the component preview. */
const shown = (id: string): string => textOf(stateOf(id));

function textOf({ contract, verdict }: Pick<ContractState, 'contract' | 'verdict'>): string {
  const usage = { cvms: storyCvms, problem: null };
  const markup = renderToStaticMarkup(
    <ContractView contract={contract} chain={chain} verdict={verdict} usage={usage} />,
  );
  return markup
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

it('separates actions that give up control from everyday ones', () => {
  const text = shown('allowed');
  const apart = text.indexOf('Ownership and upgrades');
  expect(apart).toBeGreaterThan(text.indexOf('Contract history'));
  for (const label of ['Transfer ownership…', 'Disable upgrades…', 'Renounce ownership…'])
    expect(text.indexOf(label)).toBeGreaterThan(apart);
  expect(text.indexOf('Allow device…')).toBeLessThan(apart);
  // Without an owner, there is no control left to give up.
  expect(shown('renounced')).not.toContain('Renounce ownership…');
});

it('offers no change that nobody can make', () => {
  const text = shown('renounced');
  expect(text).toContain('Nobody can change this contract.');
  expect(text).not.toMatch(/Only its owner|Allow compose hash…|Allow (any )?device…|TCB…/);
  const { contract, verdict } = stateOf('renounced');
  const refused = textOf({
    contract,
    verdict: { ...verdict, is_allowed: false, error: 'Compose hash not allowed' },
  });
  expect(refused).toContain('Compose hash not allowed. Nobody can allow it anymore.');
  expect(refused).not.toContain('Allow this hash…');
  // The pending owner can still accept the transfer.
  const { policy } = contract;
  const offered = {
    ...contract,
    policy: policy && { ...policy, pending_owner: `0x${'1'.repeat(40)}`, renounced: false },
  };
  expect(textOf({ contract: offered, verdict })).not.toContain('Nobody can change');
});

it('takes what a contract with other code says about itself for no more than that', () => {
  const text = shown('own-code');
  expect(text).toContain('This contract doesn’t run the code that the KMS contract gives new apps.');
  expect(text).toMatch(/Its implementation is 0x9fe467…7fa6e0.*new apps get 0xe7f172…3f0512/);
  expect(text).toContain('The contract says that nobody can change it.');
  expect(text).toContain('Yes, according to the contract');
  expect(text).not.toMatch(/nobody can change it [^.]|Nobody can change this contract/);
  const { contract, verdict } = stateOf('own-code');
  const having = (more: object) =>
    textOf({
      contract: { ...contract, policy: contract.policy && { ...contract.policy, ...more } },
      verdict,
    });
  // Code that is no proxy is its deployer’s, too; a KMS contract that names none has nothing to compare.
  expect(having({ implementation: null })).toContain('It isn’t a proxy; new apps get 0xe7f172');
  expect(having({ kms_implementation: null })).not.toContain('doesn’t run the code');
  expect(shown('renounced')).not.toContain('doesn’t run the code');
});

it('doesn’t take a contract that a reorganization removed for a renounced one', () => {
  const text = shown('gone');
  expect(text).toContain('There is no contract at this address on Local development.');
  expect(text).toContain('Send that transaction again');
  expect(text).not.toMatch(/renounced|Nobody can|no longer has an owner|nobody can change it/);
  // A transaction to an empty address costs a fee and changes nothing.
  expect(text).not.toMatch(/Allow |Transfer ownership…|Renounce ownership…/);
});

it('explains a pending transfer', () => {
  expect(shown('pending')).toMatch(
    /Ownership transfer pending\. 0x709979…dc79c8 must accept it.* 0xf39fd6…b92266 remains the owner.*Accept ownership… Withdraw offer…/,
  );
  expect(shown('allowed')).not.toContain('Accept ownership…');
});

it('offers to allow this CVM’s refused hash or device', () => {
  expect(shown('refused')).toContain('Allow this hash…');
  expect(shown('device')).toContain('Allow this device…');
  for (const id of ['allowed', 'unreachable']) expect(shown(id)).not.toMatch(/Allow this/);
});

it('shows up to which block and time the history was read', () => {
  expect(shown('allowed')).toMatch(/Read up to block 24,000,000, .*(now|ago)/);
});

it('shortens an address to the same digits in facts, lists and the history', () => {
  const owners = shown('allowed').match(/0xf39[0-9a-f]*…[0-9a-f]+/g) ?? [];
  expect(owners.length).toBeGreaterThan(3);
  expect(new Set(owners)).toEqual(new Set(['0xf39fd6…b92266']));
});

it('shows no stale verdict if the contract can’t be read', () => {
  const { contract } = stateOf('allowed');
  const error = 'Couldn’t reach the server.';
  const text = textOf({ contract: unreadContract(contract, error), verdict: unreadVerdict(error) });
  expect(text).toContain('Unknown whether this CVM is allowed to boot.');
  expect(text).toContain(`${error} Until it can be read, what the contract allows is unknown.`);
  expect(text).not.toMatch(/This CVM is allowed to boot|Transfer ownership…|\bAllowed\b|\bRemoved\b/);
});

it('shows the age of the block it was read at', () => {
  expect(shown('allowed')).toMatch(/Read at block 24,000,000 ?, .*?(now|ago)/);
});

it('says that a list is truncated', () => {
  const { contract, verdict } = stateOf('allowed');
  const [entry] = contract.compose_hashes;
  const compose_hashes = Array.from({ length: 200 }, (_, i) => ({
    ...entry!,
    value: `0x${String(i).padStart(64, '0')}`,
  }));
  const cut = 'Only the 200 most recently allowed compose hashes are listed.';
  expect(textOf({ contract: { ...contract, compose_hashes }, verdict })).toContain(cut);
  expect(shown('allowed')).not.toContain('Only the 200');
});

it('distinguishes identical changes made by one transaction', () => {
  const [change] = stateOf('allowed').contract.history;
  const ids = historyRows([change!, change!, { ...change!, value: '' }]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

it('offers to remove what ran before an update, but nothing that waits', () => {
  expect(shown('updated')).toMatch(/An older compose hash is still allowed\..*Remove revision 1 ?…/);
  expect(shown('allowed')).not.toContain('still allowed');
  const { contract, verdict } = stateOf('updated');
  const [present, older] = contract.compose_hashes;
  const waits = { ...present!, value: `0x${'cc'.repeat(32)}` };
  const left = (present_hash: string) =>
    olderHashes([waits, present!, older!], present_hash).map(({ value }) => value);
  expect(left(verdict.compose_hash.toUpperCase())).toEqual([older!.value]);
  expect(left('')).toEqual([]);
});

it('shows a flag’s value in words', () => {
  expect(flagText('AllowAnyDeviceSet', 'false')).toBe('Only those listed');
  expect(flagText('RequireTcbUpToDateSet', 'true')).toBe('Yes');
  expect(flagText('DeviceAdded', `0x${'1f'.repeat(32)}`)).toBeNull();
});

it('says that a verdict assumes an up-to-date TCB only if the contract requires it', () => {
  expect(shown('allowed')).toContain('It also requires an up-to-date TCB');
  expect(shown('old')).not.toContain('It also requires');
});

it('says once why the network can’t be read, and how old the rest is', () => {
  const text = shown('unreachable');
  expect(text.split('isn’t responding.')).toHaveLength(2);
  expect(text).toMatch(/Lists and history are as of .*(now|ago)/);
});
