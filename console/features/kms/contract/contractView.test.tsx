import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { chainById } from '../../../lib/kms/chains';
import { ContractView } from './ContractView';
import { contractStates, storyCvms } from './storyData';

const chain = chainById(31337)!;

/** The screen's text in order, in a state of the component preview. */
function shown(id: string): string {
  const state = contractStates.find((one) => one.id === id);
  if (!state) throw new Error(`There is no state ${id}`);
  const { contract, verdict } = state;
  const usage = { cvms: storyCvms, problem: null };
  const markup = renderToStaticMarkup(
    <ContractView contract={contract} chain={chain} verdict={verdict} usage={usage} />,
  );
  return markup
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

it('keeps what gives control away apart from what is done every day', () => {
  const text = shown('allowed');
  const apart = text.indexOf('Ownership and upgrades');
  expect(apart).toBeGreaterThan(text.indexOf('Contract history'));
  for (const label of ['Transfer ownership…', 'Disable upgrades…', 'Renounce ownership…'])
    expect(text.indexOf(label)).toBeGreaterThan(apart);
  expect(text.indexOf('Allow device…')).toBeLessThan(apart);
  // Without an owner there is no control left.
  expect(shown('renounced')).not.toContain('Renounce ownership…');
});

it('explains a pending transfer where it shows', () => {
  expect(shown('pending')).toMatch(
    /Ownership transfer pending\. 0x709979…dc79c8 must accept it.* 0xf39fd6…b92266 stays the owner.*Accept ownership… Withdraw offer…/,
  );
  expect(shown('allowed')).not.toContain('Accept ownership…');
});

it('offers to allow what the contract refuses of this CVM', () => {
  expect(shown('refused')).toContain('Allow this hash…');
  expect(shown('device')).toContain('Allow this device…');
  for (const id of ['allowed', 'unreachable']) expect(shown(id)).not.toMatch(/Allow this/);
});

it('says up to which block the history was read, and when', () => {
  expect(shown('allowed')).toMatch(/Read up to block 24,000,000, .*(now|ago)/);
});

it('shows an address with the same digits in facts, lists and the history', () => {
  const owners = shown('allowed').match(/0xf39[0-9a-f]*…[0-9a-f]+/g) ?? [];
  expect(owners.length).toBeGreaterThan(3);
  expect(new Set(owners)).toEqual(new Set(['0xf39fd6…b92266']));
});
