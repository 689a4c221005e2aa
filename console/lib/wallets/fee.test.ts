import { expect, it } from 'vitest';
import { chainNamed, type ChainDefinition } from '../kms/chains';
import { estimateWithWallet, feeText, formatAmount } from './fee';
import type { WalletProvider } from './provider';

const BASE = chainNamed('base') as ChainDefinition;
const TRANSACTION = { to: `0x${'a1'.repeat(20)}`, data: '0x79ba5097' } as const;
const FROM = `0x${'f1'.repeat(20)}`;

type Answers = Record<string, (params: readonly unknown[]) => unknown>;

const fails =
  (code: number, message = '', data?: unknown) =>
  () => {
    throw Object.assign(new Error(message), { code, data });
  };

function estimate(own: Answers = {}) {
  const asked: { method: string; params: readonly unknown[] }[] = [];
  const answers: Answers = {
    eth_chainId: () => '0x2105',
    eth_accounts: () => [FROM],
    eth_estimateGas: () => '0x3dd3c',
    eth_gasPrice: () => '0x3b9aca00',
    ...own,
  };
  const provider: WalletProvider = {
    request: async ({ method, params = [] }) => {
      asked.push({ method, params });
      return answers[method]?.(params);
    },
  };
  return { fee: estimateWithWallet(provider, BASE, TRANSACTION), asked };
}

it('is the estimated gas times the gas price, for the wallet’s shared account', async () => {
  const { fee, asked } = estimate();
  expect(feeText(await fee, BASE)).toBe('about 0.000254 ETH (253,244 gas at 1 gwei)');
  expect(asked.find(({ method }) => method === 'eth_estimateGas')?.params[0]).toEqual({
    ...TRANSACTION,
    value: '0x0',
    from: FROM,
  });
});

it('is estimated without opening the wallet', async () => {
  const { fee, asked } = estimate({ eth_accounts: () => [] });
  await fee;
  expect(asked.map(({ method }) => method)).not.toContain('eth_requestAccounts');
  expect(asked.find(({ method }) => method === 'eth_estimateGas')?.params[0]).not.toHaveProperty('from');
});

it.each<[string, Answers, RegExp]>([
  ['the wallet is elsewhere', { eth_chainId: () => '0x1' }, /isn’t on Base/],
  ['the wallet fails', { eth_gasPrice: fails(-32603, 'boom') }, /no estimate/],
  ['the wallet answers nonsense', { eth_estimateGas: () => null }, /no estimate/],
])('is unknown if %s', async (_name, own, reason) => {
  await expect(estimate(own).fee).rejects.toMatchObject({
    name: 'FeeUnknown',
    message: expect.stringMatching(reason) as string,
  });
});

it('is refused if the contract rejects the transaction', async () => {
  await expect(estimate({ eth_estimateGas: fails(3, 'execution reverted') }).fee).rejects.toMatchObject({
    name: 'FeeRefused',
    message: expect.stringMatching(/contract refuses it/) as string,
  });
});

it('rounds amounts up', () => {
  expect(formatAmount(1n, 18)).toBe('0.000001');
  expect(formatAmount(2n * 10n ** 18n, 18)).toBe('2');
});
