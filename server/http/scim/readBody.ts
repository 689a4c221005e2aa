import type { Request } from 'express';
import { isTooDeep } from '../../domain/core/jsonDepth';
import { ScimError, invalidValue } from '../../domain/teams/scim/scimError';
import { isObject, type JsonObject } from '../../domain/teams/scim/values';
import { unstorableText } from '../body/unstorableText';

const syntax = (detail: string) => new ScimError(400, detail, 'invalidSyntax');

/** Reads a JSON object from the raw bytes. @throws {ScimError} 400, 415 */
export function readBody(req: Request): JsonObject {
  const type = req.get('content-type') ?? '';
  if (type !== '' && !/^\s*application\/(scim\+)?json\s*(;|$)/i.test(type))
    throw new ScimError(415, 'Send application/scim+json.');
  const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  if (isTooDeep(bytes)) throw syntax('The body is nested too deeply.');
  const body = parsed(bytes);
  if (!isObject(body)) throw syntax('Send a JSON object.');
  if (unstorableText(body)) throw invalidValue('The body contains a NUL character or an unpaired surrogate.');
  return body;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw syntax('The body is not JSON.');
  }
}
