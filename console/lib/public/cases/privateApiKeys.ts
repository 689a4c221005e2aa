import { CLIENT, HTTP, nodeCompose } from './nodeService';
import type { UseCase } from './useCase';

/** Adds the API key to allowed calls. */
const PROGRAM = String.raw`const { API_KEY, UPSTREAM, ALLOWED } = process.env;
if (!API_KEY) throw new Error("Set API_KEY.");
const allowed = ALLOWED.split(",").map((one) => one.trim());
serve(async (req, res, { pathname, search }) => {
  if (!isClient(req)) return send(res, 401, { error: "Send Authorization: Bearer CLIENT_TOKEN." });
  const call = req.method + " " + pathname;
  if (!allowed.includes(call)) return send(res, 403, { error: "This call is not on the list." });
  const body = await bodyOf(req);
  const reply = await fetch(UPSTREAM + pathname + search, {
    method: req.method,
    headers: {
      "Authorization": "Bearer " + API_KEY,
      "Content-Type": req.headers["content-type"] ?? "application/json",
    },
    body: body.length > 0 ? body : undefined,
    redirect: "error",
    signal: AbortSignal.timeout(30000),
  }).catch(() => null);
  const bytes = await reply?.arrayBuffer().catch(() => null);
  if (!bytes) return send(res, 502, { error: "The API does not answer." });
  console.log(call, reply.status);
  res.writeHead(reply.status, { "Content-Type": reply.headers.get("content-type") ?? "text/plain" });
  res.end(Buffer.from(bytes));
});
`;

export const privateApiKeys: UseCase = {
  slug: 'private-api-keys',
  title: 'Keep API keys away from the host',
  summary: 'Run an agent or a bot whose API keys neither the cloud nor its administrators can read.',
  problem:
    'A support bot looks up charges at a payment provider. The key it uses can also issue refunds and payouts, and it sits in the environment of a server: anyone who can read its disk or memory can take it, including the provider’s staff. A prompt that tricks the bot into printing its environment is enough.',
  approach:
    'Your browser encrypts the key to the enclave before it leaves your machine, and it is decrypted only in the confidential VM, where the processor encrypts memory. A small proxy adds it to the calls you list. The bot has a token for the proxy instead of the key, so at worst only those calls are exposed.',
  compose: nodeCompose({
    name: 'proxy',
    environment: {
      API_KEY: '${API_KEY}',
      CLIENT_TOKEN: '${CLIENT_TOKEN}',
      UPSTREAM: 'https://api.stripe.com',
      ALLOWED: 'GET /v1/charges, GET /v1/balance',
    },
    program: [HTTP, CLIENT, PROGRAM],
  }),
  secrets: ['API_KEY', 'CLIENT_TOKEN'],
  usage:
    'Point your bot to the proxy and give it the token. Calls on the list reach the API with the key added; all others are refused, and the key leaves the VM only over TLS to the API.',
  example: `curl 'https://YOUR-APP/v1/charges?limit=3' -H "Authorization: Bearer $CLIENT_TOKEN"
{"object":"list","data":[…]}

curl -X POST https://YOUR-APP/v1/payouts -H "Authorization: Bearer $CLIENT_TOKEN"
{"error":"This call is not on the list."}`,
  verify: [
    'Where the key can go: the API’s address and the list of calls are in the compose hash',
    'The whole program, and the image that runs it, by digest',
    'That no other container runs alongside the proxy',
  ],
  limits: [
    'What the API does with your calls. It sees them unencrypted, as always.',
    'That the bot is well-behaved. It can make every call on the list.',
    'What the secrets’ values are: they are encrypted, and no hash covers them.',
  ],
};
