import { visibleText } from '../public/visibleText';

/** A wallet's interface for pages (EIP-1193). */
export interface WalletProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

export interface Wallet {
  /** Identifies the announcement, not the wallet: it differs on each page load. */
  uuid: string;
  name: string;
  /** An image as a data URL, shown with `<img>` so that it is never executed; null for anything else. */
  icon: string | null;
  provider: WalletProvider;
}

const MAX_ICON = 100_000;
/** Maximum characters of a name. */
const MAX_NAME = 60;

/** Returns the wallet in an announcement (EIP-6963), or null if malformed: any script on the page can send one. */
export function announcedWallet(detail: unknown): Wallet | null {
  try {
    return walletIn(detail);
  } catch {
    // One of its getters throws.
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

/** Removes characters that hide or reorder text, and truncates between characters. */
const shownName = (name: string): string =>
  [...visibleText(name.slice(0, 1_000)).replaceAll('\ufffd', '').replaceAll(/\s+/g, ' ').trim()]
    .slice(0, MAX_NAME)
    .join('')
    .trim();

const isProvider = (value: unknown): value is WalletProvider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function';
