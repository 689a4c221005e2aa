import type { McpServerDescription, McpToolResult, McpUsage } from '../../../generated/api/types.gen';

/** An MCP server's address, and how to call it. */
export interface McpAddress {
  url: string;
  /** Sent instead of the URL's host name. */
  host?: string | undefined;
  /** Sent as a bearer token. */
  key: string | null;
}

interface McpCall {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

export type McpErrorKind = 'unreachable' | 'not_ready' | 'busy' | 'key' | 'no_mcp' | 'no_usage' | 'refused';

/** No result. `message` is a sentence for the user. */
export class McpError extends Error {
  constructor(
    readonly kind: McpErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'McpError';
  }
}

/** A client for MCP servers, with the stateless protocol revision and the earlier ones with sessions. */
export interface McpClient {
  /** Returns the server's description. @throws McpError */
  inspect(address: McpAddress, signal: AbortSignal): Promise<McpServerDescription>;
  /** Calls a tool and waits for its result. @throws McpError */
  call(address: McpAddress, call: McpCall, signal: AbortSignal): Promise<Omit<McpToolResult, 'ms'>>;
  /** Returns the usage of the server's keys, from its usage endpoint. @throws McpError */
  usage(address: McpAddress, signal: AbortSignal): Promise<McpUsage>;
}
