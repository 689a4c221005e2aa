import { expect, it } from 'vitest';
import { actionCall, confirmationOf, contractActions, type ContractState } from './contractActions';

const PENDING = `0x${'9'.repeat(40)}`;
const STATE: ContractState = {
  code_present: true,
  owner: `0x${'8'.repeat(40)}`,
  pending_owner: PENDING,
  app_count: 12,
};

const action = (name: string, state = STATE) => {
  const found = contractActions(state).find((one) => one.name === name);
  if (!found) throw new Error(`There is no action ${name}`);
  return found;
};
const fault = (name: string, value: string) => action(name).input?.fault(value) ?? null;

// EIP-55's own example, including its checksum.
const OWNER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it('rejects a zero or mistyped address as the new owner', () => {
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

it('accepts only complete hashes, and a gateway’s app ID or any', () => {
  expect(fault('addOsImageHash', 'ab'.repeat(32))).toBeNull();
  expect(fault('addOsImageHash', `0x${'AB'.repeat(32)}`)).toBeNull();
  expect(fault('addOsImageHash', 'ab'.repeat(31))).toMatch(/62 hex digits instead of 64/);
  for (const value of ['any', 'cd'.repeat(20)]) expect(fault('setGatewayAppId', value)).toBeNull();
  for (const value of ['ANY', `0x${'cd'.repeat(20)}`]) expect(fault('setGatewayAppId', value)).not.toBeNull();
  // The error adds to the help text.
  expect(fault('setGatewayAppId', 'cd')).toMatch(/2 hex digits instead of 40/);
});

it('offers an acceptance only to the pending owner', () => {
  const names = (pending_owner: string) =>
    contractActions({ ...STATE, pending_owner }).map(({ name }) => name);
  expect(names('')).not.toContain('acceptOwnership');
  expect(names('')).not.toContain('withdrawTransfer');
  expect(names('')).toContain('transferOwnership');
  const accept = action('acceptOwnership');
  expect(accept.sender?.account).toBe(PENDING);
  expect(accept.effect).toContain(PENDING);
});

it('lets the owner withdraw a pending transfer, which no entered address does', () => {
  const withdraw = action('withdrawTransfer');
  expect(withdraw.effect).toContain(PENDING);
  expect(withdraw.sender).toBeUndefined();
  expect(actionCall(withdraw, '')).toMatchObject({
    name: 'transferOwnership',
    data: `0xf2fde38b${'0'.repeat(64)}`,
  });
});

it('offers nothing that nobody can do, and no transfer to the current owner', () => {
  const nobody = { ...STATE, owner: `0x${'0'.repeat(40)}`, pending_owner: '' };
  expect(contractActions(nobody)).toEqual([]);
  expect(fault('transferOwnership', STATE.owner.toUpperCase().replace('0X', '0x'))).toMatch(
    /already the owner/,
  );
});

it('requires typing for changes that affect every app, and shows how many', () => {
  const gateway = action('setGatewayAppId');
  expect(confirmationOf(gateway, 'any')).toMatchObject({
    effect: expect.stringContaining('the 12 registered apps') as string,
    typed: 'any gateway',
  });
  expect(confirmationOf(gateway, 'cd'.repeat(20)).typed).toBeUndefined();
  for (const name of ['removeOsImageHash', 'setAppImplementation'])
    expect(confirmationOf(action(name), '').typed).toBeDefined();
  expect(action('setAppImplementation', { ...STATE, app_count: null }).effect).toContain(
    'all apps registered',
  );
});

it('needs no value for an action without one', () => {
  expect(actionCall(action('acceptOwnership'), '')?.data).toBe('0x79ba5097');
  expect(actionCall(action('addOsImageHash'), '')).toBeNull();
});

it('offers no transaction to an address without a contract', () => {
  const gone = { ...STATE, owner: '', pending_owner: '' };
  expect(contractActions({ ...gone, code_present: false })).toEqual([]);
  // Not read yet.
  expect(contractActions({ ...gone, code_present: null })).not.toEqual([]);
});
