// Parses TDX quotes, versions 4 and 5 (Intel, "TDX DCAP Quoting Library API" appendix A). Little endian.

export class QuoteError extends Error {
  override name = 'QuoteError';
  readonly check: 'quote.format' | 'quote.header';
  constructor(check: QuoteError['check'], message: string) {
    super(message);
    this.check = check;
  }
}

const TDX = 0x81;
const ECDSA_P256 = 2;
const HEADER = 48;
const TD10_BODY = 584;
const TD15_BODY = 648;
const QE_REPORT = 384;
const INTEL_QE = '939a7233f79c4ca9940a0db3957f0607';
/** Real quotes have 5 KB, including certificates. */
const MAX_BYTES = 32_768;
const QE_REPORT_CERTIFICATION = 6;
export const PCK_CHAIN = 5;

export interface Quote {
  version: 4 | 5;
  qeVendorId: string;
  /** 20 bytes that the quoting enclave fills with the platform's ID. */
  userData: Uint8Array;
  teeTcbSvn: Uint8Array;
  mrSignerSeam: Uint8Array;
  seamAttributes: Uint8Array;
  tdAttributes: Uint8Array;
  mrtd: Uint8Array;
  mrConfigId: Uint8Array;
  mrOwner: Uint8Array;
  mrOwnerConfig: Uint8Array;
  rtmrs: [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  reportData: Uint8Array;
  /** TD 1.5 bodies only. */
  mrServiceTd: Uint8Array | undefined;
  /** The bytes signed by the attestation key: header and body. */
  signed: Uint8Array;
  signature: Uint8Array;
  /** x ‖ y. */
  attestationKey: Uint8Array;
  qeReport: QeReport;
  qeReportSignature: Uint8Array;
  qeAuthData: Uint8Array;
  certificationType: number;
  certificationData: Uint8Array;
}

interface QeReport {
  bytes: Uint8Array;
  miscSelect: Uint8Array;
  attributes: Uint8Array;
  mrSigner: Uint8Array;
  isvProdId: number;
  isvSvn: number;
  reportData: Uint8Array;
}

/** Reads forward and never past the end. */
class Cursor {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}
  take(length: number, what: string): Uint8Array {
    if (this.at + length > this.bytes.length)
      throw new QuoteError('quote.format', `The quote ends within its ${what}.`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
  number(length: 2 | 4, what: string): number {
    return this.take(length, what).reduceRight((sum, byte) => sum * 256 + byte, 0);
  }
  end(what: string): void {
    if (this.at !== this.bytes.length)
      throw new QuoteError('quote.format', `The ${what} has ${this.bytes.length - this.at} extra bytes.`);
  }
  rest(): Uint8Array {
    return this.bytes.subarray(this.at);
  }
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws {QuoteError} */
export function parseQuote(bytes: Uint8Array): Quote {
  if (bytes.length > MAX_BYTES)
    throw new QuoteError('quote.format', `The quote has ${bytes.length} bytes; the limit is ${MAX_BYTES}.`);
  const cursor = new Cursor(bytes);
  const header = parseHeader(cursor);
  const bodyLength = header.version === 4 ? TD10_BODY : readBodyLength(cursor);
  const body = parseBody(cursor.take(bodyLength, 'TD report'));
  const signedLength = HEADER + (header.version === 5 ? 6 : 0) + bodyLength;
  const signatureData = cursor.take(cursor.number(4, 'signature length'), 'signature data');
  // Guests return a buffer of fixed size: trailing zeros are unused.
  if (cursor.rest().some((byte) => byte !== 0))
    throw new QuoteError('quote.format', 'Nonzero bytes follow the signature data.');
  return { ...header, ...body, signed: bytes.subarray(0, signedLength), ...parseSignature(signatureData) };
}

function parseHeader(cursor: Cursor): Pick<Quote, 'version' | 'qeVendorId' | 'userData'> {
  const version = cursor.number(2, 'header');
  if (version !== 4 && version !== 5)
    throw new QuoteError(
      'quote.header',
      version === 3
        ? 'This is an SGX quote (version 3); TDX quotes have version 4 or 5.'
        : `The quote has version ${version}; TDX quotes have version 4 or 5.`,
    );
  const keyType = cursor.number(2, 'header');
  if (keyType !== ECDSA_P256)
    throw new QuoteError(
      'quote.header',
      `The attestation key has type ${keyType}; only type 2 (ECDSA P-256) is supported.`,
    );
  const tee = cursor.number(4, 'header');
  if (tee !== TDX)
    throw new QuoteError(
      'quote.header',
      tee === 0
        ? 'This is an SGX quote (TEE type 0x0); a TDX quote has TEE type 0x81.'
        : `The quote has TEE type 0x${tee.toString(16)}; a TDX quote has TEE type 0x81.`,
    );
  cursor.take(4, 'header');
  const qeVendorId = hexOf(cursor.take(16, 'header'));
  if (qeVendorId !== INTEL_QE)
    throw new QuoteError(
      'quote.header',
      `The quoting enclave’s vendor ID is ${qeVendorId}; Intel’s is ${INTEL_QE}.`,
    );
  return { version, qeVendorId, userData: cursor.take(20, 'header') };
}

function readBodyLength(cursor: Cursor): number {
  const type = cursor.number(2, 'body descriptor');
  const length = cursor.number(4, 'body descriptor');
  if (type === 1)
    throw new QuoteError(
      'quote.format',
      'This is an SGX quote (body type 1); a TDX quote has body type 2 or 3.',
    );
  const expected = type === 2 ? TD10_BODY : type === 3 ? TD15_BODY : undefined;
  if (expected === undefined || length !== expected)
    throw new QuoteError('quote.format', `The quote has a body of type ${type} with ${length} bytes.`);
  return length;
}

function parseBody(body: Uint8Array) {
  const at = (offset: number, length: number): Uint8Array => body.subarray(offset, offset + length);
  return {
    teeTcbSvn: at(0, 16),
    mrSignerSeam: at(64, 48),
    seamAttributes: at(112, 8),
    tdAttributes: at(120, 8),
    mrtd: at(136, 48),
    mrConfigId: at(184, 48),
    mrOwner: at(232, 48),
    mrOwnerConfig: at(280, 48),
    rtmrs: [at(328, 48), at(376, 48), at(424, 48), at(472, 48)] as Quote['rtmrs'],
    reportData: at(520, 64),
    mrServiceTd: body.length === TD15_BODY ? at(600, 48) : undefined,
  };
}

function parseSignature(data: Uint8Array) {
  const cursor = new Cursor(data);
  const signature = cursor.take(64, 'signature');
  const attestationKey = cursor.take(64, 'attestation key');
  const type = cursor.number(2, 'certification data');
  if (type !== QE_REPORT_CERTIFICATION)
    throw new QuoteError(
      'quote.format',
      `The certification data has type ${type}; a TDX quote has ${QE_REPORT_CERTIFICATION}.`,
    );
  const certification = new Cursor(cursor.take(cursor.number(4, 'certification data'), 'certification data'));
  cursor.end('signature data');
  const qeReport = parseQeReport(certification.take(QE_REPORT, 'quoting enclave report'));
  const qeReportSignature = certification.take(64, 'signature of the quoting enclave report');
  const qeAuthData = certification.take(
    certification.number(2, 'authentication data'),
    'authentication data',
  );
  const certificationType = certification.number(2, 'certificates');
  const certificationData = certification.take(certification.number(4, 'certificates'), 'certificates');
  certification.end('certification data');
  return {
    signature,
    attestationKey,
    qeReport,
    qeReportSignature,
    qeAuthData,
    certificationType,
    certificationData,
  };
}

function parseQeReport(bytes: Uint8Array): QeReport {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    bytes,
    miscSelect: bytes.subarray(16, 20),
    attributes: bytes.subarray(48, 64),
    mrSigner: bytes.subarray(128, 160),
    isvProdId: view.getUint16(256, true),
    isvSvn: view.getUint16(258, true),
    reportData: bytes.subarray(320, 384),
  };
}
