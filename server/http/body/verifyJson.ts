import { isTooDeep } from '../../domain/core/jsonDepth';

/** Error types of the body parser below, in the style of its own. */
export const TOO_DEEP = 'json.too.deep';
export const NOT_UTF8 = 'json.not.utf8';

/** Requests whose body has no bytes: the parser makes `{}` of them. */
const empty = new WeakSet<object>();

export const isEmpty = (req: object): boolean => empty.has(req);

/**
 * Checks a JSON body before it is parsed: express.json's `verify`.
 * @throws an error with `type` TOO_DEEP or NOT_UTF8; JSON is UTF-8 (RFC 8259 §8.1), and the scan relies on it
 */
export function verifyJson(req: object, _res: unknown, body: Buffer, encoding: string): void {
  if (body.length === 0) empty.add(req);
  if (encoding !== 'utf-8') throw Object.assign(new Error('not UTF-8'), { type: NOT_UTF8 });
  if (isTooDeep(body)) throw Object.assign(new Error('nested too deeply'), { type: TOO_DEEP });
}
