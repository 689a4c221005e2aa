import { Agent, request } from 'undici';
import { DerError } from '../../../console/lib/attestation/x509/der';
import { parsePemChain, PemError } from '../../../console/lib/attestation/x509/pem';
import { parseQeIdentity, parseTcbInfo, TcbError } from '../../../console/lib/attestation/tcb';
import { parseCrl } from '../../../console/lib/attestation/x509/x509';
import type { ChipFamily } from '../../domain/attestation/chipFamily';
import { CollateralError, type CollateralDriver, type FetchedCollateral } from './index';
import { memberText } from './memberText';
import { ownValue } from '../../../console/lib/ownValue';

/** Intel's Provisioning Certification Service, and where it publishes its root's revocation list. */
const INTEL = 'https://api.trustedservices.intel.com';
const INTEL_ROOT_CRL = 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

export interface PcsOptions {
  /** `intel`, or the address of a PCCS (Intel's caching service or a compatible one), with or without a path */
  url: string;
  /** milliseconds for all four responses together */
  timeout_ms?: number;
}

interface Answer {
  body: Buffer;
  header(name: string): string;
}

/** The four TDX requests of the PCS API v4. */
export function createCollateralDriver({ url, timeout_ms = TIMEOUT_MS }: PcsOptions): CollateralDriver {
  const intel = url === 'intel';
  const base = (intel ? INTEL : url).replace(/\/+$/, '');
  const source = new URL(base).host;
  const agent = new Agent({
    // An installed PCCS has a self-signed certificate. Everything read from it is signed by Intel and checked
    // by the verifier, so a fake PCCS can only return data that is rejected.
    connect: { timeout: timeout_ms, rejectUnauthorized: intel },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 65_536,
  });

  const get = async (address: string, what: string, signal: AbortSignal): Promise<Answer> => {
    const reply = await request(address, { dispatcher: agent, signal });
    const body = await readUpTo(reply.body, what);
    if (reply.statusCode === 404 || reply.statusCode === 400)
      throw new CollateralError(
        'unknown_platform',
        `${source} has no ${what} for this platform (HTTP ${reply.statusCode}).`,
      );
    if (reply.statusCode !== 200)
      throw new CollateralError('unreachable', `${source} returned no ${what}: HTTP ${reply.statusCode}.`);
    return {
      body,
      header(name) {
        const value = [ownValue(reply.headers, name)].flat()[0];
        if (!value) throw unusable(what, `it has no ${name}`);
        return value;
      },
    };
  };
  const unusable = (what: string, why: string, cause?: unknown) =>
    new CollateralError('unusable', `The ${what} from ${source} is unusable: ${why}.`, { cause });

  /** Runs `read`; an error names the part. */
  const read = <T>(what: string, reading: () => T): T => {
    try {
      return reading();
    } catch (error) {
      if (error instanceof TcbError || error instanceof PemError || error instanceof DerError)
        throw unusable(what, error.message, error);
      if (error instanceof URIError) throw unusable(what, 'its issuer chain is not encoded correctly');
      throw error;
    }
  };
  const chain = (what: string, encoded: string) =>
    read(what, () => {
      const pem = decodeURIComponent(encoded);
      parsePemChain(pem);
      return pem;
    });
  const crl = (what: string, body: Buffer) =>
    read(what, () => {
      const der = derOf(body);
      return { hex: der.toString('hex'), next: parseCrl(der).nextUpdate };
    });
  const signed = (what: string, member: string, body: Buffer) => {
    const text = body.toString('utf8');
    const content = memberText(text, member);
    const [, signature] =
      /"signature"\s*:\s*"([0-9a-fA-F]{128})"/.exec(text.replace(content ?? '', '')) ?? [];
    if (content === null || signature === undefined) throw unusable(what, `it has no signed “${member}”`);
    return { content, signature: signature.toLowerCase() };
  };

  async function gather({ fmspc, ca }: ChipFamily, signal: AbortSignal): Promise<FetchedCollateral> {
    const [tcb, qe, pck, root] = await Promise.all([
      get(`${base}/tdx/certification/v4/tcb?fmspc=${fmspc.toUpperCase()}`, 'TCB info', signal),
      get(`${base}/tdx/certification/v4/qe/identity`, 'QE identity', signal),
      get(`${base}/sgx/certification/v4/pckcrl?ca=${ca}&encoding=der`, 'PCK revocation list', signal),
      get(intel ? INTEL_ROOT_CRL : `${base}/sgx/certification/v4/rootcacrl`, 'root revocation list', signal),
    ]);
    const tcbInfo = signed('TCB info', 'tcbInfo', tcb.body);
    const qeIdentity = signed('QE identity', 'enclaveIdentity', qe.body);
    const info = read('TCB info', () => parseTcbInfo(tcbInfo.content));
    if (info.fmspc.toLowerCase() !== fmspc)
      throw unusable('TCB info', `it is for platform ${info.fmspc}, not ${fmspc}`);
    const identity = read('QE identity', () => parseQeIdentity(qeIdentity.content));
    const pckCrl = crl('PCK revocation list', pck.body);
    const rootCrl = crl('root revocation list', root.body);
    return {
      collateral: {
        pck_crl_issuer_chain: chain('PCK revocation list', pck.header('sgx-pck-crl-issuer-chain')),
        root_ca_crl: rootCrl.hex,
        pck_crl: pckCrl.hex,
        tcb_info_issuer_chain: chain('TCB info', tcb.header('tcb-info-issuer-chain')),
        tcb_info: tcbInfo.content,
        tcb_info_signature: tcbInfo.signature,
        qe_identity_issuer_chain: chain('QE identity', qe.header('sgx-enclave-identity-issuer-chain')),
        qe_identity: qeIdentity.content,
        qe_identity_signature: qeIdentity.signature,
      },
      next_update: new Date(Math.min(info.nextUpdate, identity.nextUpdate, pckCrl.next, rootCrl.next) * 1000),
    };
  }

  return {
    source,
    async fetch(family, { signal } = {}) {
      const deadline = AbortSignal.timeout(timeout_ms);
      let fetched: FetchedCollateral;
      try {
        fetched = await gather(family, signal ? AbortSignal.any([deadline, signal]) : deadline);
      } catch (error) {
        if (error instanceof CollateralError || signal?.aborted) throw error;
        throw new CollateralError(
          'unreachable',
          deadline.aborted
            ? `${source} didn't respond within ${timeout_ms / 1000} s.`
            : `${source} isn't responding.`,
          { cause: error },
        );
      }
      if (fetched.next_update.getTime() <= Date.now())
        throw new CollateralError(
          'stale',
          `The collateral from ${source} expired on ${fetched.next_update.toISOString()}.`,
        );
      return fetched;
    },
    close: () => agent.close(),
  };
}

async function readUpTo(body: AsyncIterable<Uint8Array>, what: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_BYTES)
      throw new CollateralError('unusable', `The ${what} has more than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads a revocation list in DER, or in the two text forms of caching services: PEM and hex. */
function derOf(body: Buffer): Buffer {
  if (body[0] === 0x30) return body;
  const text = body.toString('latin1').trim();
  const [, pem] = /^-----BEGIN X509 CRL-----([\s\S]+?)-----END X509 CRL-----$/.exec(text) ?? [];
  if (pem !== undefined) return Buffer.from(pem, 'base64');
  if (/^([0-9a-fA-F]{2})+$/.test(text)) return Buffer.from(text, 'hex');
  throw new DerError('it is not a revocation list');
}
