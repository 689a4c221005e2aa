const isSecure = (public_url: string) => public_url.startsWith('https:');

/** `__Host-` pins the cookie to this host and to https (RFC 6265bis §4.1.3.2); it cannot be used over plain http. */
export const sessionCookieName = (public_url: string) =>
  isSecure(public_url) ? '__Host-teehouse_session' : 'teehouse_session';

export const SESSION_SECONDS = 14 * 24 * 3600;

/** The Set-Cookie value of a session; `token: null` removes it. */
export function sessionCookie(public_url: string, token: string | null): string {
  const parts = [
    `${sessionCookieName(public_url)}=${token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${token === null ? 0 : SESSION_SECONDS}`,
  ];
  if (isSecure(public_url)) parts.push('Secure');
  return parts.join('; ');
}
