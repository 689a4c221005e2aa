/**
 * The keys of the bridge: `MCP_KEY`, which is the owner's, and those in `MCP_KEYS`. Each has its own rate and its own
 * counts. The same as `server/mcp/keys.ts` and `server/mcp/keyUsage.ts`, which the templates contain.
 */
export const KEYS = String.raw`import { createHash, timingSafeEqual } from "node:crypto";

const OWNER = "default";
const MAX_KEYS = 32;
const MAX_TOOLS = 100;
const MAX_DAYS = 30;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const KEY = /^[A-Za-z0-9._~+/=-]{16,512}$/;

/** Returns the keys by name. Names entries by their position: any part of one may be a key. */
const keysIn = (owner, others) => {
  if (owner.length < 16) throw new Error("Set MCP_KEY to at least 16 characters.");
  const keys = new Map([[OWNER, owner]]);
  const entries = others.split(/[\s,]+/).filter(Boolean);
  if (entries.length >= MAX_KEYS) throw new Error("MCP_KEYS can have " + (MAX_KEYS - 1) + " keys, and has " + entries.length + ".");
  for (const [index, entry] of entries.entries()) {
    const at = "Entry " + (index + 1) + " of MCP_KEYS ";
    const colon = entry.indexOf(":");
    if (colon < 0) throw new Error(at + "must be written as name:key.");
    const name = entry.slice(0, colon);
    const key = entry.slice(colon + 1);
    if (!NAME.test(name))
      throw new Error(at + "needs a name of 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.");
    if (!KEY.test(key)) throw new Error(at + "needs a key of 16 to 512 letters, digits and any of . _ ~ + / = -");
    if (keys.has(name)) throw new Error(at + (name === OWNER ? "can’t have the name of MCP_KEY." : "has the name of an earlier one."));
    if ([...keys.values()].includes(key)) throw new Error(at + "has the key of an earlier one or of MCP_KEY.");
    keys.set(name, key);
  }
  return keys;
};

const sha256 = (text) => createHash("sha256").update(text).digest();

/** What a key was used for: numbers only, in memory. */
const since = new Date().toISOString();
const clients = [...keysIn(process.env.MCP_KEY ?? "", process.env.MCP_KEYS ?? "")].map(([name, key]) => ({
  name,
  digest: sha256(key),
  minute: 0,
  count: 0,
  all: { requests: 0, refused: 0 },
  last_used: null,
  days: new Map(),
  tools: new Map(),
}));
/** Compares with every key, so that the time it takes doesn't say which one was close. */
const clientOf = (sent) => {
  const digest = sha256(sent);
  let found;
  for (const client of clients) if (timingSafeEqual(digest, client.digest)) found = client;
  return found;
};

const countRequest = (client, isRefused) => {
  const now = new Date().toISOString();
  const date = now.slice(0, 10);
  const day = client.days.get(date) ?? { requests: 0, refused: 0 };
  client.days.set(date, day);
  for (const [oldest] of client.days) if (client.days.size > MAX_DAYS) client.days.delete(oldest);
  for (const counts of [day, client.all]) {
    counts.requests += 1;
    if (isRefused) counts.refused += 1;
  }
  if (!isRefused) client.last_used = now;
};
/** Clients choose the names, so neither the list nor the log takes any name or any number of them. */
const countCall = ({ tools }, name, began, isFailed) => {
  const isPlain = typeof name === "string" && /^[\w.:/-]{1,128}$/.test(name);
  const tool = isPlain && (tools.has(name) || tools.size < MAX_TOOLS) ? name : "other";
  const counts = tools.get(tool) ?? { calls: 0, failed: 0, total_ms: 0 };
  tools.set(tool, counts);
  const ms = Date.now() - began;
  counts.calls += 1;
  counts.total_ms += ms;
  if (isFailed) counts.failed += 1;
  console.log(new Date().toISOString(), tool, isFailed ? "failed" : "ok", ms + " ms");
};

/** Returns the seconds to wait, 0 if the request is admitted. */
const wait = (client, limit) => {
  const now = Math.floor(Date.now() / 60_000);
  if (now !== client.minute) [client.minute, client.count] = [now, 0];
  return ++client.count > limit ? Math.max(1, Math.ceil(((now + 1) * 60_000 - Date.now()) / 1000)) : 0;
};

const usageOf = ({ name, all, last_used, days, tools }) => ({
  name,
  ...all,
  last_used,
  days: [...days].map(([date, counts]) => ({ date, ...counts })),
  tools: [...tools].map(([tool, counts]) => ({ name: tool, ...counts })),
});
/** What a client may know: its own use, and with the owner's key that of all. */
const usageFor = (client) => ({
  ...usageOf(client),
  keys: (client.name === OWNER ? clients : [client]).map(usageOf),
});
`;
