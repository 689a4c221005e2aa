import { visibleText } from '../public/visibleText';

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
/** Characters of a name. */
const MAX_NAME = 60;

/** Returns the wallet in an announcement (EIP-6963), or null if it is malformed: any script on the page can send one. */
export function announcedWallet(detail: unknown): Wallet | null {
  try {
    return walletIn(detail);
  } catch {
    // A getter of it fails.
    return null;
  }
}

function walletIn(detail: unknown): Wallet | null {
  if (typeof detail !== 'object' || detail === null || !('info' in detail) || !('provider' in detail))
    return null;
  const { info, provider } = detail;
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return null;
  const { uuid, name, icon } = info as Record<string, unknown>;
  if (typeof uuid !== 'string' || typeof name !== 'string') return null;
  const shown = shownName(name);
  if (shown === '') return null;
  const isImage = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= MAX_ICON;
  return { uuid, name: shown, icon: isImage ? icon : null, provider };
}

/** Without characters that hide or reorder what is around them, and cut between two. */
const shownName = (name: string): string =>
  [...visibleText(name.slice(0, 1_000)).replaceAll('\ufffd', '').replaceAll(/\s+/g, ' ').trim()]
    .slice(0, MAX_NAME)
    .join('')
    .trim();

const isProvider = (value: unknown): value is WalletProvider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';
