import { DOOR } from './bridgeDoor';
import { KEYS } from './bridgeKeys';
import { LINES } from './bridgeLines';

/*
 * The programs that stand before a server of the user's own. Plain JavaScript for Node.js without dependencies, so that
 * the compose hash covers all of it; `bridge.test.ts` runs them as they are deployed.
 */

const START = String.raw`
createServer((req, res) => {
  handle(req, res).catch((error) => {
    console.error(error instanceof Error ? error.name : "a request failed");
    if (!res.headersSent) send(res, 500, { error: "The bridge failed." });
    else res.destroy();
  });
}).listen(PORT || 8080, () => console.log("The bridge listens on port " + (PORT || 8080)));
`;

/** Passes requests on to a server that speaks HTTP itself, without the key. The server decides about versions. */
const HTTP = String.raw`
const PASSED = /^(accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/;
const RETURNED = /^(content-type|cache-control|retry-after|x-accel-buffering|allow|mcp-[a-z0-9-]+)$/;
const chosen = (headers, names) => Object.fromEntries(Object.entries(headers).filter(([name]) => names.test(name)));
const toolIn = (body) => {
  try {
    const message = JSON.parse(body.toString("utf8"));
    return message.method === "tools/call" ? (message.params?.name ?? "other") : undefined;
  } catch {
    return undefined;
  }
};

const answer = (req, res, body, client) =>
  new Promise((resolve) => {
    const began = Date.now();
    const tool = req.method === "POST" ? toolIn(body) : undefined;
    let status = 502;
    const call = request({
      host: upstream.hostname,
      port: upstream.port,
      path: upstream.pathname,
      method: req.method,
      headers: {
        ...chosen(req.headers, PASSED),
        // Servers that accept requests to themselves only check this.
        host: "localhost:" + upstream.port,
        ...(req.method === "POST" ? { "content-length": body.length } : {}),
      },
      timeout: req.method === "GET" ? 0 : CALL_MS,
    });
    call.on("timeout", () => call.destroy());
    call.on("error", (error) => (res.headersSent ? res.destroy() : unreachable(res, error)));
    call.on("response", (reply) => {
      status = reply.statusCode;
      if (status >= 300 && status < 400) {
        reply.resume();
        status = 502;
        return send(res, 502, { error: "The server answers with a redirect. Deploy it with the path that it redirects to." });
      }
      res.writeHead(status, { "cache-control": "no-store", ...chosen(reply.headers, RETURNED) });
      reply.on("error", () => res.destroy());
      reply.pipe(res);
    });
    res.on("close", () => {
      call.destroy();
      if (tool !== undefined) countCall(client, tool, began, status >= 400);
      resolve();
    });
    call.end(body);
  });
`;

/** Returns the bridge's program. Its argument is the server's URL: `tcp:` for lines, `http:` with the path. */
export const bridgeProgram = (to: 'stdio' | 'http'): string =>
  KEYS + DOOR + (to === 'http' ? HTTP : LINES) + START;
