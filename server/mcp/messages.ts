/** What servers and the bridge know of the protocol. https://modelcontextprotocol.io/specification */

/** The stateless revision. */
export const CURRENT = '2026-07-28';
/** Those with sessions, the newest first. */
export const EARLIER: readonly [string, ...string[]] = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Prefix of the protocol's own entries in `_meta`. */
export const META = 'io.modelcontextprotocol';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const UNKNOWN_METHOD = -32601;
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

/** A JSON object whose entries are still to be checked. */
export type Fields = Readonly<Record<string, unknown>>;
/** A header's value; undefined if it wasn't sent. */
export type Header = (name: string) => string | undefined;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const errorReply = (id: unknown, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** Returns how a request of the stateless revision contradicts its headers; null if it doesn't. */
export function headerFault(method: unknown, params: Fields, header: Header): string | null {
  if (fieldsOf(params._meta)[`${META}/protocolVersion`] !== CURRENT)
    return 'MCP-Protocol-Version and the version in _meta differ.';
  if (header('mcp-method') !== method) return 'Mcp-Method and the method in the body differ.';
  const name = nameIn(method, params);
  return name !== undefined && header('mcp-name') !== name
    ? 'Mcp-Name and the name in the body differ.'
    : null;
}

/** Returns what the request names, undefined if nothing. */
function nameIn(method: unknown, params: Fields): unknown {
  if (method === 'tools/call' || method === 'prompts/get') return params.name;
  return method === 'resources/read' ? params.uri : undefined;
}
