import { AGENT, HTTP, nodeCompose } from './nodeService';
import type { UseCase } from './useCase';

/** Counts the records common to two parties. Each input is encrypted to the enclave and signed by its party. */
const PROGRAM = String.raw`const { PARTY_A_KEY, PARTY_B_KEY, MIN_RECORDS } = process.env;
const keyOf = (crv, x) => crypto.createPublicKey({ format: "jwk", key: { kty: "OKP", crv, x } });
const parties = { a: PARTY_A_KEY, b: PARTY_B_KEY };
for (const key of Object.values(parties)) keyOf("Ed25519", key);
const own = crypto.generateKeyPairSync("x25519");
const key = own.publicKey.export({ format: "jwk" }).x;
const hash = (text) => crypto.createHash("sha256").update(text).digest("hex");
const inputs = new Map();
let result = null;
const statement = () => JSON.stringify({ key, parties, min_records: Number(MIN_RECORDS), result });
const open = ({ sender, iv, data }) => {
  try {
    const secret = crypto.diffieHellman({ privateKey: own.privateKey, publicKey: keyOf("X25519", sender) });
    const aes = Buffer.from(crypto.hkdfSync("sha256", secret, "", key, 32));
    const sealed = Buffer.from(data, "base64url");
    const cipher = crypto.createDecipheriv("aes-256-gcm", aes, Buffer.from(iv, "base64url"), { authTagLength: 16 });
    cipher.setAuthTag(sealed.subarray(-16));
    return JSON.parse(Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]));
  } catch {
    return null;
  }
};
serve(async (req, res, { pathname, searchParams }) => {
  if (pathname === "/.well-known/attestation") return attest(res, hash(statement()), searchParams.get("challenge"));
  if (pathname === "/") return send(res, 200, { statement: statement() });
  const party = /^\/inputs\/(a|b)$/.exec(pathname)?.[1];
  if (req.method !== "POST" || !party) return send(res, 404, { error: "Not found." });
  const { sender, iv, data, signature } = JSON.parse(await bodyOf(req));
  const signed = Buffer.from(JSON.stringify([key, party, sender, iv, data]));
  if (!crypto.verify(null, signed, keyOf("Ed25519", parties[party]), Buffer.from(signature, "base64url")))
    return send(res, 403, { error: "The signature is not that of party " + party + "." });
  if (inputs.has(party)) return send(res, 409, { error: "This party has sent its input." });
  const list = open({ sender, iv, data });
  if (!Array.isArray(list)) return send(res, 400, { error: "The input is not an encrypted JSON list." });
  const records = new Set(list.map((one) => String(one).trim().toLowerCase()));
  if (records.size < Number(MIN_RECORDS)) return send(res, 400, { error: "Too few records." });
  inputs.set(party, { records, sent: hash(data) });
  if (inputs.size === 2) {
    const [a, b] = [inputs.get("a"), inputs.get("b")];
    const common = [...a.records].filter((one) => b.records.has(one)).length;
    result = { common, sizes: { a: a.records.size, b: b.records.size }, inputs: { a: a.sent, b: b.sent } };
    for (const one of [a, b]) one.records.clear();
  }
  send(res, 200, { received: hash(data) });
});
`;

export const multiPartyData: UseCase = {
  slug: 'multi-party-data',
  title: 'Compute on data that partners won’t share',
  summary: 'Let several organizations contribute data to one computation without showing it to each other.',
  problem:
    'Before they start a joint investigation, two banks want to know how many suspicious accounts they have in common. Neither may hand its customers’ data to the other, or to a cloud that could read it. A neutral third party would see both lists, and both banks would have to trust it.',
  approach:
    'Both banks review one Compose file and its hash. After verifying the quote, each signs its list and encrypts it to a key that exists only in the enclave. The program releases only one number and the size of each list. The lists never leave memory, which the processor encrypts.',
  compose: nodeCompose({
    name: 'matcher',
    environment: { PARTY_A_KEY: '${PARTY_A_KEY}', PARTY_B_KEY: '${PARTY_B_KEY}', MIN_RECORDS: '100' },
    program: ['import * as crypto from "node:crypto";\n', HTTP, AGENT, PROGRAM],
  }),
  secrets: ['PARTY_A_KEY', 'PARTY_B_KEY'],
  usage:
    'The two values are the parties’ Ed25519 public keys, as 43 characters of base64url; who deploys is up to you. Each party encrypts a JSON list with X25519, HKDF-SHA-256 and AES-256-GCM, and sends it once. Lists of fewer than 100 records are refused, so that no party can probe for a single customer.',
  example: `curl https://YOUR-APP/
{"statement":"{\\"key\\":\\"Jx3…\\",\\"parties\\":{\\"a\\":\\"qT1…\\",\\"b\\":\\"m0e…\\"},…,\\"result\\":null}"}

curl https://YOUR-APP/inputs/a \\
  -d '{"sender":"…","iv":"…","data":"…","signature":"…"}'
{"received":"5c1b…"}

curl https://YOUR-APP/          # after both have sent
{"statement":"{…\\"result\\":{\\"common\\":17,\\"sizes\\":{\\"a\\":840,\\"b\\":1204},…}}"}`,
  verify: [
    'The program that both parties agreed on: all of it is in the compose hash',
    'Which parties’ inputs it accepts, and the key to encrypt to: the quote’s report data starts with the SHA-256 of the statement, which names all three keys',
    'That your own input was used: the result includes the SHA-256 of what each party sent',
    'Whether container logs are public. The program writes no input to them',
  ],
  limits: [
    'That an output reveals nothing about inputs. A count does reveal something, and after a restart the program can run again with different lists.',
    'That the other party’s list is genuine. The program counts what it is given.',
    'That the parties’ keys belong to the banks. Exchange them over a channel you trust.',
  ],
};
