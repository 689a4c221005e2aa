// Checks of addresses and passwords before they are sent.

/** The limits of `RegisterUser` and `CreateSession` in the API document. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 200;
export const EMAIL_MAX = 254;

/** Returns why an email address is invalid, judging by syntax only. */
export function emailFault(email: string): string | undefined {
  const text = email.trim();
  if (text === '') return 'Enter your email address.';
  if (text.length > EMAIL_MAX || !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text))
    return 'Enter a valid email address, such as name@example.com.';
  return undefined;
}

/** Requires only length, the one rule that makes passwords stronger (NIST SP 800-63B §5.1.1.2). */
export function newPasswordFault(password: string): string | undefined {
  // Counted in UTF-16 units, like on the server.
  if (password.length < PASSWORD_MIN) {
    const missing = PASSWORD_MIN - password.length;
    return password === ''
      ? `Choose a password of at least ${PASSWORD_MIN} characters.`
      : `${missing} more ${missing === 1 ? 'character' : 'characters'} needed.`;
  }
  if (password.length > PASSWORD_MAX) return `At most ${PASSWORD_MAX} characters.`;
  return undefined;
}
