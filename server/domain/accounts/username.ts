import { replaceHidden } from '../../../console/lib/texts/hiddenCharacters';

const MAX_LENGTH = 100;

/** Returns a user's display name: the given name, otherwise the local part of their address. */
export function usernameFor(email: string, name?: string): string {
  const given = tidyName(name ?? '');
  return given || tidyName(email.split('@')[0] ?? '') || 'user';
}

/** Control and direction characters could make a name look like another one in a list. */
export const tidyName = (text: string) =>
  [...replaceHidden(text.normalize('NFC'), ' ').replace(/\s+/g, ' ').trim()]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/[\s\u200d]+$/, '');

/** Normalizes an address; accounts are looked up by this form. */
export const normalEmail = (email: string) => email.trim().toLowerCase();
