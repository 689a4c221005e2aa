import {
  HttpRequestError,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
  type BaseError,
} from 'viem';

/**
 * How an RPC refused a request. `busy`: it accepts no requests right now; `slow`: it gave up on this one;
 * `refused`: any other objection, which may be the size of the request or of its answer.
 */
export type Refusal = 'busy' | 'slow' | 'refused';

/** No standard has a code for too many requests: these are Alchemy's, QuickNode's, Base's and Polygon's. */
const BUSY_CODES: ReadonlySet<number> = new Set([429, -32007, -32016, -32090]);
/** -32005, "limit exceeded" in EIP-1474, is used both for requests per second and for logs per answer. */
const BUSY =
  /rate.?limit|too many (requests|connections)|(request|call|usage) (count|limit|rate)|concurrent requests|\bper.?(s|sec|second|minute|hour|day)\b|\/s(ec(ond)?)?\b|throttl|quota|overload|\bbusy\b|unavailable/i;
const SLOW = /time.?out|timed.?out|too long|deadline|duration/i;

/** Statuses that concern the request. */
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 413, 414, 422]);

/** Null if no RPC answered in time, or the answer wasn't an RPC's: a smaller request doesn't help. */
export function refusalOf(error: unknown): Refusal | null {
  const walk = (error as Partial<BaseError>).walk?.bind(error);
  if (!walk) return null;
  if (walk((cause) => cause instanceof ResponseBodyTooLargeError)) return 'refused';
  if (walk((cause) => cause instanceof TimeoutError)) return null;
  const http = walk((cause) => cause instanceof HttpRequestError) as HttpRequestError | null;
  if (http?.status === 429) return 'busy';
  if (http) return REFUSED.has(http.status) ? 'refused' : null;
  const rpc = walk((cause) => cause instanceof RpcRequestError) as RpcRequestError | null;
  if (!rpc) return null;
  if (BUSY_CODES.has(rpc.code) || BUSY.test(rpc.details)) return 'busy';
  return SLOW.test(rpc.details) ? 'slow' : 'refused';
}

/** Codes for a failed execution: Geth's and most others', and Nethermind's. */
const REVERTED_CODES: ReadonlySet<number> = new Set([3, -32015]);
/** How nodes say that a contract failed, also without reverting. */
const REVERTED =
  /revert|\bevm error\b|vm (execution|exception)|(invalid|undefined|unknown|bad).?op.?code|out.?of.?gas|gas.{0,12}(overflow|exceeds)|stack.{0,9}(under|over)flow|(invalid|bad).?jump|write protection|return data out of bounds|call depth/i;

/** Whether an RPC's error is that of a contract that it called. */
export const isRevert = ({ code, data, details }: RpcRequestError): boolean =>
  REVERTED_CODES.has(code) ||
  (typeof data === 'string' && /^0x[0-9a-f]{8,}$/i.test(data)) ||
  REVERTED.test(details);
