import type { McpServerDescription, McpToolResult, McpUsage } from '../../../generated/api/types.gen';

/** Where an MCP server is, and how to call it. */
export interface McpAddress {
  url: string;
  /** Sent instead of the URL's own name. */
  host?: string | undefined;
  /** Sent as a bearer token. */
  key: string | null;
}

interface McpCall {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

export type McpErrorKind = 'unreachable' | 'key' | 'no_mcp' | 'no_usage' | 'refused';

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

/** A client of MCP servers, of the stateless protocol revision and the earlier ones with sessions. */
export interface McpClient {
  /** Returns what the server offers. @throws McpError */
  inspect(address: McpAddress, signal: AbortSignal): Promise<McpServerDescription>;
  /** Calls a tool and waits for its result. @throws McpError */
  call(address: McpAddress, call: McpCall, signal: AbortSignal): Promise<Omit<McpToolResult, 'ms'>>;
  /** Returns how the server's keys have been used, from its address of that. @throws McpError */
  usage(address: McpAddress, signal: AbortSignal): Promise<McpUsage>;
}
