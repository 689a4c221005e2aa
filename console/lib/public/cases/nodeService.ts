/*
 * Services whose whole program is in the Compose file, so that the compose hash covers it. Programs are plain
 * JavaScript for Node.js without dependencies; `programs.test.ts` runs them as deployed.
 */

/** The same digest as in the MCP templates. */
const IMAGE = 'node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43';

export const AGENT_SOCKET = '/var/run/dstack.sock';

/** Serves HTTP: JSON out, bodies of up to 1 MB in, and no input in logs. */
export const HTTP = String.raw`import { createServer } from "node:http";
const send = (res, status, body) =>
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
const bodyOf = async (req) => {
  const parts = [];
  let size = 0;
  for await (const part of req) {
    if ((size += part.length) > 1e6) throw new TypeError("The body is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts);
};
const serve = (answer) =>
  createServer(async (req, res) => {
    try {
      await answer(req, res, new URL(req.url, "http://app"));
    } catch (error) {
      if (res.headersSent) return res.destroy();
      res.setHeader("Connection", "close");
      const isInvalid = error instanceof SyntaxError || error instanceof TypeError;
      send(res, isInvalid ? 400 : 500, { error: isInvalid ? "Invalid request." : "Internal error." });
    }
  }).listen(process.env.PORT || 8080, () => console.log("ready"));
`;

/** Authenticates clients by CLIENT_TOKEN. */
export const CLIENT = String.raw`import { createHash, timingSafeEqual } from "node:crypto";
const hash = (text) => createHash("sha256").update(text).digest();
if (!process.env.CLIENT_TOKEN) throw new Error("Set CLIENT_TOKEN.");
const expected = hash("Bearer " + process.env.CLIENT_TOKEN);
const isClient = (req) => timingSafeEqual(hash(req.headers.authorization ?? ""), expected);
`;

/**
 * Calls the guest agent. `attest` returns a quote whose report data is up to 32 bytes bound by the program,
 * followed by the caller's challenge. The response is a file that our verifier reads.
 */
export const AGENT = String.raw`import { request } from "node:http";
const agent = (path) =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Error("The guest agent does not answer."));
    const options = { socketPath: "/var/run/dstack.sock", path, host: "dstack", timeout: 20000 };
    const call = request(options, (res) =>
      bodyOf(res)
        .then((text) => (res.statusCode === 200 ? resolve(JSON.parse(text)) : fail()))
        .catch(fail));
    call.on("timeout", () => call.destroy()).on("error", fail).end();
  });
const attest = async (res, bound, challenge) => {
  if (!/^([0-9a-f]{2}){1,32}$/.test(challenge ?? ""))
    return send(res, 400, { error: "Add ?challenge= and 1 to 32 random bytes in lowercase hexadecimal." });
  send(res, 200, await agent("/GetQuote?report_data=" + bound + challenge));
};
`;

/** Derives a secp256k1 key from the app's key: the same after each restart and in each replica. */
export const SIGNING_KEY = String.raw`const signingKey = async (path) => {
  const { key, signature_chain } = await agent("/GetKey?path=" + path + "&purpose=signing");
  const pair = createECDH("secp256k1");
  pair.setPrivateKey(key, "hex");
  const point = pair.getPublicKey();
  const [d, x, y] = [Buffer.from(key, "hex"), point.subarray(1, 33), point.subarray(33)].map((one) =>
    one.toString("base64url"));
  const jwk = createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "secp256k1", d, x, y } });
  const signed = (text) =>
    sign("sha256", Buffer.from(text), { key: jwk, dsaEncoding: "ieee-p1363" }).toString("hex");
  return { public_key: point.toString("hex"), signature_chain, signed };
};
`;

interface Service {
  name: string;
  environment?: Readonly<Record<string, string>>;
  /** Parts of the program, in order. */
  program: readonly string[];
}

const indented = (text: string, by: number) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(by) + line))
    .join('\n');

const valueOf = (value: string) =>
  value.includes('\n') ? `|\n${indented(value, 8)}` : value.startsWith('$') ? value : `'${value}'`;

/** Returns a Compose file with one Node.js service on port 8080. The program can use the guest agent. */
export function nodeCompose({ name, environment = {}, program }: Service): string {
  const code = program.join('');
  // Compose reads `$$` as a dollar sign, and anything else after a dollar sign as a variable.
  const escaped = indented(code.replaceAll('$', '$$$$'), 8);
  const variables = Object.entries(environment).map(([key, value]) => `      ${key}: ${valueOf(value)}\n`);
  return `services:
  ${name}:
    image: ${IMAGE}
    restart: always
    read_only: true
    cap_drop: [ALL]
${variables.length > 0 ? `    environment:\n${variables.join('')}` : ''}    ports:
      - '8080:8080'
${code.includes(AGENT_SOCKET) ? `    volumes:\n      - ${AGENT_SOCKET}:${AGENT_SOCKET}\n` : ''}    command:
      - node
      - --input-type=module
      - --eval
      - |
${escaped}
`;
}
