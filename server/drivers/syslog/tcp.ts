import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { OutboundPolicy } from '../../domain/core/outbound';
import { OutboundError } from '../net';
import { checkedAddresses, systemResolve, type Resolve } from '../net/checkedAddresses';
import type { SyslogDriver, SyslogServer } from './index';

/** @param resolve replaces the system's resolver in tests */
export function createSyslogDriver(policy: OutboundPolicy, resolve: Resolve = systemResolve): SyslogDriver {
  const { addressesOf, lookupFor } = checkedAddresses(policy, resolve);

  /** Connects; host names are looked up and checked on the way. */
  const connect = ({ host, port, tls }: SyslogServer): Socket => {
    const target = { host, port, lookup: lookupFor('https:') };
    if (!tls) return connectTcp(target);
    return connectTls({
      ...target,
      // An SNI name must not be an address.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(tls.ca === null ? {} : { ca: tls.ca }),
      ...tls.client,
      minVersion: 'TLSv1.2',
      // In TLS 1.3 a client finishes before the server has checked its certificate: data written by then is
      // lost, but looks as if it had been read, if the server closes without an alert. In TLS 1.2 the server's
      // decision ends the handshake.
      ...(tls.client ? { maxVersion: 'TLSv1.2' as const } : {}),
      rejectUnauthorized: true,
    });
  };

  return {
    async send(server, frames, { timeout_ms, signal }) {
      const where = `${isIP(server.host) === 6 ? `[${server.host}]` : server.host}:${server.port}`;
      signal?.throwIfAborted();
      // The socket doesn't look up addresses.
      if (isIP(server.host) !== 0) await addressesOf(server.host, 'https:');
      const socket = connect(server);
      const ready = server.tls ? 'secureConnect' : 'connect';
      try {
        await sent(socket, frames, { ready, where, timeout_ms, signal });
      } catch (error) {
        if (signal?.aborted) throw error;
        throw failure(error, where);
      } finally {
        socket.destroy();
      }
    },
  };
}

interface Sending {
  /** The event that confirms the server's identity. */
  ready: 'connect' | 'secureConnect';
  where: string;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

/** Writes everything, ends its side, and waits until the other side ends, too. */
function sent(
  socket: Socket,
  frames: Uint8Array,
  { ready, where, timeout_ms, signal }: Sending,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let [isReady, isWritten, isEnding, isEnded] = [false, false, false, false];
    const late = setTimeout(() => {
      const seconds = Math.ceil(timeout_ms / 1000);
      const what = !isReady
        ? `didn't respond within ${seconds} s`
        : isWritten
          ? `didn't close the connection within ${seconds} s after the last entry, so it may not have read them all`
          : `didn't read the entries within ${seconds} s`;
      fail(new OutboundError('timeout', `${where} ${what}.`));
    }, timeout_ms);
    const abort = () => fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const settle = () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
    };

    socket.on('error', fail);
    socket.once(ready, () => {
      isReady = true;
      socket.write(frames, (error) => {
        if (error) return;
        isWritten = true;
        socket.end();
        isEnding = true;
      });
    });
    // Nothing is expected back, and unread data would hide the end.
    socket.resume();
    socket.once('end', () => {
      if (isEnding) isEnded = true;
      else
        fail(
          new OutboundError(
            'unreachable',
            isReady
              ? `${where} closed the connection before it read every entry.`
              : `${where} closed the connection before it read anything. If it checks client certificates, it didn't accept this one.`,
          ),
        );
    });
    socket.once('close', () => {
      if (!isEnded) return fail(new OutboundError('unreachable', `${where} dropped the connection.`));
      settle();
      resolve();
    });
  });
}

function failure(error: unknown, where: string): OutboundError {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof OutboundError) return at;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new OutboundError('unreachable', `${where} isn't responding: ${reasonOf(code)}.`, { cause: error });
}

/** Alerts of a server that wants another client certificate. OpenSSL names them as in RFC 8446 §6. */
const REFUSED =
  /ALERT_(BAD|UNSUPPORTED|REVOKED|UNKNOWN)_CERTIFICATE|ALERT_CERTIFICATE_|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED/;

function reasonOf(code: string): string {
  if (/ALERT_CERTIFICATE_REQUIRED/.test(code)) return 'it requires a client certificate';
  if (REFUSED.test(code)) return "it doesn't accept the client certificate";
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (/ALERT_PROTOCOL_VERSION/.test(code)) return "it doesn't speak TLS 1.2";
  if (/ALERT_HANDSHAKE_FAILURE/.test(code))
    return 'it refused the handshake, as servers that require a client certificate do';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return "it doesn't speak TLS";
  if (/CERT|TLS|SIGNATURE|ISSUER/.test(code)) return "its certificate isn't trusted";
  return code === 'ECONNREFUSED' ? 'it refuses connections' : 'the connection was lost';
}
