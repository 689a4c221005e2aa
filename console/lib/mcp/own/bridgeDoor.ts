/**
 * Admits clients with the key, counts what they do, and leaves the rest to `answer`. Outwardly the same as
 * `server/mcp/serve.ts`, which the templates contain.
 */
export const DOOR = String.raw`import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, request } from "node:http";
import { connect } from "node:net";

const upstream = new URL(process.argv[1]);
const { MCP_KEY = "", MCP_ORIGINS = "", MCP_REQUESTS_PER_MINUTE, PORT } = process.env;
if (MCP_KEY.length < 16) throw new Error("Set MCP_KEY to at least 16 characters.");
const limit = Number(MCP_REQUESTS_PER_MINUTE || 120);
if (!Number.isInteger(limit) || limit < 1) throw new Error("Set MCP_REQUESTS_PER_MINUTE to a whole number from 1.");
const origins = MCP_ORIGINS.split(/[\s,]+/).filter(Boolean);
const MAX_BODY = 2 * 1024 * 1024;
const CALL_MS = 300_000;

const sha256 = (text) => createHash("sha256").update(text).digest();
const expected = sha256(MCP_KEY);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const send = (res, status, body) => {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { "Cache-Control": "no-store", ...(body ? { "Content-Type": "application/json" } : {}) });
  res.end(body ? JSON.stringify(body) : undefined);
};

/** The server as far as the bridge can reach it. */
const isReady = () =>
  new Promise((resolve) => {
    const socket = connect(Number(upstream.port), upstream.hostname, () => (socket.destroy(), resolve(true)));
    socket.setTimeout(2_000, () => (socket.destroy(), resolve(false)));
    socket.on("error", () => resolve(false));
  });

/** What the key was used for: numbers only, in memory. */
const since = new Date().toISOString();
const all = { requests: 0, refused: 0 };
const days = new Map();
const tools = new Map();
const countRequest = (isRefused) => {
  const date = new Date().toISOString().slice(0, 10);
  const day = days.get(date) ?? { requests: 0, refused: 0 };
  days.set(date, day);
  for (const [oldest] of days) if (days.size > 30) days.delete(oldest);
  for (const counts of [day, all]) {
    counts.requests += 1;
    if (isRefused) counts.refused += 1;
  }
};
/** Clients choose the names, so neither the list nor the log takes any name or any number of them. */
const countCall = (name, began, isFailed) => {
  const isPlain = typeof name === "string" && /^[\w.:/-]{1,128}$/.test(name);
  const tool = isPlain && (tools.has(name) || tools.size < 200) ? name : "other";
  const counts = tools.get(tool) ?? { calls: 0, failed: 0, total_ms: 0 };
  tools.set(tool, counts);
  const ms = Date.now() - began;
  counts.calls += 1;
  counts.total_ms += ms;
  if (isFailed) counts.failed += 1;
  console.log(new Date().toISOString(), tool, isFailed ? "failed" : "ok", ms + " ms");
};

let minute = 0;
let count = 0;
/** Returns the seconds to wait, 0 if the request is admitted. */
const wait = () => {
  const now = Math.floor(Date.now() / 60_000);
  if (now !== minute) [minute, count] = [now, 0];
  return ++count > limit ? Math.max(1, Math.ceil(((now + 1) * 60_000 - Date.now()) / 1000)) : 0;
};

/** The address as the client knows it: a gateway in front ends TLS. */
const baseOf = ({ headers: { host = "localhost" } }) => {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return (isLocal ? "http://" : "https://") + (/^[\w.:[\]-]{1,255}$/.test(host) ? host : "localhost");
};

const bodyOf = async (req) => {
  const parts = [];
  let size = 0;
  for await (const part of req) {
    if ((size += part.length) > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const handle = async (req, res) => {
  const { pathname } = new URL(req.url ?? "/", "http://localhost");
  if (pathname === "/health") {
    const ready = await isReady();
    return send(res, ready ? 200 : 503, { status: ready ? "ok" : "starting" });
  }
  const metadata = baseOf(req) + "/.well-known/oauth-protected-resource";
  if (pathname.startsWith("/.well-known/oauth-protected-resource"))
    return send(res, 200, { resource: baseOf(req) + "/mcp", bearer_methods_supported: ["header"] });
  if (pathname !== "/mcp" && pathname !== "/usage") return send(res, 404, { error: "Send MCP requests to /mcp." });
  const { origin } = req.headers;
  if (origin !== undefined && !origins.includes(origin))
    return send(res, 403, { error: "This web page may not call the server. Add its origin to MCP_ORIGINS." });
  if (origin !== undefined) {
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id");
    res.setHeader("Vary", "Origin");
  }
  if (req.method === "OPTIONS") {
    res.setHeader("Access-Control-Allow-Methods", pathname === "/usage" ? "GET" : "GET, POST, DELETE");
    res.setHeader(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
    );
    return void res.writeHead(204).end();
  }
  const sent = /^Bearer (.+)$/i.exec(req.headers.authorization ?? "")?.[1] ?? "";
  if (!timingSafeEqual(sha256(sent), expected)) {
    res.setHeader("WWW-Authenticate", 'Bearer resource_metadata="' + metadata + '"');
    return send(res, 401, { error: "Send the key: Authorization: Bearer …" });
  }
  if (pathname === "/usage")
    return send(res, 200, {
      requests_per_minute: limit,
      since,
      ...all,
      days: [...days].map(([date, counts]) => ({ date, ...counts })),
      tools: [...tools].map(([name, counts]) => ({ name, ...counts })),
    });
  if (!["GET", "POST", "DELETE"].includes(req.method)) {
    res.setHeader("Allow", "GET, POST, DELETE");
    return send(res, 405, { error: "Send a POST." });
  }
  const seconds = wait();
  countRequest(seconds > 0);
  if (seconds > 0) {
    res.setHeader("Retry-After", String(seconds));
    return send(res, 429, { error: "Too many requests: the key may send " + limit + " per minute." });
  }
  const body = await bodyOf(req);
  if (body === null) {
    res.setHeader("Connection", "close");
    return send(res, 413, { error: "The body is larger than " + MAX_BODY + " bytes." });
  }
  await answer(req, res, body);
};

const unreachable = (res, error) => {
  if (error?.code === "ECONNREFUSED" || error?.code === "ENOTFOUND" || error?.code === "EAI_AGAIN") {
    res.setHeader("Retry-After", "5");
    return send(res, 503, { error: "The server isn’t ready. It may still be installing; its log says more." });
  }
  send(res, 502, { error: "The server ended the connection. Its log says more." });
};
`;
