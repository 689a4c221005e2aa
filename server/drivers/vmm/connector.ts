import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { TlsOptions } from './index';

/** A server certificate other than the pinned one. */
class PinMismatch extends Error {
  readonly code = 'ERR_TLS_PIN_MISMATCH';
}

export interface ConnectorOptions {
  connect_ms: number;
  socketPath?: string | null;
  tls?: TlsOptions | undefined;
  /** replaces the system's resolver */
  lookup?: LookupFunction | undefined;
}

/**
 * How undici opens a connection: system authorities by default, one CA, one pinned certificate, or (on request) no
 * check.
 */
export function connectorFor({
  connect_ms,
  socketPath,
  tls = {},
  lookup,
}: ConnectorOptions): buildConnector.connector {
  const pin = tls.pin_sha256?.replace(/[:\s]/g, '').toLowerCase();
  if (pin !== undefined && !/^[0-9a-f]{64}$/.test(pin)) throw new Error('pin_sha256 is 64 hex digits');
  const options = {
    timeout: connect_ms,
    // The pin identifies the certificate; whether an authority signed it doesn't matter then.
    rejectUnauthorized: pin === undefined && tls.insecure !== true,
    ...(socketPath ? { socketPath } : {}),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    ...(lookup === undefined ? {} : { lookup }),
    // A resumed session carries no certificate to compare.
    ...(pin === undefined ? {} : { maxCachedSessions: 0 }),
  };
  const connect = buildConnector(options as buildConnector.BuildOptions);
  if (pin === undefined) return connect;
  return (target, callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error !== null || !(socket instanceof TLSSocket)) return callback(...result);
      const certificate = socket.getPeerX509Certificate();
      const seen = certificate && createHash('sha256').update(certificate.raw).digest('hex');
      if (seen === pin) return callback(null, socket);
      socket.destroy();
      callback(
        new PinMismatch(`the server's certificate has sha256 ${seen ?? 'none'}, not the pinned one`),
        null,
      );
    });
  };
}
