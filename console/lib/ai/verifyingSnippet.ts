import type { ChatSettings } from './chatSettings';

interface Gateway {
  base_url: string;
  model: string;
  /** Whether a gateway without a TEE is accepted: the one inside this server is known not to run in one. */
  is_built_in: boolean;
  settings?: ChatSettings;
}

const settingsText = (settings: ChatSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `, ${name}: ${JSON.stringify(value)}`)
    .join('');

const TEE_CHECK = `check('the gateway says that it runs in a TEE', attestation.tee_type !== 'none');
// Not checked here: the quote in attestation.evidence. Verify it with a DCAP verifier, and that it has this report_data.`;
const TEE_WARNING = `if (attestation.tee_type === 'none')
  console.warn('Not proven: this gateway doesn’t run in a TEE, so its operator could read the prompt.');`;

/**
 * Returns a program that checks a gateway's report before it sends a prompt, and the receipt of the answer after
 * (aci/1, §9.1 and §9.3). It needs no packages.
 */
export const verifyingSnippet = ({ base_url, model, is_built_in, settings = {} }: Gateway): string =>
  `// Save as verify.mjs, then run: node verify.mjs (Node.js 20 or later)
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

const base = '${base_url}';
const { hostname, protocol } = new URL(base);
const client = protocol === 'https:' ? https : http;
// One connection, so that the prompt reaches the server that was checked.
const agent = new client.Agent({ keepAlive: true, maxSockets: 1 });

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const check = (what, ok) => {
  if (!ok) throw new Error('Failed: ' + what);
  console.log('Passed: ' + what);
};
// JSON in its canonical form (RFC 8785).
const canonical = (value) => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return '[' + value.map(canonical).join() + ']';
  const members = Object.keys(value).sort();
  return '{' + members.map((name) => JSON.stringify(name) + ':' + canonical(value[name])).join() + '}';
};
const call = (path, headers = {}, body = undefined) =>
  new Promise((resolve, reject) => {
    const options = { agent, headers, method: body ? 'POST' : 'GET' };
    const request = client.request(base + path, options, async (response) => {
      const key = response.socket.getPeerX509Certificate?.()?.publicKey;
      const parts = [];
      try {
        for await (const part of response) parts.push(part);
      } catch (error) {
        return reject(error);
      }
      const bytes = Buffer.concat(parts);
      if (response.statusCode !== 200) return reject(new Error(response.statusCode + ' ' + bytes));
      resolve({ bytes, headers: response.headers, tls: key && sha256(key.export({ type: 'spki', format: 'der' })) });
    });
    request.on('error', reject).end(body);
  });

// 1. The gateway's keys, before it gets the AI key and the prompt.
const nonce = randomBytes(32).toString('hex');
const reply = await call('/aci/attestation?nonce=' + nonce);
const { attestation } = JSON.parse(reply.bytes);
const keyset = attestation.workload_keyset;
const digest = 'sha256:' + sha256(canonical(keyset));
const statement = { keyset_digest: digest, nonce, purpose: 'aci.report_data.v1' };
check('the report is fresh and binds its keys', attestation.report_data === sha256(canonical(statement)));
check('the keys are valid', keyset.not_after * 1000 > Date.now());
const pinned = keyset.tls_public_keys.filter(({ domain }) => domain === undefined || domain === hostname);
const isPinned = ({ tls }) => pinned.some(({ spki_sha256 }) => spki_sha256 === tls);
if (pinned.length > 0) check('the connection ends at the gateway', isPinned(reply));
${is_built_in ? TEE_WARNING : TEE_CHECK}

// 2. The answer and its receipt.
const headers = { authorization: 'Bearer ' + process.env.TEEHOUSE_AI_KEY };
const prompt = JSON.stringify({ model: '${model}', messages: [{ role: 'user', content: 'Hello' }]${settingsText(settings)} });
const answer = await call('/chat/completions', { ...headers, 'content-type': 'application/json' }, prompt);
if (pinned.length > 0) check('the answer came over that connection', isPinned(answer));
const receipt = JSON.parse((await call('/aci/receipts/' + answer.headers['x-receipt-id'], headers)).bytes);
agent.destroy();
const { signature, ...signed } = receipt;
const signer = keyset.receipt_signing_keys.find((key) => key.key_id === receipt.key_id && key.algo === 'ed25519');
check('one of the gateway’s keys is named in the receipt', receipt.workload_keyset_digest === digest && signer);
const spki = Buffer.from('302a300506032b6570032100' + signer.public_key, 'hex');
const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
check('the receipt is signed', verify(null, Buffer.from(canonical(signed)), publicKey, Buffer.from(signature, 'hex')));
const hashOf = (type) => {
  const events = receipt.event_log.filter((event) => event.type === type);
  return events.length === 1 ? events[0].body_hash : null;
};
check('the request arrived as sent', hashOf('request.received') === 'sha256:' + sha256(prompt));
check('the answer arrived as returned', hashOf('response.returned') === 'sha256:' + sha256(answer.bytes));
console.log(JSON.parse(answer.bytes).choices[0].message.content);`;
