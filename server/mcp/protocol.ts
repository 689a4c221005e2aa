import { argumentFault, type ArgumentSchema } from './argumentFault';
import {
  CURRENT,
  EARLIER,
  errorReply,
  fieldsOf,
  HEADER_MISMATCH,
  headerFault,
  INVALID_REQUEST,
  META,
  PARSE_ERROR,
  UNKNOWN_METHOD,
  UNSUPPORTED_VERSION,
  type Fields,
  type Header,
} from './messages';

/**
 * The Model Context Protocol over one HTTP path, for servers that only have tools. Answers both eras: the stateless
 * revision 2026-07-28, whose requests carry everything they need, and the earlier ones, whose sessions are optional and
 * not used here. https://modelcontextprotocol.io/specification
 */

interface McpTool {
  name: string;
  title: string;
  description: string;
  input: ArgumentSchema;
  /** Whether it changes nothing, and whether it deletes or overwrites. Clients ask their user accordingly. */
  is_read_only: boolean;
  is_destructive: boolean;
  /** @throws {ToolFault} with a sentence for the model */
  call: (args: Readonly<Record<string, unknown>>) => unknown;
}

export interface McpServer {
  name: string;
  title: string;
  version: string;
  /** How to use the tools, for the model. */
  instructions: string;
  tools: readonly McpTool[];
}

/** What the model can correct, as opposed to a fault of the server. */
export class ToolFault extends Error {
  override name = 'ToolFault';
}

export interface McpReply {
  status: number;
  /** Null: no body. */
  body: object | null;
}

/** Told of each tool call, without its arguments and result. */
export type OnCall = (call: { tool: string; ms: number; failed: boolean }) => void;

const MAX_BATCH = 20;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

type Id = string | number | null;

/** An answer that isn't a result. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status = 200,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Answers one POST. Never throws. */
export async function answerMcp(
  server: McpServer,
  text: string,
  header: Header,
  onCall: OnCall = () => undefined,
): Promise<McpReply> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return failed(null, new RpcError(PARSE_ERROR, 'The body is not JSON.', 400));
  }
  const version = header('mcp-protocol-version');
  if (version === CURRENT) return answerCurrent(server, body, header, onCall);
  if (version !== undefined && !EARLIER.includes(version)) return failed(idOf(body), unsupported(version));
  if (!Array.isArray(body)) return answerEarlier(server, body, onCall);
  if (body.length === 0 || body.length > MAX_BATCH)
    return failed(null, new RpcError(INVALID_REQUEST, `A batch has 1 to ${MAX_BATCH} messages.`, 400));
  const replies: object[] = [];
  for (const one of body) {
    const reply = await answerEarlier(server, one, onCall);
    if (reply.body) replies.push(reply.body);
  }
  return replies.length === 0 ? { status: 202, body: null } : { status: 200, body: replies };
}

async function answerCurrent(
  server: McpServer,
  body: unknown,
  header: Header,
  onCall: OnCall,
): Promise<McpReply> {
  const id = idOf(body);
  try {
    const { method, params } = messageOf(body);
    const fault = headerFault(method, params, header);
    if (fault !== null) throw new RpcError(HEADER_MISMATCH, fault, 400);
    if (isNotification(body)) return { status: 202, body: null };
    const result = await currentResult(server, method, params, onCall);
    const serverInfo = { name: server.name, title: server.title, version: server.version };
    return {
      status: 200,
      body: {
        jsonrpc: '2.0',
        id,
        result: { ...result, resultType: 'complete', _meta: { [`${META}/serverInfo`]: serverInfo } },
      },
    };
  } catch (error) {
    return failed(id, error);
  }
}

/** Lists are the same for everyone who has the key, as long as this program runs. */
const LISTED = { ttlMs: 3_600_000, cacheScope: 'private' };

async function currentResult(
  server: McpServer,
  method: string,
  params: Fields,
  onCall: OnCall,
): Promise<object> {
  switch (method) {
    case 'server/discover':
      return {
        supportedVersions: [CURRENT],
        capabilities: { tools: {} },
        instructions: server.instructions,
        ...LISTED,
      };
    case 'tools/list':
      return { tools: server.tools.map(toolOut), ...LISTED };
    case 'tools/call':
      return callTool(server, params, onCall);
    default:
      throw new RpcError(UNKNOWN_METHOD, `Unknown method: ${method.slice(0, 100)}`, 404);
  }
}

async function answerEarlier(server: McpServer, body: unknown, onCall: OnCall): Promise<McpReply> {
  const id = idOf(body);
  try {
    const { method, params } = messageOf(body);
    if (isNotification(body)) return { status: 202, body: null };
    const result = await earlierResult(server, method, params, onCall);
    return { status: 200, body: { jsonrpc: '2.0', id, result } };
  } catch (error) {
    return failed(id, error);
  }
}

async function earlierResult(
  server: McpServer,
  method: string,
  params: Fields,
  onCall: OnCall,
): Promise<object> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: EARLIER.find((one) => one === params.protocolVersion) ?? EARLIER[0],
        capabilities: { tools: {} },
        serverInfo: { name: server.name, title: server.title, version: server.version },
        instructions: server.instructions,
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: server.tools.map(toolOut) };
    case 'tools/call':
      return callTool(server, params, onCall);
    default:
      throw new RpcError(UNKNOWN_METHOD, `Unknown method: ${method.slice(0, 100)}`);
  }
}

const toolOut = ({ name, title, description, input, is_read_only, is_destructive }: McpTool) => ({
  name,
  title,
  description,
  inputSchema: input,
  annotations: { title, readOnlyHint: is_read_only, destructiveHint: is_destructive, openWorldHint: false },
});

async function callTool(server: McpServer, params: Fields, onCall: OnCall): Promise<object> {
  const tool = server.tools.find(({ name }) => name === params.name);
  if (!tool) throw new RpcError(INVALID_PARAMS, `Unknown tool: ${String(params.name).slice(0, 100)}`);
  const args = fieldsOf(params.arguments);
  const began = Date.now();
  const told = (isError: boolean) => onCall({ tool: tool.name, ms: Date.now() - began, failed: isError });
  const fault = argumentFault(tool.input, args);
  try {
    if (fault !== null) throw new ToolFault(fault);
    const result = await tool.call(args);
    told(false);
    return {
      content: [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }],
    };
  } catch (error) {
    told(true);
    if (!(error instanceof ToolFault)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

function failed(id: Id, error: unknown): McpReply {
  // Its message could contain what the tool was given.
  const known = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'The tool failed.');
  const { code, message, data, status } = known;
  return { status, body: errorReply(id, code, message, data) };
}

const unsupported = (version: string) =>
  new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${version.slice(0, 40)}`, 400, {
    supported: [CURRENT, ...EARLIER],
    requested: version.slice(0, 40),
  });

function messageOf(body: unknown): { method: string; params: Fields } {
  const { jsonrpc, method, params } = fieldsOf(body);
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw new RpcError(INVALID_REQUEST, 'The body is not a JSON-RPC 2.0 request.', 400);
  return { method, params: fieldsOf(params) };
}

const isNotification = (body: unknown) => !('id' in fieldsOf(body));

function idOf(body: unknown): Id {
  const { id } = fieldsOf(body);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
