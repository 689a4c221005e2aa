import { expect, it } from 'vitest';
import { actionCall, CONTRACT_ACTIONS } from './contractActions';

const action = (name: string) => {
  const found = CONTRACT_ACTIONS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no action ${name}`);
  return found;
};
const fault = (name: string, value: string) => action(name).input?.fault(value) ?? null;

// EIP-55's own example, with its checksum.
const OWNER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it('hands a contract to no address that is zero or mistyped', () => {
  for (const name of ['transferOwnership', 'setAppImplementation']) {
    expect(fault(name, OWNER)).toBeNull();
    expect(actionCall(action(name), OWNER)?.data).toContain(OWNER.slice(2).toLowerCase());
    for (const [value, why] of [
      [`0x${'0'.repeat(40)}`, /zero address/],
      [OWNER.replace('5aA', '5aB'), /checksum/],
      [OWNER.slice(0, -1), /39 hex digits instead of 40/],
    ] as const) {
      expect(fault(name, value)).toMatch(why);
      expect(actionCall(action(name), value)).toBeNull();
    }
  }
});

it('takes whole hashes only, and a gateway’s app ID or any', () => {
  expect(fault('addOsImageHash', 'ab'.repeat(32))).toBeNull();
  expect(fault('addOsImageHash', `0x${'AB'.repeat(32)}`)).toBeNull();
  expect(fault('addOsImageHash', 'ab'.repeat(31))).toMatch(/62 hex digits instead of 64/);
  for (const value of ['any', 'cd'.repeat(20)]) expect(fault('setGatewayAppId', value)).toBeNull();
  for (const value of ['ANY', `0x${'cd'.repeat(20)}`])
    expect(fault('setGatewayAppId', value)).toMatch(/40 hex digits, or any/);
});

it('needs no value for an action without one', () => {
  expect(actionCall(action('acceptOwnership'), '')?.data).toBe('0x79ba5097');
  expect(actionCall(action('addOsImageHash'), '')).toBeNull();
});
