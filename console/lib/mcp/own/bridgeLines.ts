/**
 * Speaks for a server that reads lines. Clients of the revisions with sessions have a process each; those of the
 * stateless revision share one, to which the bridge is the client.
 */
export const LINES = String.raw`
const CURRENT = "2026-07-28";
const EARLIER = ["2025-11-25", "2025-06-18", "2025-03-26"];
const META = "io.modelcontextprotocol";
const MAX_LINE = 16 * 1024 * 1024;
const MAX_SESSIONS = 16;
const MAX_HELD = 50;
const IDLE_MS = 30 * 60_000;
const failed = (id, code, message, data) => ({ jsonrpc: "2.0", id: id ?? null, error: { code, message, ...(data ? { data } : {}) } });
const isRequest = (message) => typeof message.method === "string" && message.id !== undefined;

/** A connection to the server, which is a process of its own. */
const open = (onMessage, onClose) => {
  const waiting = new Map();
  let text = "";
  let cause = new Error("closed");
  let isClosed = false;
  const socket = connect(Number(upstream.port), upstream.hostname).setNoDelay().setEncoding("utf8");
  const read = (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (!isObject(message)) return;
    if (message.method !== undefined) return onMessage(message);
    waiting.get(message.id)?.resolve(message);
  };
  socket.on("data", (part) => {
    text += part;
    if (part.includes("\n")) {
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) read(line);
    }
    if (text.length > MAX_LINE) socket.destroy();
  });
  socket.on("error", (error) => (cause = error));
  socket.on("close", () => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(cause);
    waiting.clear();
    onClose();
  });
  const tell = (message) => void (isClosed || socket.write(JSON.stringify(message) + "\n"));
  return {
    tell,
    close: () => socket.destroy(),
    isWaiting: (id) => waiting.has(id),
    forget: (id) => waiting.get(id)?.reject(new Error("cancelled")),
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(cause);
        const { id } = message;
        const timer = setTimeout(() => waiting.get(id)?.reject(new Error("timeout")), CALL_MS);
        const settled = (settle) => (value) => {
          clearTimeout(timer);
          waiting.delete(id);
          settle(value);
        };
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
        tell(message);
      }),
  };
};

/** Asks, and counts the call of a tool. */
const ask = async (client, peer, message, name) => {
  const began = Date.now();
  const isCall = message.method === "tools/call";
  try {
    const reply = await peer.ask(message);
    if (isCall) countCall(client, name, began, reply.error !== undefined || reply.result?.isError === true);
    return reply;
  } catch (error) {
    if (isCall) countCall(client, name, began, true);
    throw error;
  }
};

const sessions = new Map();
const end = (id) => {
  const session = sessions.get(id);
  sessions.delete(id);
  session?.stream?.end();
  session?.peer.close();
};
setInterval(() => {
  for (const [id, { used, stream, busy }] of sessions) if (!stream && busy === 0 && Date.now() - used > IDLE_MS) end(id);
}, 60_000).unref();
const event = (message) => "event: message\ndata: " + JSON.stringify(message) + "\n\n";

/** Ends the session that was used least recently by the key that has the most, so that no key ends those of the others. */
const makeRoom = () => {
  const held = new Map();
  for (const { client } of sessions.values()) held.set(client, (held.get(client) ?? 0) + 1);
  const most = Math.max(...held.values());
  const [[id]] = [...sessions].filter(([, { client }]) => held.get(client) === most).sort(([, a], [, b]) => a.used - b.used);
  end(id);
};

const begin = async (res, message, client) => {
  if (sessions.size >= MAX_SESSIONS) makeRoom();
  const id = randomUUID();
  const session = { client, used: Date.now(), busy: 0, stream: null, held: [] };
  session.peer = open(
    (told) => {
      if (session.stream) return void session.stream.write(event(told));
      session.held.push(told);
      if (session.held.length > MAX_HELD) session.held.shift();
    },
    () => end(id),
  );
  sessions.set(id, session);
  try {
    const reply = await session.peer.ask(message);
    if (reply.result) res.setHeader("Mcp-Session-Id", id);
    else end(id);
    send(res, 200, reply);
  } catch (error) {
    end(id);
    throw error;
  }
};

const inSession = async (req, res, id, message, client) => {
  const session = sessions.get(id);
  // To other keys, it is as if there were none.
  if (session?.client !== client) return send(res, 404, failed(message?.id, -32001, "The session has ended. Initialize again."));
  session.used = Date.now();
  if (req.method === "DELETE") {
    end(id);
    return send(res, 204, null);
  }
  if (req.method === "GET") {
    session.stream?.end();
    session.stream = res;
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
    res.flushHeaders();
    for (const told of session.held.splice(0)) res.write(event(told));
    res.on("close", () => {
      if (session.stream === res) session.stream = null;
      session.used = Date.now();
    });
    return;
  }
  if (!isRequest(message)) {
    session.peer.tell(message);
    return send(res, 202, null);
  }
  if (session.peer.isWaiting(message.id))
    return send(res, 400, failed(message.id, -32600, "A request with this ID is in progress."));
  session.busy += 1;
  try {
    send(res, 200, await ask(client, session.peer, message, message.params?.name));
  } finally {
    session.busy -= 1;
    session.used = Date.now();
  }
};

/** The process that clients of the stateless revision share. */
let shared = null;
let asked = 0;
const sharedServer = () => (shared ??= connectShared());
const connectShared = () => {
  const peer = open(
    (told) => {
      if (isRequest(told)) peer.tell(failed(told.id, -32601, "The bridge can’t do this."));
    },
    () => (shared = null),
  );
  const params = { protocolVersion: EARLIER[0], capabilities: {}, clientInfo: { name: "mcp-bridge", version: "1.0.0" } };
  const opened = peer.ask({ jsonrpc: "2.0", id: (asked += 1), method: "initialize", params }).then(({ result }) => {
    // A server of the stateless revision alone doesn't know initialize, and is given requests as they are.
    if (result) peer.tell({ jsonrpc: "2.0", method: "notifications/initialized" });
    return { peer, about: result ?? null };
  });
  opened.catch(() => peer.close());
  return opened;
};

const METHODS = /^(tools\/(list|call)|resources\/(list|read|templates\/list)|prompts\/(list|get)|completion\/complete)$/;
const CACHED = /^(server\/discover|.*\/list|resources\/read)$/;
const resultOf = (method, result, about) => ({
  ...result,
  resultType: "complete",
  // The server may change its lists without this client hearing of it.
  ...(CACHED.test(method) ? { ttlMs: 60_000, cacheScope: "private" } : {}),
  _meta: { ...(isObject(result._meta) ? result._meta : {}), [META + "/serverInfo"]: about.serverInfo },
});

const stateless = async (req, res, message, client) => {
  const { id, method } = message;
  const params = isObject(message.params) ? message.params : {};
  const refuse = (why) => send(res, 400, failed(id, -32020, why));
  if (params._meta?.[META + "/protocolVersion"] !== CURRENT)
    return refuse("MCP-Protocol-Version and the version in _meta differ.");
  if (req.headers["mcp-method"] !== method) return refuse("Mcp-Method and the method in the body differ.");
  const named = { "tools/call": params.name, "prompts/get": params.name, "resources/read": params.uri }[method];
  if (named !== undefined && req.headers["mcp-name"] !== named) return refuse("Mcp-Name and the name in the body differ.");
  if (!isRequest(message)) return send(res, 202, null);
  const { peer, about } = await sharedServer();
  // Clients don't know of each other's IDs.
  const own = (asked += 1);
  res.on("close", () => {
    if (res.writableFinished || !peer.isWaiting(own)) return;
    peer.tell({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: own } });
    peer.forget(own);
  });
  if (!about) {
    const reply = await ask(client, peer, { ...message, id: own }, params.name);
    return send(res, reply.error?.code === -32601 ? 404 : 200, { ...reply, id });
  }
  if (method === "server/discover") {
    const offered = ["tools", "resources", "prompts", "completions"].filter((one) => about.capabilities?.[one]);
    const discovered = {
      supportedVersions: [CURRENT, ...EARLIER],
      capabilities: Object.fromEntries(offered.map((one) => [one, {}])),
      ...(typeof about.instructions === "string" ? { instructions: about.instructions } : {}),
    };
    return send(res, 200, { jsonrpc: "2.0", id, result: resultOf(method, discovered, about) });
  }
  if (!METHODS.test(method)) return send(res, 404, failed(id, -32601, "Unknown method: " + method.slice(0, 100)));
  const { _meta, ...rest } = params;
  const reply = await ask(client, peer, { jsonrpc: "2.0", id: own, method, params: rest }, params.name);
  if (!isObject(reply.result)) return send(res, reply.error?.code === -32601 ? 404 : 200, { ...reply, id });
  send(res, 200, { jsonrpc: "2.0", id, result: resultOf(method, reply.result, about) });
};

const answer = async (req, res, body, client) => {
  try {
    const version = req.headers["mcp-protocol-version"];
    const session = req.headers["mcp-session-id"];
    let message = null;
    if (req.method === "POST") {
      try {
        message = JSON.parse(body.toString("utf8"));
      } catch {
        return send(res, 400, failed(null, -32700, "The body is not JSON."));
      }
      if (!isObject(message) || message.jsonrpc !== "2.0")
        return send(res, 400, failed(null, -32600, "Send one JSON-RPC 2.0 message."));
      if (version !== undefined && version !== CURRENT && !EARLIER.includes(version))
        return send(
          res,
          400,
          failed(message.id, -32022, "Unsupported protocol version.", {
            supported: [CURRENT, ...EARLIER],
            requested: version.slice(0, 40),
          }),
        );
      if (version === CURRENT)
        return typeof message.method === "string"
          ? await stateless(req, res, message, client)
          : send(res, 400, failed(message.id, -32600, "The stateless revision has no replies from clients."));
      if (message.method === "initialize" && isRequest(message)) return await begin(res, message, client);
    } else if (version === CURRENT) {
      res.setHeader("Allow", "POST");
      return send(res, 405, { error: "Send a POST: this revision has no sessions and no streams." });
    }
    if (session === undefined) return send(res, 400, failed(message?.id, -32600, "Initialize first, then send Mcp-Session-Id."));
    await inSession(req, res, session, message, client);
  } catch (error) {
    unreachable(res, error);
  }
};
`;
