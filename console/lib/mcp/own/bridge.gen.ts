// Written by npm run codegen from server/mcp. Do not edit.

export const BRIDGE = `import { createServer, request } from "node:http";
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { connect } from "node:net";
// console/lib/ownValue.ts
/**
* Returns the record's own value under \`key\`, never one inherited from Object.prototype: a caller's
* \`constructor\` or \`__proto__\` is treated like any unknown key. \`npm run check\` (own keys) requires this for
* keys of type string.
*/
function ownValue(record, key) {
	return Object.hasOwn(record, key) ? record[key] : void 0;
}
// server/mcp/keyUsage.ts
var DAYS = 30;
/** With distinct names; further ones are counted together. */
var MAX_TOOLS = 100;
/** What a key was used for since the program started: numbers only, in memory. */
var KeyUsage = class {
	#all = {
		requests: 0,
		refused: 0
	};
	/** The last request that was admitted. */
	#last_used = null;
	#days = /* @__PURE__ */ new Map();
	#tools = /* @__PURE__ */ new Map();
	/** Counts a request with the key. */
	request(is_refused, now = /* @__PURE__ */ new Date()) {
		const date = now.toISOString().slice(0, 10);
		const day = this.#days.get(date) ?? {
			requests: 0,
			refused: 0
		};
		this.#days.set(date, day);
		for (const [oldest] of this.#days) if (this.#days.size > DAYS) this.#days.delete(oldest);
		for (const counts of [day, this.#all]) {
			counts.requests += 1;
			if (is_refused) counts.refused += 1;
		}
		if (!is_refused) this.#last_used = now.toISOString();
	}
	/**
	* Counts a call. Where clients choose the tool's name, neither the list nor the log takes any name or any number of them.
	* @returns the name that it is counted under
	*/
	call({ tool, ms, failed }) {
		const name = typeof tool === "string" && /^[\\w.:/-]{1,128}$/.test(tool) && (this.#tools.has(tool) || this.#tools.size < MAX_TOOLS) ? tool : "other";
		const counts = this.#tools.get(name) ?? {
			calls: 0,
			failed: 0,
			total_ms: 0
		};
		this.#tools.set(name, counts);
		counts.calls += 1;
		counts.total_ms += ms;
		if (failed) counts.failed += 1;
		return name;
	}
	toJSON() {
		return {
			...this.#all,
			last_used: this.#last_used,
			days: [...this.#days].map(([date, counts]) => ({
				date,
				...counts
			})),
			tools: [...this.#tools].map(([name, counts]) => ({
				name,
				...counts
			}))
		};
	}
};
// server/mcp/keys.ts
/** The keys of a server: the owner's, in \`MCP_KEY\`, and further ones in \`MCP_KEYS\`. */
/** Name of the owner's key. */
var OWNER = "default";
var MAX_KEYS = 32;
var OWNER_KEY_MIN = 16;
var MINUTE_MS = 6e4;
var NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Characters of a bearer token (RFC 6750 §2.1). */
var KEY = /^[A-Za-z0-9._~+/=-]{16,512}$/;
/**
* Reads \`MCP_KEY\` and \`MCP_KEYS\`, a list of \`name:key\`. @returns the keys by name
* @throws with what to change. Names entries by their position: any part of one may be a key.
*/
function keysFrom(env) {
	const owner = env.MCP_KEY ?? "";
	if (owner.length < OWNER_KEY_MIN) throw new Error(\`Set MCP_KEY to at least \${OWNER_KEY_MIN} characters.\`);
	const keys = /* @__PURE__ */ new Map([[OWNER, owner]]);
	const entries = (env.MCP_KEYS ?? "").split(/[\\s,]+/).filter(Boolean);
	if (entries.length >= MAX_KEYS) throw new Error(\`MCP_KEYS can have 31 keys, and has \${entries.length}.\`);
	for (const [index, entry] of entries.entries()) {
		const at = \`Entry \${index + 1} of MCP_KEYS\`;
		const colon = entry.indexOf(":");
		if (colon < 0) throw new Error(\`\${at} must be written as name:key.\`);
		const name = entry.slice(0, colon);
		const key = entry.slice(colon + 1);
		if (!NAME.test(name)) throw new Error(\`\${at} needs a name of 1 to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit.\`);
		if (!KEY.test(key)) throw new Error(\`\${at} needs a key of 16 to 512 letters, digits and any of . _ ~ + / = -\`);
		if (keys.has(name)) throw new Error(\`\${at} \${name === "default" ? "can’t have the name of MCP_KEY" : "has the name of an earlier one"}.\`);
		if ([...keys.values()].includes(key)) throw new Error(\`\${at} has the key of an earlier one or of MCP_KEY.\`);
		keys.set(name, key);
	}
	return keys;
}
/** Who has one of the keys: what it may send and what it has sent. */
var KeyHolder = class {
	name;
	requests_per_minute;
	digest;
	#usage = new KeyUsage();
	#minute = 0;
	#count = 0;
	constructor(name, key, requests_per_minute) {
		this.name = name;
		this.requests_per_minute = requests_per_minute;
		this.digest = sha256(key);
	}
	/** Counts a request. @returns seconds to wait, 0 if it is admitted */
	request() {
		const now = Math.floor(Date.now() / MINUTE_MS);
		if (now !== this.#minute) [this.#minute, this.#count] = [now, 0];
		const is_refused = ++this.#count > this.requests_per_minute;
		this.#usage.request(is_refused);
		return is_refused ? Math.max(1, Math.ceil(((now + 1) * MINUTE_MS - Date.now()) / 1e3)) : 0;
	}
	/** Counts and logs a call of a tool, without its arguments and result. */
	call(call) {
		const name = this.#usage.call(call);
		console.log(\`\${(/* @__PURE__ */ new Date()).toISOString()} \${name} \${call.failed ? "failed" : "ok"} \${call.ms} ms\`);
	}
	toJSON() {
		return {
			name: this.name,
			...this.#usage.toJSON()
		};
	}
};
/** Compares with every key, so that the time it takes doesn't say which one was close. */
function holderOf(holders, sent) {
	const digest = sha256(sent);
	let found;
	for (const holder of holders) if (timingSafeEqual(digest, holder.digest)) found = holder;
	return found;
}
var sha256 = (text) => createHash("sha256").update(text).digest();
// server/mcp/door.ts
var MAX_BODY = 2097152;
var CLIENT_HEADERS = [
	"Authorization",
	"Content-Type",
	"MCP-Protocol-Version",
	"Mcp-Method",
	"Mcp-Name"
];
/**
* Reads the options from \`MCP_KEY\`, \`MCP_KEYS\`, \`MCP_ORIGINS\`, \`MCP_REQUESTS_PER_MINUTE\` and \`PORT\`. @throws with what to set
*/
function optionsFrom(env) {
	const keys = keysFrom(env);
	const requests_per_minute = Number(env.MCP_REQUESTS_PER_MINUTE || 120);
	if (!Number.isInteger(requests_per_minute) || requests_per_minute < 1) throw new Error("Set MCP_REQUESTS_PER_MINUTE to a whole number from 1.");
	return {
		keys,
		origins: (env.MCP_ORIGINS ?? "").split(/[\\s,]+/).filter(Boolean),
		requests_per_minute,
		port: Number(env.PORT || 8080)
	};
}
/**
* Serves \`/mcp\` to clients with a key, and \`/usage\`, which says what the key was used for; with the owner's, what each was
* used for. \`/health\` answers once the service is ready.
*/
function openDoor(service, options) {
	const since = (/* @__PURE__ */ new Date()).toISOString();
	const { requests_per_minute } = options;
	const holders = [...options.keys].map(([name, key]) => new KeyHolder(name, key, requests_per_minute));
	const methods = service.has_sessions ? [
		"GET",
		"POST",
		"DELETE"
	] : ["POST"];
	const admit = async (req, res) => {
		const { pathname } = new URL(req.url ?? "/", "http://localhost");
		if (pathname === "/health") {
			const is_ready = await service.isReady?.() ?? true;
			return send(res, is_ready ? 200 : 503, { status: is_ready ? "ok" : "starting" });
		}
		const metadata = \`\${baseOf(req)}/.well-known/oauth-protected-resource\`;
		if (pathname.startsWith("/.well-known/oauth-protected-resource")) return send(res, 200, {
			resource: \`\${baseOf(req)}/mcp\`,
			resource_name: service.title,
			bearer_methods_supported: ["header"]
		});
		if (pathname !== "/mcp" && pathname !== "/usage") return send(res, 404, { error: "Send MCP requests to /mcp." });
		const { origin } = req.headers;
		if (origin !== void 0 && !options.origins.includes(origin)) return send(res, 403, { error: "This web page may not call the server. Add its origin to MCP_ORIGINS." });
		if (origin !== void 0) {
			res.setHeader("Access-Control-Allow-Origin", origin);
			if (service.has_sessions) res.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id");
			res.setHeader("Vary", "Origin");
		}
		if (req.method === "OPTIONS") {
			const headers = service.has_sessions ? [
				...CLIENT_HEADERS,
				"Last-Event-ID",
				"Mcp-Session-Id"
			] : CLIENT_HEADERS;
			res.setHeader("Access-Control-Allow-Methods", pathname === "/usage" ? "GET" : methods.join(", "));
			res.setHeader("Access-Control-Allow-Headers", headers.join(", "));
			res.writeHead(204).end();
			return;
		}
		const sent = /^Bearer (.+)$/i.exec(req.headers.authorization ?? "")?.[1] ?? "";
		const holder = holderOf(holders, sent);
		if (!holder) {
			res.setHeader("WWW-Authenticate", \`Bearer resource_metadata="\${metadata}"\`);
			return send(res, 401, { error: "Send the key: Authorization: Bearer …" });
		}
		if (pathname === "/usage") {
			const keys = holder.name === "default" ? holders : [holder];
			return send(res, 200, {
				requests_per_minute,
				since,
				...holder.toJSON(),
				keys
			});
		}
		if (!methods.includes(req.method ?? "")) {
			const why = service.has_sessions ? "" : " This server has no sessions and no streams.";
			res.setHeader("Allow", methods.join(", "));
			return send(res, 405, { error: \`Send a POST.\${why}\` });
		}
		const seconds = holder.request();
		if (seconds > 0) {
			res.setHeader("Retry-After", String(seconds));
			return send(res, 429, { error: \`Too many requests: the key may send \${requests_per_minute} per minute.\` });
		}
		const body = await bodyOf(req);
		if (body === null) {
			res.setHeader("Connection", "close");
			return send(res, 413, { error: \`The body is larger than \${MAX_BODY} bytes.\` });
		}
		await service.answer({
			req,
			res,
			body,
			holder
		});
	};
	const { name, title = name } = service;
	return createServer((req, res) => {
		admit(req, res).catch((error) => {
			console.error(error instanceof Error ? error.name : "a request failed");
			if (!res.headersSent) send(res, 500, { error: \`\${name} failed.\` });
			else res.destroy();
		});
	}).listen(options.port, () => console.log(\`\${title} listens on port \${options.port}\`));
}
var headersOf = (req) => (name) => [ownValue(req.headers, name)].flat()[0];
/** The address as the client knows it: a gateway in front ends TLS. */
function baseOf({ headers: { host = "localhost" } }) {
	return \`\${/^(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?$/.test(host) ? "http" : "https"}://\${/^[\\w.:[\\]-]{1,255}$/.test(host) ? host : "localhost"}\`;
}
async function bodyOf(req) {
	const parts = [];
	let size = 0;
	for await (const part of req) {
		size += part.length;
		if (size > MAX_BODY) return null;
		parts.push(part);
	}
	return Buffer.concat(parts);
}
/** Replies, unless there is a reply or nobody to get it. */
function send(res, status, body) {
	if (res.headersSent || res.destroyed) return;
	res.writeHead(status, {
		"Cache-Control": "no-store",
		...body === null ? {} : { "Content-Type": "application/json" }
	});
	res.end(body === null ? void 0 : JSON.stringify(body));
}
// server/mcp/messages.ts
/** What servers and the bridge know of the protocol. https://modelcontextprotocol.io/specification */
/** The stateless revision. */
var CURRENT = "2026-07-28";
/** Those with sessions, the newest first. */
var EARLIER = [
	"2025-11-25",
	"2025-06-18",
	"2025-03-26"
];
/** Prefix of the protocol's own entries in \`_meta\`. */
var META = "io.modelcontextprotocol";
var PARSE_ERROR = -32700;
var INVALID_REQUEST = -32600;
var UNKNOWN_METHOD = -32601;
var HEADER_MISMATCH = -32020;
var UNSUPPORTED_VERSION = -32022;
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var fieldsOf = (value) => isObject(value) ? value : {};
var errorReply = (id, code, message, data) => ({
	jsonrpc: "2.0",
	id: id ?? null,
	error: {
		code,
		message,
		...data === void 0 ? {} : { data }
	}
});
/** Returns how a request of the stateless revision contradicts its headers; null if it doesn't. */
function headerFault(method, params, header) {
	if (fieldsOf(params._meta)[\`io.modelcontextprotocol/protocolVersion\`] !== "2026-07-28") return "MCP-Protocol-Version and the version in _meta differ.";
	if (header("mcp-method") !== method) return "Mcp-Method and the method in the body differ.";
	const name = nameIn(method, params);
	return name !== void 0 && header("mcp-name") !== name ? "Mcp-Name and the name in the body differ." : null;
}
/** Returns what the request names, undefined if nothing. */
function nameIn(method, params) {
	if (method === "tools/call" || method === "prompts/get") return params.name;
	return method === "resources/read" ? params.uri : void 0;
}
// server/mcp/bridge/upstream.ts
/** How long the server can take for an answer. */
var CALL_MS = 3e5;
/** Returns whether something listens at the server's address. */
var isReachable = (upstream) => new Promise((resolve) => {
	const socket = connect(Number(upstream.port), upstream.hostname);
	const tell = (is_reachable) => {
		socket.destroy();
		resolve(is_reachable);
	};
	socket.on("connect", () => tell(true));
	socket.on("error", () => tell(false));
	socket.setTimeout(2e3, () => tell(false));
});
/** Replies that the server can't be reached, or no longer. */
function replyUnreachable(res, error) {
	const code = error instanceof Error && "code" in error ? error.code : void 0;
	if (code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
		res.setHeader("Retry-After", "5");
		return send(res, 503, { error: "The server isn’t ready. It may still be installing; its log says more." });
	}
	send(res, 502, { error: "The server ended the connection. Its log says more." });
}
// server/mcp/bridge/http.ts
var PASSED = /^(accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/;
var RETURNED = /^(content-type|cache-control|retry-after|x-accel-buffering|allow|mcp-[a-z0-9-]+)$/;
/** Streams that a key may keep open. */
var MAX_STREAMS = 32;
/** Passes requests on to a server that speaks HTTP itself, without the key. The server decides about versions. */
function httpBridge(upstream) {
	const streams = /* @__PURE__ */ new Map();
	return {
		name: "The bridge",
		has_sessions: true,
		isReady: () => isReachable(upstream),
		async answer(admitted) {
			const { req, res, holder } = admitted;
			if (req.method !== "GET") return passOn(upstream, admitted);
			const open = streams.get(holder) ?? 0;
			if (open >= MAX_STREAMS) {
				res.setHeader("Retry-After", "60");
				return send(res, 429, { error: \`The key has \${MAX_STREAMS} streams open. Close one first.\` });
			}
			streams.set(holder, open + 1);
			try {
				await passOn(upstream, admitted);
			} finally {
				streams.set(holder, (streams.get(holder) ?? 1) - 1);
			}
		}
	};
}
function passOn(upstream, { req, res, body, holder }) {
	const began = Date.now();
	const tool = req.method === "POST" ? toolIn(body) : void 0;
	let status = 502;
	const call = request({
		host: upstream.hostname,
		port: upstream.port,
		path: upstream.pathname,
		method: req.method,
		headers: {
			...chosen(req.headers, PASSED),
			host: \`localhost:\${upstream.port}\`,
			...req.method === "POST" ? { "content-length": body.length } : {}
		},
		timeout: req.method === "GET" ? 0 : CALL_MS
	});
	call.on("timeout", () => call.destroy());
	call.on("error", (error) => {
		if (res.headersSent) res.destroy();
		else replyUnreachable(res, error);
	});
	call.on("response", (reply) => {
		const { statusCode = 502 } = reply;
		if (statusCode >= 300 && statusCode < 400) {
			reply.resume();
			return send(res, 502, { error: "The server answers with a redirect. Deploy it with the path that it redirects to." });
		}
		status = statusCode;
		res.writeHead(status, {
			"cache-control": "no-store",
			...chosen(reply.headers, RETURNED)
		});
		reply.on("error", () => res.destroy());
		reply.pipe(res);
	});
	return new Promise((resolve) => {
		res.on("close", () => {
			call.destroy();
			if (tool !== void 0) holder.call({
				tool,
				ms: Date.now() - began,
				failed: status >= 400
			});
			resolve();
		});
		call.end(body);
	});
}
var chosen = (headers, names) => Object.fromEntries(Object.entries(headers).filter(([name]) => names.test(name)));
/** Returns the tool that a request calls; undefined if it calls none. */
function toolIn(body) {
	try {
		const { method, params } = fieldsOf(JSON.parse(body.toString("utf8")));
		return method === "tools/call" ? fieldsOf(params).name ?? "other" : void 0;
	} catch {
		return;
	}
}
// server/mcp/bridge/connection.ts
var MAX_LINE = 16777216;
/** A connection to a server that reads lines. Each has a process of its own. */
var Connection = class {
	#socket;
	#onMessage;
	/** By the request's ID. */
	#waiting = /* @__PURE__ */ new Map();
	#text = "";
	/** Why it ended. */
	#cause = /* @__PURE__ */ new Error("closed");
	#isClosed = false;
	/** @param onMessage receives what isn't a reply */
	constructor(upstream, onMessage, onClose) {
		this.#onMessage = onMessage;
		this.#socket = connect(Number(upstream.port), upstream.hostname).setNoDelay().setEncoding("utf8");
		this.#socket.on("data", (part) => this.#take(String(part)));
		this.#socket.on("error", (error) => this.#cause = error);
		this.#socket.on("close", () => {
			this.#isClosed = true;
			for (const { reject } of this.#waiting.values()) reject(this.#cause);
			this.#waiting.clear();
			onClose();
		});
	}
	#take(part) {
		this.#text += part;
		if (part.includes("\\n")) {
			const lines = this.#text.split("\\n");
			this.#text = lines.pop() ?? "";
			for (const line of lines) this.#read(line);
		}
		if (this.#text.length > MAX_LINE) this.#socket.destroy();
	}
	#read(line) {
		let message;
		try {
			message = JSON.parse(line);
		} catch {
			return;
		}
		if (!isObject(message)) return;
		if (message.method !== void 0) this.#onMessage(message);
		else this.#waiting.get(message.id)?.resolve(message);
	}
	tell(message) {
		if (!this.#isClosed) this.#socket.write(\`\${JSON.stringify(message)}\\n\`);
	}
	/** @returns the reply to the message's ID */
	ask(message) {
		return new Promise((resolve, reject) => {
			if (this.#isClosed) return reject(this.#cause);
			const { id } = message;
			const timer = setTimeout(() => this.#waiting.get(id)?.reject(/* @__PURE__ */ new Error("timeout")), CALL_MS);
			const settled = (settle) => (value) => {
				clearTimeout(timer);
				this.#waiting.delete(id);
				settle(value);
			};
			this.#waiting.set(id, {
				resolve: settled(resolve),
				reject: settled(reject)
			});
			this.tell(message);
		});
	}
	isWaiting(id) {
		return this.#waiting.has(id);
	}
	forget(id) {
		this.#waiting.get(id)?.reject(/* @__PURE__ */ new Error("cancelled"));
	}
	close() {
		this.#socket.destroy();
	}
};
var isRequest = ({ method, id }) => typeof method === "string" && id !== void 0;
/** Asks for a client, and counts the call of a tool. */
async function askFor(holder, server, message) {
	const began = Date.now();
	const count = (failed) => {
		const tool = fieldsOf(message.params).name;
		if (message.method === "tools/call") holder.call({
			tool,
			ms: Date.now() - began,
			failed
		});
	};
	try {
		const reply = await server.ask(message);
		count(reply.error !== void 0 || fieldsOf(reply.result).isError === true);
		return reply;
	} catch (error) {
		count(true);
		throw error;
	}
}
// server/mcp/bridge/sessions.ts
var MAX_SESSIONS = 16;
var IDLE_MS = 18e5;
/** Messages of the server that wait for the client's stream, and their characters. */
var MAX_HELD = 50;
var MAX_HELD_CHARS = 1048576;
/** Bytes that a client may leave unread before its stream ends. */
var MAX_UNREAD = 4194304;
var NO_SESSION = -32001;
/** Clients of the revisions with sessions. Each has a connection, and so a process, of its own. */
var Sessions = class {
	upstream;
	#sessions = /* @__PURE__ */ new Map();
	constructor(upstream) {
		this.upstream = upstream;
		setInterval(() => {
			for (const [id, { used, stream, busy }] of this.#sessions) if (!stream && busy === 0 && Date.now() - used > IDLE_MS) this.#end(id);
		}, 6e4).unref();
	}
	/** Opens a session with the client's first request. */
	async begin({ res, holder }, message) {
		if (this.#sessions.size >= MAX_SESSIONS) this.#makeRoom(holder);
		const id = randomUUID();
		const session = {
			holder,
			server: new Connection(this.upstream, (told) => deliver(session, told), () => this.#end(id)),
			used: Date.now(),
			busy: 0,
			stream: null,
			held: []
		};
		this.#sessions.set(id, session);
		try {
			const reply = await session.server.ask(message);
			if (reply.result) res.setHeader("Mcp-Session-Id", id);
			else this.#end(id);
			send(res, 200, reply);
		} catch (error) {
			this.#end(id);
			throw error;
		}
	}
	/** Answers a request within a session. @param message null for a GET or DELETE */
	async answer({ req, res, holder }, id, message) {
		const session = this.#sessions.get(id);
		if (session?.holder !== holder) return send(res, 404, errorReply(message?.id, NO_SESSION, "The session has ended. Initialize again."));
		session.used = Date.now();
		if (req.method === "DELETE") {
			this.#end(id);
			return send(res, 204, null);
		}
		if (message === null) return openStream(session, res);
		if (!isRequest(message)) {
			session.server.tell(message);
			return send(res, 202, null);
		}
		if (session.server.isWaiting(message.id)) return send(res, 400, errorReply(message.id, INVALID_REQUEST, "A request with this ID is in progress."));
		session.busy += 1;
		try {
			send(res, 200, await askFor(holder, session.server, message));
		} finally {
			session.busy -= 1;
			session.used = Date.now();
		}
	}
	#end(id) {
		const session = this.#sessions.get(id);
		this.#sessions.delete(id);
		session?.stream?.end();
		session?.server.close();
	}
	/**
	* Ends the session that was used least recently by the key that has the most, so that no key ends those of the others.
	* @param next begins another
	*/
	#makeRoom(next) {
		const counts = /* @__PURE__ */ new Map([[next, 1]]);
		for (const { holder } of this.#sessions.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
		const most = Math.max(...counts.values());
		const [oldest] = [...this.#sessions].filter(([, { holder }]) => counts.get(holder) === most).sort(([, a], [, b]) => a.used - b.used);
		if (oldest) this.#end(oldest[0]);
	}
};
var event = (message) => \`event: message\\ndata: \${JSON.stringify(message)}\\n\\n\`;
/** Passes a message of the server on, or keeps it until the client listens. */
function deliver({ stream, held }, message) {
	if (stream && !stream.destroyed) {
		if (stream.writableLength <= MAX_UNREAD) return void stream.write(event(message));
		stream.destroy();
	}
	held.push(event(message));
	const chars = () => held.reduce((sum, { length }) => sum + length, 0);
	while (held.length > MAX_HELD || chars() > MAX_HELD_CHARS) held.shift();
}
function openStream(session, res) {
	session.stream?.end();
	session.stream = res;
	res.writeHead(200, {
		"Content-Type": "text/event-stream",
		"Cache-Control": "no-store",
		"X-Accel-Buffering": "no"
	});
	res.flushHeaders();
	for (const told of session.held.splice(0)) res.write(told);
	res.on("close", () => {
		if (session.stream === res) session.stream = null;
		session.used = Date.now();
	});
}
// console/lib/mcp/headerText.ts
/** Returns the text that such a header carries. */
function fromHeaderText(value) {
	const coded = /^=\\?base64\\?([A-Za-z0-9+/]*={0,2})\\?=$/.exec(value)?.[1];
	return coded === void 0 ? value : Buffer.from(coded, "base64").toString("utf8");
}
// server/mcp/bridge/stateless.ts
var METHODS = /^(tools\\/(list|call)|resources\\/(list|read|templates\\/list)|prompts\\/(list|get)|completion\\/complete)$/;
var CACHED = /^(server\\/discover|.*\\/list|resources\\/read)$/;
var CAPABILITIES = [
	"tools",
	"resources",
	"prompts",
	"completions"
];
/** Clients of the stateless revision. They share one process, to which the bridge is the client. */
var Stateless = class {
	upstream;
	#opened = null;
	#asked = 0;
	constructor(upstream) {
		this.upstream = upstream;
	}
	/** @param message has a method */
	async answer({ req, res, holder }, message) {
		const { id } = message;
		const method = String(message.method);
		const params = fieldsOf(message.params);
		const header = headersOf(req);
		const fault = headerFault(method, params, (name) => {
			const value = header(name);
			return name === "mcp-name" && value !== void 0 ? fromHeaderText(value) : value;
		});
		if (fault !== null) return send(res, 400, errorReply(id, HEADER_MISMATCH, fault));
		if (!isRequest(message)) return send(res, 202, null);
		const { server, about } = await this.#open();
		const own = this.#asked += 1;
		res.on("close", () => {
			if (res.writableFinished || !server.isWaiting(own)) return;
			server.tell({
				jsonrpc: "2.0",
				method: "notifications/cancelled",
				params: { requestId: own }
			});
			server.forget(own);
		});
		const pass = (reply) => {
			send(res, fieldsOf(reply.error).code === UNKNOWN_METHOD ? 404 : 200, {
				...reply,
				id
			});
		};
		if (!about) return pass(await askFor(holder, server, {
			...message,
			id: own
		}));
		if (method === "server/discover") return send(res, 200, {
			jsonrpc: "2.0",
			id,
			result: resultOf(method, discovered(about), about)
		});
		if (!METHODS.test(method)) return send(res, 404, errorReply(id, UNKNOWN_METHOD, \`Unknown method: \${method.slice(0, 100)}\`));
		const { _meta, ...rest } = params;
		const reply = await askFor(holder, server, {
			jsonrpc: "2.0",
			id: own,
			method,
			params: rest
		});
		if (!isObject(reply.result)) return pass(reply);
		send(res, 200, {
			jsonrpc: "2.0",
			id,
			result: resultOf(method, reply.result, about)
		});
	}
	#open() {
		return this.#opened ??= this.#connect();
	}
	#connect() {
		const server = new Connection(this.upstream, (told) => {
			if (isRequest(told)) server.tell(errorReply(told.id, UNKNOWN_METHOD, "The bridge can’t do this."));
		}, () => this.#opened = null);
		const params = {
			protocolVersion: EARLIER[0],
			capabilities: {},
			clientInfo: {
				name: "mcp-bridge",
				version: "1.0.0"
			}
		};
		const opened = server.ask({
			jsonrpc: "2.0",
			id: this.#asked += 1,
			method: "initialize",
			params
		}).then(({ result }) => {
			if (!result) return {
				server,
				about: null
			};
			server.tell({
				jsonrpc: "2.0",
				method: "notifications/initialized"
			});
			return {
				server,
				about: fieldsOf(result)
			};
		});
		opened.catch(() => server.close());
		return opened;
	}
};
function discovered({ capabilities, instructions }) {
	const offered = new Map(Object.entries(fieldsOf(capabilities)));
	return {
		supportedVersions: [CURRENT, ...EARLIER],
		capabilities: Object.fromEntries(CAPABILITIES.filter((one) => offered.get(one)).map((one) => [one, {}])),
		...typeof instructions === "string" ? { instructions } : {}
	};
}
var resultOf = (method, result, { serverInfo }) => ({
	...result,
	resultType: "complete",
	...CACHED.test(method) ? {
		ttlMs: 6e4,
		cacheScope: "private"
	} : {},
	_meta: {
		...fieldsOf(result._meta),
		[\`\${META}/serverInfo\`]: serverInfo
	}
});
// server/mcp/bridge/lines.ts
/**
* Speaks for a server that reads lines. Clients of the revisions with sessions have a process each; those of the
* stateless revision share one.
*/
function linesBridge(upstream) {
	const sessions = new Sessions(upstream);
	const stateless = new Stateless(upstream);
	const answer = async (admitted) => {
		const { req, res } = admitted;
		const header = headersOf(req);
		const version = header("mcp-protocol-version");
		let message = null;
		if (req.method === "POST") {
			message = messageIn(admitted);
			if (message === null) return;
			if (version === "2026-07-28") return typeof message.method === "string" ? stateless.answer(admitted, message) : refuse(admitted, message.id, "The stateless revision has no replies from clients.");
			if (message.method === "initialize" && isRequest(message)) return sessions.begin(admitted, message);
		} else if (version === "2026-07-28") {
			res.setHeader("Allow", "POST");
			return send(res, 405, { error: "Send a POST: this revision has no sessions and no streams." });
		}
		const session = header("mcp-session-id");
		if (session === void 0) return refuse(admitted, message?.id, "Initialize first, then send Mcp-Session-Id.");
		await sessions.answer(admitted, session, message);
	};
	return {
		name: "The bridge",
		has_sessions: true,
		isReady: () => isReachable(upstream),
		answer: (admitted) => answer(admitted).catch((error) => replyUnreachable(admitted.res, error))
	};
}
var refuse = ({ res }, id, why, code = INVALID_REQUEST, data) => send(res, 400, errorReply(id, code, why, data));
/** Returns the message of a POST; null if it was refused. */
function messageIn(admitted) {
	let message;
	try {
		message = JSON.parse(admitted.body.toString("utf8"));
	} catch {
		refuse(admitted, null, "The body is not JSON.", PARSE_ERROR);
		return null;
	}
	if (!isObject(message) || message.jsonrpc !== "2.0") {
		refuse(admitted, null, "Send one JSON-RPC 2.0 message.");
		return null;
	}
	const version = headersOf(admitted.req)("mcp-protocol-version");
	if (version === void 0 || version === "2026-07-28" || EARLIER.includes(version)) return message;
	refuse(admitted, message.id, "Unsupported protocol version.", UNSUPPORTED_VERSION, {
		supported: [CURRENT, ...EARLIER],
		requested: version.slice(0, 40)
	});
	return null;
}
// server/mcp/programs/bridge.main.ts
/**
* Stands before an MCP server of the user's own. Bundled into the Compose files that the console writes. Its argument is
* the server's URL: \`tcp:\` if it reads lines, \`http:\` with the path if it speaks HTTP itself.
*/
var options = optionsFrom(process.env);
var upstream = new URL(process.argv[1] ?? "");
openDoor(upstream.protocol === "tcp:" ? linesBridge(upstream) : httpBridge(upstream), options);
export {};
`;
