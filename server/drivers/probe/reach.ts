import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { DnsLookup } from '../../domain/network/dnsRecords';
import { failureText } from '../../domain/network/dnsFacts';
import { addressRefusal, type OutboundPolicy } from '../../domain/core/outbound';
import type { DnsDriver } from '../dns';
import type { Probe, ProbeResult, ProbeStep, ProbeStepName, ProbeTarget } from './index';

const CONNECT_MS = 5_000;
const TLS_MS = 5_000;
const HTTP_MS = 8_000;
const MAX_BYTES = 16_384;
const NAMES: readonly ProbeStepName[] = ['dns', 'tcp', 'tls', 'http'];

/** A step failed; the message gives the reason. */
class StepFailed extends Error {}

interface Passed<T> {
  value: T;
  detail: string;
  warning?: boolean;
}

/** @param policy where this server may connect at all */
export function createProbe(dns: Pick<DnsDriver, 'lookup'>, policy: OutboundPolicy): Probe {
  return {
    async reach(target, signal) {
      const result: ProbeResult = { steps: [], status: null, body: '' };
      const skip = (name: ProbeStepName, detail: string) =>
        result.steps.push({ name, state: 'skipped', ms: null, detail });
      let socket: Socket | undefined;
      try {
        const address = await step(result, 'dns', () => resolve(dns, policy, target, signal));
        socket = await step(result, 'tcp', () => open(address, target.port, signal));
        const plain = socket;
        if (target.tls === 'none') skip('tls', 'not used: this gateway speaks plain HTTP');
        else socket = await step(result, 'tls', () => secure(plain, target, signal));
        const ready = socket;
        if (target.tls === 'h2') skip('http', 'gRPC calls are not tested');
        else Object.assign(result, await step(result, 'http', () => get(ready, target, signal)));
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
      } finally {
        socket?.destroy();
      }
      // Lists skipped steps too.
      for (const name of NAMES) if (!result.steps.some((one) => one.name === name)) skip(name, 'not reached');
      return result;
    },
  };
}

async function step<T>(
  { steps }: ProbeResult,
  name: ProbeStepName,
  work: () => Promise<Passed<T>>,
): Promise<T> {
  const begun = performance.now();
  const ended = (state: ProbeStep['state'], detail: string) =>
    steps.push({ name, state, ms: Math.round(performance.now() - begun), detail: cutWhole(detail, 1000) });
  try {
    const { value, detail, warning = false } = await work();
    ended(warning ? 'warning' : 'passed', detail);
    return value;
  } catch (error) {
    if (error instanceof StepFailed) ended('failed', error.message);
    throw error;
  }
}

/** Returns the checked address to connect to, so that a second lookup can't give another result. */
async function resolve(
  dns: Pick<DnsDriver, 'lookup'>,
  policy: OutboundPolicy,
  { host, only, local }: ProbeTarget,
  signal: AbortSignal,
): Promise<Passed<string>> {
  if (local) return { value: '127.0.0.1', detail: 'names under .localhost are this machine' };
  const lookups = await Promise.all([dns.lookup(host, 'A', signal), dns.lookup(host, 'AAAA', signal)]);
  const addresses = lookups.flatMap(({ records }) => records.map(({ value }) => value));
  if (addresses.length === 0) throw new StepFailed(noAddress(host, lookups));
  // One foreign address rejects the name: visitors may be sent to any of them.
  const foreign = only === null ? [] : addresses.filter((one) => !only.includes(one));
  if (foreign.length > 0)
    throw new StepFailed(
      `${host} points to ${foreign.slice(0, 4).join(', ')}, which is not the gateway. Nothing was sent there.`,
    );
  for (const address of addresses) {
    const reason = addressRefusal(address, 'https:', policy);
    if (reason !== null)
      throw new StepFailed(`${host} points to ${address}, which is not allowed: ${reason}.`);
  }
  return { value: addresses[0] ?? '', detail: addresses.slice(0, 8).join(', ') };
}

function noAddress(host: string, lookups: readonly DnsLookup[]): string {
  const failed = lookups.find(({ outcome }) => outcome === 'failed');
  if (failed) return failureText(host, failed.failure);
  return lookups.some(({ outcome }) => outcome === 'no_name')
    ? `${host} doesn't exist in DNS.`
    : `${host} has no address in DNS.`;
}

function open(address: string, port: number, signal: AbortSignal): Promise<Passed<Socket>> {
  return new Promise((done, fail) => {
    const socket = connect({ host: address, port, signal });
    const limit = setTimeout(
      () => socket.destroy(new Error(`no response within ${CONNECT_MS / 1000} s`)),
      CONNECT_MS,
    );
    socket.once('error', (error) => {
      clearTimeout(limit);
      fail(signal.aborted ? error : new StepFailed(`${address}, port ${port}: ${words(error)}.`));
    });
    socket.once('connect', () => {
      clearTimeout(limit);
      socket.removeAllListeners('error');
      // The next step notices errors between two steps.
      socket.on('error', () => undefined);
      done({ value: socket, detail: `connected to ${address}, port ${port}` });
    });
  });
}

