import { fromHeaderText } from '../../../console/lib/mcp/headerText';
import { headersOf, send, type Admitted } from '../door';
import {
  CURRENT,
  EARLIER,
  errorReply,
  fieldsOf,
  HEADER_MISMATCH,
  headerFault,
  isObject,
  META,
  UNKNOWN_METHOD,
  type Fields,
} from '../messages';
import { askFor, Connection, isRequest } from './connection';

const METHODS =
  /^(tools\/(list|call)|resources\/(list|read|templates\/list)|prompts\/(list|get)|completion\/complete)$/;
const CACHED = /^(server\/discover|.*\/list|resources\/read)$/;
const CAPABILITIES = ['tools', 'resources', 'prompts', 'completions'];

interface Opened {
  server: Connection;
  /** What it says about itself; null for a server of the stateless revision alone. */
  about: Fields | null;
}

/** Clients of the stateless revision. They share one process, to which the bridge is the client. */
export class Stateless {
  #opened: Promise<Opened> | null = null;
  #asked = 0;

  constructor(readonly upstream: URL) {}

  /** @param message has a method */
  async answer({ req, res, holder }: Admitted, message: Fields): Promise<void> {
    const { id } = message;
    const method = String(message.method);
    const params = fieldsOf(message.params);
    const header = headersOf(req);
    const fault = headerFault(method, params, (name) => {
      const value = header(name);
      return name === 'mcp-name' && value !== undefined ? fromHeaderText(value) : value;
    });
    if (fault !== null) return send(res, 400, errorReply(id, HEADER_MISMATCH, fault));
    if (!isRequest(message)) return send(res, 202, null);
    const { server, about } = await this.#open();
    // Clients don't know of each other's IDs.
    const own = (this.#asked += 1);
    res.on('close', () => {
      if (res.writableFinished || !server.isWaiting(own)) return;
      server.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: own } });
      server.forget(own);
    });
    const pass = (reply: Fields) => {
      const is_unknown = fieldsOf(reply.error).code === UNKNOWN_METHOD;
      send(res, is_unknown ? 404 : 200, { ...reply, id });
    };
    if (!about) return pass(await askFor(holder, server, { ...message, id: own }));
    if (method === 'server/discover')
      return send(res, 200, { jsonrpc: '2.0', id, result: resultOf(method, discovered(about), about) });
    if (!METHODS.test(method))
      return send(res, 404, errorReply(id, UNKNOWN_METHOD, `Unknown method: ${method.slice(0, 100)}`));
    const { _meta, ...rest } = params;
    const reply = await askFor(holder, server, { jsonrpc: '2.0', id: own, method, params: rest });
    if (!isObject(reply.result)) return pass(reply);
    send(res, 200, { jsonrpc: '2.0', id, result: resultOf(method, reply.result, about) });
  }

  #open(): Promise<Opened> {
    return (this.#opened ??= this.#connect());
  }

  #connect(): Promise<Opened> {
    const server: Connection = new Connection(
      this.upstream,
      (told) => {
        if (isRequest(told)) server.tell(errorReply(told.id, UNKNOWN_METHOD, 'The bridge can’t do this.'));
      },
      () => (this.#opened = null),
    );
    const params = {
      protocolVersion: EARLIER[0],
      capabilities: {},
      clientInfo: { name: 'mcp-bridge', version: '1.0.0' },
    };
    const opened = server
      .ask({ jsonrpc: '2.0', id: (this.#asked += 1), method: 'initialize', params })
      .then(({ result }) => {
        // A server of the stateless revision alone doesn't know initialize, and is given requests as they are.
        if (!result) return { server, about: null };
        server.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
        return { server, about: fieldsOf(result) };
      });
    opened.catch(() => server.close());
    return opened;
  }
}

function discovered({ capabilities, instructions }: Fields): Fields {
  const offered = new Map(Object.entries(fieldsOf(capabilities)));
  return {
    supportedVersions: [CURRENT, ...EARLIER],
    capabilities: Object.fromEntries(CAPABILITIES.filter((one) => offered.get(one)).map((one) => [one, {}])),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

const resultOf = (method: string, result: Fields, { serverInfo }: Fields) => ({
  ...result,
  resultType: 'complete',
  // The server may change its lists without this client hearing of it.
  ...(CACHED.test(method) ? { ttlMs: 60_000, cacheScope: 'private' } : {}),
  _meta: { ...fieldsOf(result._meta), [`${META}/serverInfo`]: serverInfo },
});
