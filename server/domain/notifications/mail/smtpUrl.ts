export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps), instead of STARTTLS. */
  secure: boolean;
  /** STARTTLS: required, used when offered, or never used. */
  tls: 'required' | 'offered' | 'off';
  /** On this machine: no network in between, and the certificate is rarely valid for any name. */
  loopback: boolean;
  user?: string;
  password?: string;
}

/** Whether this server can send mail. Without it, mail is only kept for administrators to read. */
export const sendsMail = ({ smtpUrl }: { smtpUrl?: string | undefined }): boolean => smtpUrl !== undefined;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|.+\.localhost)$/;

/**
 * Parses `smtp://user:password@host:587`, `smtps://…`, and `?tls=off` for a server without encryption.
 * Otherwise a remote smtp server must offer STARTTLS: mail contains links that give access to accounts.
 * @throws TypeError
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = new URL(text);
  const tls = url.searchParams.get('tls');
  const secure = url.protocol === 'smtps:';
  const extra = [...url.searchParams.keys()].some((name) => name !== 'tls');
  if (
    (!secure && url.protocol !== 'smtp:') ||
    url.hostname === '' ||
    extra ||
    !(tls === null || tls === 'off') ||
    (secure && tls !== null)
  )
    throw new TypeError('not an address of a mail server');
  const loopback = LOOPBACK.test(url.hostname);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    tls: tls === 'off' ? 'off' : loopback ? 'offered' : 'required',
    loopback,
    ...(url.username === ''
      ? {}
      : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
  };
}
