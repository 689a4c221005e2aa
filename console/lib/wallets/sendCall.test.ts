import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../kms/chains';
import { announcedWallet, type WalletProvider } from './provider';
import { followCall, sendCall, type Stage } from './sendCall';
import type { WalletError } from './walletError';

const BASE = CHAINS.find(({ slug }) => slug === 'base') as (typeof CHAINS)[number];
const FROM = `0x${'f1'.repeat(20)}`;
const OTHER = `0x${'f2'.repeat(20)}`;
const TRANSACTION = { to: `0x${'a1'.repeat(20)}`, data: '0x79ba5097' } as const;
const HASH = `0x${'9'.repeat(64)}`;
const fails =
  (code: number, message = '', data?: unknown) =>
  () => {
    throw Object.assign(new Error(message), { code, data });
  };

type Answers = Record<string, (params: readonly unknown[]) => unknown>;

/** A funded wallet on Base whose answers can be overridden. */
function answering(own: Answers = {}) {
  const asked: string[] = [];
  const answers: Answers = {
    eth_requestAccounts: () => [FROM],
    eth_chainId: () => '0x2105',
    eth_call: () => '0x',
    eth_estimateGas: () => '0xc350',
    eth_gasPrice: () => '0x3b9aca00',
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_sendTransaction: () => HASH,
    eth_getTransactionReceipt: () => ({ status: '0x1' }),
    eth_getTransactionByHash: () => ({ nonce: '0x7' }),
    eth_getTransactionCount: () => '0x7',
    ...own,
  };
  const provider: WalletProvider = {
    request: async ({ method, params = [] }) => {
      asked.push(method);
      return answers[method]?.(params);
    },
  };
  return { provider, asked };
}

/** The same wallet, ready to send a transaction. */
function wallet(own: Answers = {}) {
  const { provider, asked } = answering(own);
  const stages: Stage[] = [];
  const sent = sendCall(provider, TRANSACTION, {
    chain: BASE,
    onStage: (stage) => stages.push(stage),
    signal: new AbortController().signal,
    pollMs: 1,
    slowMs: 50,
  });
  const failure = () =>
    sent.then(
      () => null,
      (error: WalletError) => ({ kind: error.kind, message: error.message, advice: error.advice }),
    );
  return { sent, failure, asked, stages };
}

