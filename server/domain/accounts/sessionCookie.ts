const isSecure = (public_url: string) => public_url.startsWith('https:');

/** `__Host-` pins the cookie to this host and to https (RFC 6265bis §4.1.3.2); it can't be used over plain http. */
export const hostCookieName = (public_url: string, name: string) =>
  isSecure(public_url) ? `__Host-${name}` : name;

/** A Set-Cookie value that scripts can't read; `value: null` removes the cookie. */
export function hostCookie(
  public_url: string,
  name: string,
  { value, seconds }: { value: string | null; seconds: number },
): string {
  const parts = [
    `${hostCookieName(public_url, name)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === null ? 0 : seconds}`,
  ];
  if (isSecure(public_url)) parts.push('Secure');
  return parts.join('; ');
}

export const SESSION_SECONDS = 14 * 24 * 3600;

const SESSION = 'teehouse_session';
export const sessionCookieName = (public_url: string) => hostCookieName(public_url, SESSION);
/** The Set-Cookie value of a session; `token: null` removes it. */
export const sessionCookie = (public_url: string, token: string | null): string =>
  hostCookie(public_url, SESSION, { value: token, seconds: SESSION_SECONDS });

/** How long a sign-in waits for its second factor, in seconds. */
export const PENDING_SIGN_IN_SECONDS = 10 * 60;

const PENDING = 'teehouse_sign_in';
export const pendingCookieName = (public_url: string) => hostCookieName(public_url, PENDING);
/** The Set-Cookie value of a sign-in waiting for its second factor; `token: null` removes it. */
export const pendingCookie = (public_url: string, token: string | null): string =>
  hostCookie(public_url, PENDING, { value: token, seconds: PENDING_SIGN_IN_SECONDS });
