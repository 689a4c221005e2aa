import { createWalletClient, http, type Hex, type PrivateKeyAccount } from 'viem';
import { foundry } from 'viem/chains';
import type { Page } from '../browser';

/** How the wallet's user behaves, and its signing key. */
export interface ScriptedWallet {
  account: PrivateKeyAccount;
  /** The current network; switching changes it. */
  chainId: number;
  /** Rejects the next transaction. */
  rejects: boolean;
  /** The user leaves the next transaction or message undecided until this resolves. */
  undecided?: Promise<void>;
  /** Declines the next network switch. */
  staysOnNetwork?: boolean;
  /** Makes the next transaction fail on the chain, although its dry run succeeded. */
  reverts?: boolean;
}

type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

/**
 * Gives a page a wallet that announces itself (EIP-6963), answers requests (EIP-1193) and signs with a real key;
 * everything else is forwarded to the chain. The key stays outside the page.
 */
export async function addScriptedWallet(page: Page, rpc_url: string, wallet: ScriptedWallet): Promise<void> {
  const refuse = (code: number, message: string): Answer => ({ error: { code, message } });
  const forward = async (method: string, params: unknown): Promise<Answer> => {
    const reply = await fetch(rpc_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await reply.json()) as Answer;
  };
  const answer = async (method: string, params: readonly unknown[]): Promise<Answer> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts')
      return { result: [wallet.account.address] };
    if (method === 'eth_chainId') return { result: `0x${wallet.chainId.toString(16)}` };
    if (method === 'wallet_switchEthereumChain') {
      const { staysOnNetwork } = wallet;
      wallet.staysOnNetwork = false;
      if (staysOnNetwork) return refuse(4001, 'User rejected the request.');
      wallet.chainId = Number((params[0] as { chainId: string }).chainId);
      return { result: null };
    }
    if (method !== 'eth_sendTransaction' && method !== 'personal_sign') return forward(method, params);
    await wallet.undecided;
    if (wallet.rejects) {
      wallet.rejects = false;
      return refuse(4001, 'User rejected the request.');
    }
    if (method === 'personal_sign')
      return { result: await wallet.account.signMessage({ message: { raw: params[0] as Hex } }) };
    const { to, data } = params[0] as { to: Hex; data: Hex };
    const { reverts } = wallet;
    wallet.reverts = false;
    const signer = createWalletClient({ account: wallet.account, chain: foundry, transport: http(rpc_url) });
    // No contract has this function.
    const sent = reverts ? { to, data: '0xdeadbeef' as const, gas: 100_000n } : { to, data };
    return { result: await signer.sendTransaction(sent) };
  };
  await page.exposeFunction('askScriptedWallet', answer);
  await page.addInitScript(() => {
    const ask = (
      window as unknown as { askScriptedWallet: (method: string, params: unknown) => Promise<Answer> }
    ).askScriptedWallet;
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown }) {
        const reply = await ask(method, params);
        if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error);
        return reply.result;
      },
    };
    const info = {
      uuid: '5f0c1a52-6d1f-4b7b-9b54-0d6a1b6a6f10',
      name: 'Scripted wallet',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      rdns: 'test.scripted',
    };
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  });
}
