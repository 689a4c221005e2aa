import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, expect, it, vi } from 'vitest';
import { chainNamed, type ChainDefinition } from '../../lib/kms/chains';
import { FeeRefused, FeeUnknown } from '../../lib/wallets/fee';
import { subscribeWallets } from './discovery';
import { FeeText } from './FeeLine';
import { failureTitle, SendWithWallet } from './SendWithWallet';

const BASE = chainNamed('base') as ChainDefinition;
const TRANSACTION = { to: `0x${'a1'.repeat(20)}`, data: '0x79ba5097' } as const;

const shown = (node: ReactNode) => renderToStaticMarkup(node).replace(/<style.*?<\/style>/gs, '');
const send = (sent?: string) =>
  shown(<SendWithWallet transaction={TRANSACTION} chain={BASE} sent={sent} onDone={() => undefined} />);

afterAll(() => vi.unstubAllGlobals());

it('offers other ways if there is no wallet, and shows the fee', () => {
  expect(send()).toContain('No wallet was found in this browser.');
  expect(send()).toContain('Network fee:');
});

it('makes the first wallet the primary action', () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  subscribeWallets(() => undefined);
  for (const name of ['Tea wallet', 'Other wallet']) {
    const detail = { info: { uuid: name, name, icon: '' }, provider: { request: async () => null } };
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  }
  const buttons = [...send().matchAll(/data-variant="(\w+)".*?>((?:Send|Wait) with [^<]+)</g)];
  expect(buttons.map(([, variant, label]) => [variant, label])).toEqual([
    ['contained', 'Send with Tea wallet'],
    ['outlined', 'Send with Other wallet'],
  ]);
  // Its fee has already been paid.
  expect(send(`0x${'9'.repeat(64)}`)).not.toContain('Network fee:');
});

it('shows a transaction’s fee, or why it is unknown', () => {
  expect(shown(<FeeText chain={BASE} fee={null} />)).toContain('estimating');
  expect(shown(<FeeText chain={BASE} fee={{ gas: 253_244n, price: 1_000_000_000n }} />)).toContain(
    'Network fee: about 0.000254 ETH (253,244 gas at 1 gwei).',
  );
  const reason = 'It can’t be estimated without a wallet in this browser.';
  expect(shown(<FeeText chain={BASE} fee={new FeeUnknown(reason)} />)).toContain(
    `Network fee: unknown. ${reason} Your wallet shows it before you confirm.`,
  );
  // A server's raw error doesn't belong here.
  expect(shown(<FeeText chain={BASE} fee={new Error('ERR')} />)).toContain(
    'Network fee: unknown. Your wallet shows it before you confirm.',
  );
});

it('shows the contract’s refusal once, and no fee', () => {
  const text = shown(<FeeText chain={BASE} fee={new FeeRefused('The contract refuses it: not yours.')} />);
  expect(text).toContain('The contract refuses it: not yours.');
  expect(text).not.toMatch(/Network fee|Your wallet shows/);
});

it('says that a transaction was made if it failed on the chain', () => {
  const title = (
    kind: 'reverted' | 'rejected' | 'replaced' | 'unclear',
    hash: string | null,
    isWaiting = false,
  ) => failureTitle({ error: { kind }, hash }, isWaiting);
  expect(title('rejected', null)).toBe('The transaction wasn’t sent');
  expect(title('reverted', null)).toBe('The transaction wasn’t sent');
  expect(title('unclear', null), 'the wallet returned no hash').toBe('The transaction may have been sent');
  expect(title('reverted', '0x9')).toBe('The transaction failed');
  expect(title('replaced', '0x9')).toBe('The transaction was replaced');
  expect(title('rejected', null, true)).toBe('The transaction isn’t confirmed yet');
});