function secure(socket: Socket, { host, tls }: ProbeTarget, signal: AbortSignal): Promise<Passed<TLSSocket>> {
  return new Promise((done, fail) => {
    const secured = connectTls({
      socket,
      servername: host,
      // An untrusted certificate is reported but not fatal: the service behind it is reported too.
      rejectUnauthorized: false,
      ALPNProtocols: tls === 'h2' ? ['h2'] : ['http/1.1'],
    });
    const end = (error: Error | null) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', aborted);
      secured.removeAllListeners('error').removeAllListeners('close');
      secured.on('error', () => undefined);
      if (error) {
        secured.destroy();
        return fail(error);
      }
      if (tls === 'h2' && secured.alpnProtocol !== 'h2')
        return fail(new StepFailed("TLS works, but the other side doesn't support HTTP/2 (ALPN h2)."));
      const version = secured.getProtocol() ?? 'TLS';
      const trusted = secured.authorized;
      done({
        value: secured,
        warning: !trusted,
        detail: trusted
          ? `${version}, the certificate is trusted and matches this name`
          : `${version}, but browsers will reject the certificate: ${certificateWords(secured)}`,
      });
    };
    const aborted = () => end(signal.reason as Error);
    const limit = setTimeout(
      () => end(new StepFailed(`No TLS handshake within ${TLS_MS / 1000} s.`)),
      TLS_MS,
    );
    signal.addEventListener('abort', aborted, { once: true });
    secured.once('secureConnect', () => end(null));
    secured.once('error', (error) => end(new StepFailed(`The TLS handshake failed: ${words(error)}.`)));
    secured.once('close', () => end(new StepFailed('The connection was closed during the TLS handshake.')));
  });
}

/** Sends one GET and reads only the start of the response. */
function get(
  socket: Socket,
  { host, port, tls, path = '/' }: ProbeTarget,
  signal: AbortSignal,
): Promise<Passed<{ status: number; body: string }>> {
  return new Promise((done, fail) => {
    let read = Buffer.alloc(0);
    const end = (error: Error | null) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', aborted);
      if (signal.aborted) return fail(signal.reason as Error);
      const status = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(read.toString('latin1', 0, 64))?.[1];
      if (status !== undefined)
        return done({
          value: { status: Number(status), body: bodyOf(read) },
          detail: `status ${status}`,
          warning: Number(status) >= 500,
        });
      fail(
        new StepFailed(
          read.length > 0
            ? 'Something responded, but not in HTTP.'
            : (error?.message ?? 'The connection was closed without a response.'),
        ),
      );
    };
    const aborted = () => end(null);
    const limit = setTimeout(() => end(new Error(`No HTTP response within ${HTTP_MS / 1000} s.`)), HTTP_MS);
    signal.addEventListener('abort', aborted, { once: true });
    socket.on('data', (part) => {
      read = Buffer.concat([read, part]);
      if (read.length >= MAX_BYTES || isComplete(read)) end(null);
    });
    socket.once('end', () => end(null));
    socket.once('close', () => end(null));
    const usual = port === (tls === 'none' ? 80 : 443);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}${usual ? '' : `:${port}`}\r\nUser-Agent: Teehouse network check\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });
}

/** Complete: the whole head, and enough of the body to show an error's explanation. */
function isComplete(read: Buffer): boolean {
  const head = read.indexOf('\r\n\r\n');
  if (head < 0) return false;
  return !/^HTTP\/1\.[01] 5/.test(read.toString('latin1', 0, 12)) || read.includes('</p>', head);
}

function bodyOf(read: Buffer): string {
  const head = read.indexOf('\r\n\r\n');
  return head < 0 ? '' : read.toString('utf8', head + 4, head + 4 + 4096);
}

function words(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was cut off';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'there is no route from this server';
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return "the other side doesn't speak TLS";
    default:
      return cutWhole(error.message, 200).replace(/\.$/, '') || code;
  }
}

function certificateWords(socket: TLSSocket): string {
  const code = String((socket.authorizationError as { code?: string } | string | undefined) ?? '');
  if (/SELF_SIGNED/.test(code)) return 'it is self-signed';
  if (/EXPIRED/.test(code)) return 'it has expired';
  if (/ALTNAME/.test(code)) return 'it is for another name';
  if (/UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code)) return 'no known authority issued it';
  return cutWhole(code, 100) || 'it is not trusted';
}
