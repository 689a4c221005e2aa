import { request, type IncomingHttpHeaders } from 'node:http';
import { send, type Admitted, type Service } from '../door';
import type { KeyHolder } from '../keys';
import { fieldsOf } from '../messages';
import { CALL_MS, isReachable, replyUnreachable } from './upstream';

const PASSED = /^(accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/;
const RETURNED = /^(content-type|cache-control|retry-after|x-accel-buffering|allow|mcp-[a-z0-9-]+)$/;

/** Streams that a key may keep open. */
const MAX_STREAMS = 32;

/** Passes requests on to a server that speaks HTTP itself, without the key. The server decides about versions. */
export function httpBridge(upstream: URL): Service {
  const streams = new Map<KeyHolder, number>();
  return {
    name: 'The bridge',
    has_sessions: true,
    isReady: () => isReachable(upstream),
    async answer(admitted) {
      const { req, res, holder } = admitted;
      if (req.method !== 'GET') return passOn(upstream, admitted);
      const open = streams.get(holder) ?? 0;
      if (open >= MAX_STREAMS) {
        res.setHeader('Retry-After', '60');
        return send(res, 429, { error: `The key has ${MAX_STREAMS} streams open. Close one first.` });
      }
      streams.set(holder, open + 1);
      try {
        await passOn(upstream, admitted);
      } finally {
        streams.set(holder, (streams.get(holder) ?? 1) - 1);
      }
    },
  };
}

function passOn(upstream: URL, { req, res, body, holder }: Admitted): Promise<void> {
  const began = Date.now();
  const tool = req.method === 'POST' ? toolIn(body) : undefined;
  let status = 502;
  const call = request({
    host: upstream.hostname,
    port: upstream.port,
    path: upstream.pathname,
    method: req.method,
    headers: {
      ...chosen(req.headers, PASSED),
      // Servers that accept requests to themselves only check this.
      host: `localhost:${upstream.port}`,
      ...(req.method === 'POST' ? { 'content-length': body.length } : {}),
    },
    timeout: req.method === 'GET' ? 0 : CALL_MS,
  });
  call.on('timeout', () => call.destroy());
  call.on('error', (error) => {
    if (res.headersSent) res.destroy();
    else replyUnreachable(res, error);
  });
  call.on('response', (reply) => {
    const { statusCode = 502 } = reply;
    if (statusCode >= 300 && statusCode < 400) {
      reply.resume();
      return send(res, 502, {
        error: 'The server answers with a redirect. Deploy it with the path that it redirects to.',
      });
    }
    status = statusCode;
    res.writeHead(status, { 'cache-control': 'no-store', ...chosen(reply.headers, RETURNED) });
    reply.on('error', () => res.destroy());
    reply.pipe(res);
  });
  return new Promise((resolve) => {
    res.on('close', () => {
      call.destroy();
      if (tool !== undefined) holder.call({ tool, ms: Date.now() - began, failed: status >= 400 });
      resolve();
    });
    call.end(body);
  });
}

const chosen = (headers: IncomingHttpHeaders, names: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.test(name)));

/** Returns the tool that a request calls; undefined if it calls none. */
function toolIn(body: Buffer): unknown {
  try {
    const { method, params } = fieldsOf(JSON.parse(body.toString('utf8')));
    return method === 'tools/call' ? (fieldsOf(params).name ?? 'other') : undefined;
  } catch {
    return undefined;
  }
}
