import { expect, it } from 'vitest';
import { ApiError } from '../../../../api/apiError';
import { nameContract, ownerIn } from './naming';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const FOUND = {
  app_id: 'ab'.repeat(20),
  owner: `0x${'f2'.repeat(20)}`,
  deployer_address: `0x${'f1'.repeat(20)}`,
};

it('accepts an address or a transaction once the server has checked it', async () => {
  const asked: string[] = [];
  const check = async (contract: string) => (asked.push(contract), FOUND);
  const { app_id, deployer_address } = FOUND;
  for (const text of [ADDRESS, `0x${'9'.repeat(64)}`])
    expect(await nameContract(text, check)).toEqual({ app: { app_id, deployer_address } });
  expect(asked).toHaveLength(2);
});

it('sends no request for any other text', async () => {
  const check = () => Promise.reject(new Error('asked'));
  for (const text of ['', '0x12', 'ab'.repeat(20), `0x${'g'.repeat(40)}`, `${ADDRESS} `])
    expect(await nameContract(text, check)).toEqual({ fault: expect.stringContaining('40 hex digits') });
});

it('rejects what the chain doesn’t confirm, and says what to do', async () => {
  const none = new ApiError({
    status: 467,
    message: `There is no contract at ${ADDRESS} on chain 8453 yet.`,
    suggestions: ['Check the address.', { label: 'Docs', href: '/docs' }],
  });
  expect(await nameContract(ADDRESS, () => Promise.reject(none))).toEqual({
    fault: `There is no contract at ${ADDRESS} on chain 8453 yet. Check the address.`,
  });
});

it('rejects a contract without an owner', async () => {
  const orphan = { ...FOUND, owner: null, deployer_address: null };
  expect(await nameContract(ADDRESS, async () => orphan)).toHaveProperty('fault');
});

it('accepts an owner only with a correct checksum', () => {
  // EIP-55's own example.
  const owner = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (const text of [owner, owner.toLowerCase()])
    expect(ownerIn(text)).toEqual({ owner: text, fault: undefined });
  expect(ownerIn('')).toEqual({ owner: null, fault: undefined });
  for (const [text, why] of [
    [owner.replace('5aA', '5aB'), /checksum/],
    [`0x${'0'.repeat(40)}`, /zero address/],
    [owner.slice(0, -1), /39 hex digits instead of 40/],
  ] as const)
    expect(ownerIn(text)).toEqual({ owner: null, fault: expect.stringMatching(why) as string });
});