describe('sending a change through a wallet', () => {
  it('tries the call first and waits for its block', async () => {
    let looks = 0;
    const { sent, stages, asked } = wallet({
      eth_getTransactionReceipt: () => (looks++ === 0 ? null : { status: '0x1' }),
    });
    expect(await sent).toMatchObject({ hash: HASH });
    expect(stages).toEqual(['connect', 'network', 'check', 'confirm', 'mining']);
    expect(asked.indexOf('eth_call')).toBeLessThan(asked.indexOf('eth_sendTransaction'));
  });

  it('sends nothing to an address without a contract', async () => {
    const { failure, asked } = wallet({ eth_getCode: () => '0x' });
    expect(await failure()).toMatchObject({
      message: expect.stringContaining('There is no contract at') as string,
      advice: expect.stringContaining('Nothing was sent.') as string,
    });
    expect(asked).not.toContain('eth_sendTransaction');
    // The next check fails if the wallet can't reach its network at all.
    const unknown = wallet({ eth_getCode: fails(-32601, 'not supported') });
    expect(await unknown.sent).toMatchObject({ hash: HASH });
  });

  it('names the chain, so that a wallet that has left it refuses', async () => {
    let asked: unknown;
    const { sent } = wallet({ eth_sendTransaction: ([call]) => ((asked = call), HASH) });
    await sent;
    expect(asked).toEqual({ from: FROM, ...TRANSACTION, value: '0x0', chainId: '0x2105' });
  });

  it('signs data that depends on the account, and returns the logs', async () => {
    const logs = [{ address: TRANSACTION.to }];
    let asked: unknown;
    const { provider } = answering({
      eth_sendTransaction: ([call]) => ((asked = call), HASH),
      eth_getTransactionReceipt: () => ({ status: '0x1', logs }),
    });
    const hashes: string[] = [];
    const made = await sendCall(
      provider,
      { to: TRANSACTION.to, data: (from) => `0x${from.slice(2)}` },
      {
        chain: BASE,
        onStage: () => undefined,
        onSent: (hash) => hashes.push(hash),
        signal: new AbortController().signal,
      },
    );
    expect(asked).toMatchObject({ data: FROM });
    expect(made).toEqual({ hash: HASH, logs });
    expect(hashes).toEqual([HASH]);
  });

  it.each(['<script>alert(1)</script>', '0x12', `${HASH}00`, '', null, { hash: HASH }])(
    'takes %j for no transaction hash',
    async (answer) => {
      const { failure, stages } = wallet({ eth_sendTransaction: () => answer });
      expect(await failure()).toMatchObject({
        kind: 'unclear',
        message: 'Your wallet returned no transaction hash.',
      });
      expect(stages).not.toContain('mining');
    },
  );

  it('waits for an earlier visit’s transaction without sending another', async () => {
    let looks = 0;
    const { provider, asked } = answering({
      // Another account is connected now, and it has sent many since.
      eth_getTransactionByHash: () => ({ nonce: '0x7', from: OTHER }),
      eth_getTransactionCount: ([account]) => (account === OTHER ? '0x7' : '0x63'),
      eth_getTransactionReceipt: () => (looks++ === 0 ? null : { status: '0x1', logs: [] }),
    });
    const made = await followCall(provider, HASH, {
      chain: BASE,
      onStage: () => undefined,
      signal: new AbortController().signal,
      pollMs: 1,
    });
    expect(made).toEqual({ hash: HASH, logs: [] });
    expect(asked).not.toContain('eth_sendTransaction');
  });

  it('says that an earlier visit’s transaction may still be mined, whatever the wallet does', async () => {
    const follow = (own: Answers) =>
      followCall(answering(own).provider, HASH, {
        chain: BASE,
        onStage: () => undefined,
        signal: new AbortController().signal,
        pollMs: 1,
      }).then(
        () => null,
        (error: WalletError) => ({ kind: error.kind, advice: error.advice }),
      );
    const stays = expect.stringMatching(/^The transaction was already sent and may still/) as string;
    for (const [own, kind] of <[Answers, string][]>[
      [{ eth_requestAccounts: fails(4001) }, 'rejected'],
      [{ eth_chainId: () => '0x1', wallet_switchEthereumChain: fails(4001) }, 'wrong_network'],
      [{ eth_chainId: () => '0x1' }, 'wrong_network'],
      [{ eth_getTransactionReceipt: fails(4900) }, 'disconnected'],
      // Not the contract's statement about this transaction.
      [{ eth_getTransactionReceipt: fails(-32603, 'the request was reverted') }, 'failed'],
    ])
      expect(await follow(own)).toEqual({ kind, advice: stays });
  });

  it.each([
    ['before the next look', 'eth_getTransactionReceipt'],
    ['while it looks for a replacement', 'eth_getTransactionCount'],
  ])('never treats a transaction as replaced if the wallet left the network %s', async (_when, last) => {
    let chain = '0x2105';
    /** The wallet switches networks after its first answer of the last kind. */
    const then = (method: string, answer: unknown) => () => {
      if (method === last) chain = '0x1';
      return answer;
    };
    const canceled = { from: FROM, nonce: '0x7', hash: `0x${'8'.repeat(64)}`, to: FROM, input: '0x' };
    const { failure } = wallet({
      eth_chainId: () => chain,
      eth_blockNumber: () => '0x64',
      eth_getTransactionReceipt: then('eth_getTransactionReceipt', null),
      eth_getTransactionByHash: () => (chain === '0x2105' ? { nonce: '0x7' } : null),
      // The account has sent more on the other network.
      eth_getTransactionCount: then('eth_getTransactionCount', '0x63'),
      eth_getBlockByNumber: () => ({ transactions: [{ ...canceled, value: '0x0' }] }),
    });
    const failed = await failure();
    expect(failed?.kind).toBe('wrong_network');
    expect(failed?.message).toContain('no longer on Base');
    expect(failed?.advice).toContain('may still be confirmed');
  });

  it('switches to the network, adding it if the wallet doesn’t know it', async () => {
    let chain = '0x1';
    let added: unknown;
    const { sent, asked } = wallet({
      eth_chainId: () => chain,
      wallet_switchEthereumChain: () => (added ? (chain = '0x2105') : fails(4902)()),
      wallet_addEthereumChain: ([one]) => (added = one),
    });
    await sent;
    expect(added).toMatchObject({ chainId: '0x2105', chainName: 'Base', nativeCurrency: { symbol: 'ETH' } });
    expect(asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(2);
  });

  it.each<[string, Answers, string, RegExp]>([
    ['no account', { eth_requestAccounts: () => [] }, 'no_account', /no account/],
    ['rejected connection', { eth_requestAccounts: fails(4001) }, 'rejected', /rejected/],
    ['open request', { eth_requestAccounts: fails(-32002) }, 'pending', /already/],
    [
      'refused switch',
      { eth_chainId: () => '0x1', wallet_switchEthereumChain: fails(4001) },
      'wrong_network',
      /declined the switch.*still isn’t on Base/,
    ],
    [
      'refused addition of the network',
      {
        eth_chainId: () => '0x1',
        wallet_switchEthereumChain: fails(4902),
        wallet_addEthereumChain: fails(4001),
      },
      'wrong_network',
      /still isn’t on Base/,
    ],
    ['ignored switch', { eth_chainId: () => '0x1' }, 'wrong_network', /wallet isn’t on Base/],
    ['dropped connection', { eth_call: fails(4900) }, 'disconnected', /isn’t connected/],
    ['rejected transaction', { eth_sendTransaction: fails(4001) }, 'rejected', /rejected/],
    ['empty account', { eth_getBalance: () => '0x0' }, 'insufficient_funds', /lacks 0\.00005 ETH/],
    [
      'failed transaction',
      { eth_getTransactionReceipt: () => ({ status: '0x0' }) },
      'reverted',
      /nothing changed/,
    ],
    ['stuck transaction', { eth_getTransactionReceipt: () => null }, 'slow', /isn’t in a block yet/],
    ['odd error', { eth_sendTransaction: fails(-32603, 'nonce too low') }, 'failed', /nonce too low/],
  ])('explains a %s', async (_name, own, kind, message) => {
    const failure = await wallet(own).failure();
    expect(failure?.kind).toBe(kind);
    expect(failure?.message).toMatch(message);
    expect(failure?.advice).toMatch(/\w/);
  });

  it('names the network to choose after a declined switch', async () => {
    const { failure, asked } = wallet({
      eth_chainId: () => '0x1',
      wallet_switchEthereumChain: fails(4001),
    });
    expect((await failure())?.advice).toBe(
      'Nothing was sent. Choose Base (chain 8453) in the wallet, or try again and approve the switch.',
    );
    expect(asked).not.toContain('eth_sendTransaction');
  });

  it('sends nothing that the contract refuses, and gives the reason', async () => {
    const data = encodeErrorResult({
      abi: parseAbi(['error OwnableUnauthorizedAccount(address account)']),
      args: [FROM as `0x${string}`],
    });
    const owner = wallet({ eth_call: fails(3, 'execution reverted', data) });
    expect(await owner.failure()).toMatchObject({
      kind: 'reverted',
      message: expect.stringContaining(`${FROM} isn’t authorized`) as string,
    });
    expect(owner.asked).not.toContain('eth_sendTransaction');
    const text = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      args: ['Upgrades are permanently disabled'],
    });
    const nested = wallet({
      eth_call: fails(-32603, 'Internal error', { originalError: { code: 3, data: text } }),
    });
    expect((await nested.failure())?.message).toContain('Upgrades are permanently disabled');
  });

  describe('whose nonce another transaction used', () => {
    const FASTER = `0x${'8'.repeat(64)}`;
    /** In block 0x65, whose contents the wallet's network reports. */
    function taken(other: object | null, own: Answers = {}) {
      let known = true;
      return wallet({
        eth_blockNumber: () => (known ? '0x64' : '0x70'),
        eth_getTransactionReceipt: ([hash]) => (hash === FASTER ? { status: '0x1', logs: [] } : null),
        eth_getTransactionByHash: () => (known ? { nonce: '0x7' } : null),
        eth_getTransactionCount: ([, block]) => {
          if (block !== 'latest') return Number(block) >= 0x65 ? '0x9' : '0x7';
          known = false;
          return '0x9';
        },
        eth_getBlockByNumber: ([block]) => ({
          transactions:
            block === '0x65'
              ? [
                  { from: OTHER, nonce: '0x7', hash: `0x${'7'.repeat(64)}` },
                  { from: FROM.toUpperCase().replace('X', 'x'), nonce: '0x7', hash: FASTER, ...other },
                ]
              : [],
        }),
        ...own,
      });
    }
    const same = {
      to: TRANSACTION.to.toUpperCase().replace('X', 'x'),
      input: TRANSACTION.data,
      value: '0x0',
    };

    it('is the same transaction if its user sped it up', async () => {
      const { sent, stages } = taken(same);
      expect(await sent).toEqual({ hash: FASTER, logs: [] });
      expect(stages.slice(-2)).toEqual(['mining', 'mining']);
    });

    it('counts as not made if its user canceled it, or sent something else', async () => {
      const canceled = await taken({ to: FROM, input: '0x', value: '0x0' }).failure();
      expect(canceled).toMatchObject({
        kind: 'replaced',
        message: 'The transaction was canceled in your wallet.',
      });
      for (const other of [{ to: OTHER }, { input: '0x01' }, { value: '0x1' }])
        expect(await taken({ ...same, ...other }).failure()).toMatchObject({ kind: 'replaced' });
    });

    it('isn’t reported as over if its replacement is unknown', async () => {
      for (const own of <Answers[]>[
        { eth_getBlockByNumber: () => null },
        { eth_getBlockByNumber: fails(-32601, 'not supported') },
        { eth_blockNumber: () => null },
      ]) {
        const failure = await taken(same, own).failure();
        expect(failure).toMatchObject({ kind: 'unclear' });
        expect(failure?.advice).toContain('before you send anything again');
      }
    });
  });
});

