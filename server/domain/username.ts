const LONGEST = 100;

/** What a person is called: the name they gave, else what stands before the @ of their address. */
export function usernameFor(email: string, name?: string): string {
  const given = tidy(name ?? '');
  return given || tidy(email.split('@')[0] ?? '') || 'user';
}

/** Control and direction characters could make a name pass for another one in a list. */
const tidy = (text: string) =>
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
