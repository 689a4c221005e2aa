import type { Page } from '../browser';

/** Gives a page a wallet that announces itself (EIP-6963), signs nothing, and reports requested methods. */
export async function addOwnWallet(page: Page, note: (method: string) => void): Promise<void> {
  await page.exposeFunction('noteWalletRequest', note);
  await page.addInitScript(() => {
    const { noteWalletRequest } = window as unknown as { noteWalletRequest: typeof note };
    const provider = { request: ({ method }: { method: string }) => noteWalletRequest(method) };
    const detail = { info: { uuid: 'own', name: 'own wallet', icon: '' }, provider };
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    addEventListener('eip6963:requestProvider', announce);
    announce();
  });
}
