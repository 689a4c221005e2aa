import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import type { Request } from 'express';
import { AiError } from '../../domain/ai/aiError';
import { invalidRequest } from '../../domain/ai/requestBody';

/** Bytes of a request: images are sent in it. As much as other gateways of this API take. */
const MAX_BODY = 32 * 1024 * 1024;
export const MAX_BODY_TEXT = '32 MiB';

/** What is allocated for a body of unknown length before it is doubled. */
const FIRST = 64 * 1024;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const encodingOf = (req: Request) => (req.get('content-encoding') ?? 'identity').trim().toLowerCase();

/**
 * Returns how many bytes a body says it has; null if it has no length, or is compressed and may be as long as any.
 * @throws {AiError} 413
 */
export function declaredBytes(req: Request): number | null {
  const given = Number(req.get('content-length') ?? Number.NaN);
  if (given > MAX_BODY) throw tooLarge();
  return Number.isSafeInteger(given) && encodingOf(req) === 'identity' ? given : null;
}

/**
 * Reads a body into one buffer. Its parts are copied as they come: tiny ones would each keep the whole packet they came in.
 * @param declared what `declaredBytes` returned, which has been reserved
 * @param reserve is called before more memory is allocated; throws if there is none
 * @throws {AiError} 413, 400, and what `reserve` throws; the rest of the body is discarded then
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
    // Otherwise the client, which may send all before it reads, would find the connection reset instead of an answer.
    req.resume();
    throw error instanceof AiError ? error : unreadable(error);
  }
  return bytes.subarray(0, size);
}

/**
 * Reads a stream to its end. It stays open when `take` throws, because the answer is sent on its connection. With listeners:
 * an iterator takes several times the work for the one part that most bodies are.
 * @throws what `take` throws, and if the stream breaks off
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
    // Stays: one that comes later concerns nobody. The stream closes after it.
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
  // `pipe` doesn't tell that the client has left.
  req.once('error', (error) => decoder.destroy(error));
  return req.pipe(decoder);
}

const tooLarge = () =>
  new AiError(413, 'invalid_request_error', 'request_too_large', `The body is larger than ${MAX_BODY_TEXT}.`);

const unreadable = (cause: unknown) =>
  new AiError(400, 'invalid_request_error', null, 'The body could not be read.', { cause });
