const LONGEST = 100;

/** What a person is called: the name they gave, else what stands before the @ of their address. */
export function usernameFor(email: string, name?: string): string {
  const given = tidyName(name ?? '');
  return given || tidyName(email.split('@')[0] ?? '') || 'user';
}

/** Control and direction characters could make a name pass for another one in a list. */
export const tidyName = (text: string) =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, LONGEST)
    .join('')
    .trim();

/** One spelling of an address: accounts are found by it. */
export const normalEmail = (email: string) => email.trim().toLowerCase();
