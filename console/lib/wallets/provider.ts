/** What a wallet offers to pages (EIP-1193). */
export interface WalletProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

export interface Wallet {
  /** Of this announcement, not of the wallet: it differs after each load of the page. */
  uuid: string;
  name: string;
  /** An image as a data URL, shown with `<img>` so that it is never executed; null if it is anything else. */
  icon: string | null;
  provider: WalletProvider;
}

const MAX_ICON = 100_000;

/** Returns the wallet in an announcement (EIP-6963), or null if it is malformed: any script on the page can send one. */
export function announcedWallet(detail: unknown): Wallet | null {
  if (typeof detail !== 'object' || detail === null || !('info' in detail) || !('provider' in detail))
    return null;
  const { info, provider } = detail;
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return null;
  const { uuid, name, icon } = info as Record<string, unknown>;
  if (typeof uuid !== 'string' || typeof name !== 'string' || name.trim() === '') return null;
  const isImage = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= MAX_ICON;
  return { uuid, name: name.slice(0, 60), icon: isImage ? icon : null, provider };
}

const isProvider = (value: unknown): value is WalletProvider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';
