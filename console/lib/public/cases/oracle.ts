import { AGENT, HTTP, nodeCompose, SIGNING_KEY } from './nodeService';
import type { UseCase } from './useCase';

/** Signs the median of its sources every minute, if more than half of them answer. */
const PROGRAM = String.raw`const { PAIR, SOURCES } = process.env;
const sources = SOURCES.trim().split("\n").map((line) => line.trim().split(/\s+/));
const { public_key, signature_chain, signed } = await signingKey("oracle");
const bound = createHash("sha256").update(public_key, "hex").digest("hex");
let latest = null;
const read = async ([url, field]) => {
  const reply = await fetch(url, { signal: AbortSignal.timeout(10000) });
  const value = Number(field.split(".").reduce((at, name) => at[name], await reply.json()));
  if (!reply.ok || !(value > 0 && value < Infinity)) throw new Error("no value");
  return value;
};
const update = async () => {
  const replies = await Promise.allSettled(sources.map(read));
  const values = replies.flatMap(({ value }) => value ?? []).sort((a, b) => a - b);
  if (values.length * 2 <= sources.length) return console.log("too few sources answered");
  const half = values.length >> 1;
  const value = values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
  const at = Math.floor(Date.now() / 1000);
  const message = JSON.stringify({ pair: PAIR, value, sources: values.length, at });
  latest = { message, signature: signed(message), public_key, signature_chain };
};
await update();
setInterval(update, 60000);
serve(async (req, res, { pathname, searchParams }) => {
  if (pathname === "/.well-known/attestation") return attest(res, bound, searchParams.get("challenge"));
  if (pathname !== "/") return send(res, 404, { error: "Not found." });
  send(res, latest ? 200 : 503, latest ?? { error: "No value yet." });
});
`;

export const oracle: UseCase = {
  slug: 'oracle',
  title: 'Fetch and sign outside data',
  summary: 'Feed contracts prices or results from a program that its operator can’t tamper with.',
  problem:
    'A lending contract needs the price of ETH, and something off-chain has to supply it. The holder of an oracle’s key can sign any number: one false price at the right moment liquidates healthy loans. Committees of signers reduce that risk but multiply cost and delay, and users still have to trust that most members are honest.',
  approach:
    'The program that fetches, combines and signs is in the Compose file, and so are the addresses it reads. Its key is derived inside the confidential VM from the app’s own; no administrator has a copy. A contract that accepts only this key accepts only numbers computed from these sources by this rule.',
  compose: nodeCompose({
    name: 'oracle',
    environment: {
      PAIR: 'ETH-USD',
      SOURCES: [
        'https://api.coinbase.com/v2/prices/ETH-USD/spot data.amount',
        'https://api.kraken.com/0/public/Ticker?pair=ETHUSD result.XETHZUSD.c.0',
        'https://www.bitstamp.net/api/v2/ticker/ethusd/ last',
      ].join('\n'),
    },
    program: [
      'import { createECDH, createHash, createPrivateKey, sign } from "node:crypto";\n',
      HTTP,
      AGENT,
      SIGNING_KEY,
      PROGRAM,
    ],
  }),
  secrets: [],
  usage:
    'Every minute it reads three exchanges over TLS, takes the median and signs it with ECDSA over secp256k1 and SHA-256, which a contract can check. It signs nothing unless at least two of the three respond.',
  example: `curl https://YOUR-APP/
{"message":"{\\"pair\\":\\"ETH-USD\\",\\"value\\":3012.4,\\"sources\\":3,\\"at\\":1795701600}",
 "signature":"9f2c…","public_key":"04ab…","signature_chain":["…"]}

curl 'https://YOUR-APP/.well-known/attestation?challenge=c0ffee' > evidence.json`,
  verify: [
    'The program, its sources and the rule that combines them: all three are in the compose hash',
    'The signing key: the quote’s report data starts with the SHA-256 of the public key',
    'That the quote is fresh: the report data ends with your challenge',
    'Every earlier version of the program, if the team publishes the app',
  ],
  limits: [
    'That a source tells the truth. While all three respond, one false source can’t move the median beyond the other two; if only two respond, the value is their mean.',
    'That the oracle stays available. Its operator can always stop it, so a contract should reject old values.',
    'That a later version keeps the rule. It derives the same key, so watch the app’s history, or have a contract guard its keys.',
  ],
};
