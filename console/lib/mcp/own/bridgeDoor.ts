/**
 * Admits clients with a key, counts what they do, and leaves the rest to `answer`. Outwardly the same as
 * `server/mcp/serve.ts`, which the templates contain.
 */
export const DOOR = String.raw`
import { randomUUID } from "node:crypto";
import { createServer, request } from "node:http";
import { connect } from "node:net";

const upstream = new URL(process.argv[1]);
const { MCP_ORIGINS = "", MCP_REQUESTS_PER_MINUTE, PORT } = process.env;
const limit = Number(MCP_REQUESTS_PER_MINUTE || 120);
if (!Number.isInteger(limit) || limit < 1) throw new Error("Set MCP_REQUESTS_PER_MINUTE to a whole number from 1.");
const origins = MCP_ORIGINS.split(/[\s,]+/).filter(Boolean);
const MAX_BODY = 2 * 1024 * 1024;
const CALL_MS = 300_000;

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
  const client = clientOf(sent);
  if (client === undefined) {
    res.setHeader("WWW-Authenticate", 'Bearer resource_metadata="' + metadata + '"');
    return send(res, 401, { error: "Send the key: Authorization: Bearer …" });
  }
  if (pathname === "/usage") return send(res, 200, { requests_per_minute: limit, since, ...usageFor(client) });
  if (!["GET", "POST", "DELETE"].includes(req.method)) {
    res.setHeader("Allow", "GET, POST, DELETE");
    return send(res, 405, { error: "Send a POST." });
  }
  const seconds = wait(client, limit);
  countRequest(client, seconds > 0);
  if (seconds > 0) {
    res.setHeader("Retry-After", String(seconds));
    return send(res, 429, { error: "Too many requests: the key may send " + limit + " per minute." });
  }
  const body = await bodyOf(req);
  if (body === null) {
    res.setHeader("Connection", "close");
    return send(res, 413, { error: "The body is larger than " + MAX_BODY + " bytes." });
  }
  await answer(req, res, body, client);
};

const unreachable = (res, error) => {
  if (error?.code === "ECONNREFUSED" || error?.code === "ENOTFOUND" || error?.code === "EAI_AGAIN") {
    res.setHeader("Retry-After", "5");
    return send(res, 503, { error: "The server isn’t ready. It may still be installing; its log says more." });
  }
  send(res, 502, { error: "The server ended the connection. Its log says more." });
};
`;
