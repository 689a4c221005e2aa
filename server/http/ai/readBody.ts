import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import type { Request } from 'express';
import { AiError } from '../../domain/ai/aiError';
import { invalidRequest } from '../../domain/ai/requestBody';

/** Maximum bytes of a request, which may contain images; the same as in other gateways of this API. */
const MAX_BODY = 32 * 1024 * 1024;
export const MAX_BODY_TEXT = '32 MiB';

/** Initial allocation for a body of unknown length, doubled as needed. */
const FIRST = 64 * 1024;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const encodingOf = (req: Request) => (req.get('content-encoding') ?? 'identity').trim().toLowerCase();

/**
 * Returns a body's declared length in bytes; null if it has none or is compressed.
 * @throws {AiError} 413
 */
export function declaredBytes(req: Request): number | null {
  const given = Number(req.get('content-length') ?? Number.NaN);
  if (given > MAX_BODY) throw tooLarge();
  return Number.isSafeInteger(given) && encodingOf(req) === 'identity' ? given : null;
}

/**
 * Reads a body into one buffer. Chunks are copied as they arrive: each tiny one would otherwise retain its whole
 * packet.
 * @param declared the result of `declaredBytes`, already reserved
 * @param reserve called before more memory is allocated; throws if there is none
 * @throws {AiError} 413, 400, and errors of `reserve`; the rest of the body is then discarded
 */
export async function readBody(
  req: Request,
  declared: number | null,
  reserve: (bytes: number) => void,
): Promise<Buffer> {
  if (declared === null) reserve(FIRST);
  let bytes = Buffer.allocUnsafe(declared ?? FIRST);
  let size = 0;
  const source = decoded(req);
  try {
    await eachPart(source, (part) => {
      const needed = size + part.length;
      if (needed > MAX_BODY) throw tooLarge();
      if (needed > bytes.length) {
        const longer = Math.min(MAX_BODY, 2 ** Math.ceil(Math.log2(needed)));
        reserve(longer - bytes.length);
        const grown = Buffer.allocUnsafe(longer);
        bytes.copy(grown, 0, 0, size);
        bytes = grown;
      }
      size += part.copy(bytes, size);
    });
  } catch (error) {
    req.unpipe();
    if (source !== req) source.destroy();
    // Otherwise a client that sends everything before reading would see a connection reset instead of the answer.
    req.resume();
    throw error instanceof AiError ? error : unreadable(error);
  }
  return bytes.subarray(0, size);
}

/**
 * Reads a stream to its end. It stays open if `take` throws, because the answer is sent on its connection. Uses
 * listeners: an iterator takes several times the work for the single chunk of most bodies.
 * @throws errors of `take`, and if the stream breaks off
 */
function eachPart(source: Readable, take: (part: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      source.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const onData = (part: Buffer) => {
      try {
        take(part);
      } catch (error) {
        stop();
        reject(error as Error);
      }
    };
    const onEnd = () => {
      stop();
      resolve();
    };
    const onClose = () => {
      stop();
      reject(new Error('The body ended early'));
    };
    if (source.destroyed) return onClose();
    // Never removed: later errors can be ignored, and the stream closes after them.
    source.on('error', reject);
    source.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function decoded(req: Request): Readable {
  const encoding = encodingOf(req);
  if (encoding === 'identity') return req;
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder)
    throw invalidRequest('The body has an unknown Content-Encoding. Use gzip, deflate or br.', null);
  // `pipe` doesn't report that the client has disconnected.
  req.once('error', (error) => decoder.destroy(error));
  return req.pipe(decoder);
}

const tooLarge = () =>
  new AiError(413, 'invalid_request_error', 'request_too_large', `The body is larger than ${MAX_BODY_TEXT}.`);

const unreadable = (cause: unknown) =>
  new AiError(400, 'invalid_request_error', null, 'The body could not be read.', { cause });
