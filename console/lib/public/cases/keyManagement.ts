import { AGENT, CLIENT, HTTP, nodeCompose, SIGNING_KEY } from './nodeService';
import type { UseCase } from './useCase';

/** Signs payments to approved recipients, up to an amount. */
const PROGRAM = String.raw`const { RECIPIENTS, MAX_AMOUNT } = process.env;
const recipients = RECIPIENTS.split(",").map((one) => one.trim());
const { public_key, signature_chain, signed } = await signingKey("payments");
const bound = createHash("sha256").update(public_key, "hex").digest("hex");
serve(async (req, res, { pathname, searchParams }) => {
  if (pathname === "/.well-known/attestation") return attest(res, bound, searchParams.get("challenge"));
  if (pathname === "/key") return send(res, 200, { public_key, signature_chain, recipients, max_amount: MAX_AMOUNT });
  if (req.method !== "POST" || pathname !== "/sign") return send(res, 404, { error: "Not found." });
  if (!isClient(req)) return send(res, 401, { error: "Send Authorization: Bearer CLIENT_TOKEN." });
  const { to, amount, reference } = JSON.parse(await bodyOf(req));
  if (typeof reference !== "string" || reference.length > 100)
    return send(res, 400, { error: "A reference has up to 100 characters." });
  if (!recipients.includes(to)) return send(res, 403, { error: "The recipient is not approved." });
  if (!Number.isInteger(amount) || amount < 1 || amount > Number(MAX_AMOUNT))
    return send(res, 403, { error: "The amount is a whole number from 1 to " + MAX_AMOUNT + "." });
  const message = JSON.stringify({ to, amount, reference, at: new Date().toISOString() });
  send(res, 200, { message, signature: signed(message) });
});
`;

export const keyManagement: UseCase = {
  slug: 'key-management',
  title: 'Sign with keys nobody can export',
  summary: 'Hold signing keys in a service that only an approved version of your code can use.',
  problem:
    'A treasury signs 200 payments a week. A key in a file can be copied by anyone with access to the server, and a hardware module signs whatever it is given: it doesn’t know your suppliers. In the end, custody usually means trusting a few administrators, and one stolen laptop is enough to break it.',
  approach:
    'The rules and the key are in the same enclave. The key service derives the key from the app’s identity and releases it only to a VM whose measurements it has verified, so no file holds it and no host sees it. A caller with a valid token still gets signatures only for approved recipients, up to the limit.',
  compose: nodeCompose({
    name: 'signer',
    environment: {
      CLIENT_TOKEN: '${CLIENT_TOKEN}',
      RECIPIENTS: 'supplier-17, supplier-42, payroll',
      MAX_AMOUNT: '5000',
    },
    program: [
      'import { createECDH, createPrivateKey, sign } from "node:crypto";\n',
      HTTP,
      CLIENT,
      AGENT,
      SIGNING_KEY,
      PROGRAM,
    ],
  }),
  secrets: ['CLIENT_TOKEN'],
  usage:
    'Send a payment with the token. The signer checks it against the rules in the Compose file and signs it with ECDSA over secp256k1; everything else is refused with 403.',
  example: `curl https://YOUR-APP/sign -H "Authorization: Bearer $CLIENT_TOKEN" \\
  -d '{"to":"supplier-42","amount":1200,"reference":"INV-7"}'
{"message":"{\\"to\\":\\"supplier-42\\",\\"amount\\":1200,…}","signature":"51d0…"}

curl https://YOUR-APP/sign -H "Authorization: Bearer $CLIENT_TOKEN" \\
  -d '{"to":"mallory","amount":1,"reference":"x"}'
{"error":"The recipient is not approved."}`,
  verify: [
    'The rules: recipients, limit and the whole program are in the compose hash',
    'The signing key: the quote’s report data starts with the SHA-256 of the public key',
    'Which key service released the key, by its root key in the event log',
    'Every earlier version of the rules, if the team publishes the app',
  ],
  limits: [
    'That the rules stay the same. Members who can deploy a new revision can change them and keep the key; a contract that guards the app’s keys adds an approval step.',
    'That a payment was intended. Anyone with a stolen token can still request allowed payments, as often as they like.',
    'That the key service is honest. The key is only as private as the key service you chose, which provides its own evidence.',
  ],
};