it('accepts wallet announcements, and only images as their icons', () => {
  const provider = { request: async () => null };
  const info = { uuid: 'a', name: 'Tea wallet', icon: 'data:image/png;base64,AA' };
  expect(announcedWallet({ info, provider })).toMatchObject({ name: 'Tea wallet', icon: info.icon });
  expect(announcedWallet({ info: { ...info, icon: 'javascript:alert(1)' }, provider })?.icon).toBeNull();
  expect(announcedWallet({ info: { ...info, name: ' ' }, provider })).toBeNull();
  expect(announcedWallet({ info, provider: {} })).toBeNull();
  expect(announcedWallet(null)).toBeNull();
});

it('shows wallet names without characters that hide or reorder text, and truncated between characters', () => {
  const nameOf = (name: string) =>
    announcedWallet({ info: { uuid: 'one', name, icon: '' }, provider: { request: () => null } })?.name;
  expect(nameOf(' Tea\u202e\u0000\u200b\n wallet ')).toBe('Tea wallet');
  expect(nameOf(`${'a'.repeat(59)}🍵🍵`)).toBe(`${'a'.repeat(59)}🍵`);
  expect(nameOf('half \ud83c')).toBe('half');
  expect(nameOf('\u202e\u200b')).toBeUndefined();
});

it('ignores an announcement whose properties throw', () => {
  const info = {
    uuid: 'one',
    icon: '',
    get name(): string {
      throw new Error('no name');
    },
  };
  expect(announcedWallet({ info, provider: { request: () => null } })).toBeNull();
});
