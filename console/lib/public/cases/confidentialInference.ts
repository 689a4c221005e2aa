import { CLIENT, HTTP, nodeCompose } from './nodeService';
import type { UseCase } from './useCase';

/** Authenticates clients of the model server, streams its replies and logs neither. */
const PROGRAM = String.raw`import { pipeline } from "node:stream/promises";
const routes = ["GET /v1/models", "POST /v1/chat/completions", "POST /v1/completions"];
serve(async (req, res, { pathname }) => {
  if (!isClient(req)) return send(res, 401, { error: "Send Authorization: Bearer CLIENT_TOKEN." });
  const call = req.method + " " + pathname;
  if (!routes.includes(call)) return send(res, 404, { error: "Not found." });
  const body = await bodyOf(req);
  const reply = await fetch(process.env.MODEL_URL + pathname, {
    method: req.method,
    headers: { "Content-Type": "application/json" },
    body: req.method === "POST" ? body : undefined,
  }).catch(() => null);
  if (!reply?.body) return send(res, 503, { error: "The model is loading." });
  console.log(call, reply.status);
  res.writeHead(reply.status, { "Content-Type": reply.headers.get("content-type") ?? "application/json" });
  await pipeline(reply.body, res);
});
`;

/** Uses llama.cpp. Its tag has no digest here: see `limits`. */
const MODEL = `  model:
    image: ghcr.io/ggml-org/llama.cpp:server
    restart: always
    command: --host 0.0.0.0 --port 8080 --log-disable --hf-repo ggml-org/models --hf-file tinyllamas/stories260K.gguf
`;

export const confidentialInference: UseCase = {
  slug: 'confidential-inference',
  title: 'Serve a model without seeing the prompts',
  summary: 'Offer inference where the operator can’t read what users ask.',
  problem:
    'A law firm wants summaries of contracts, and a clinic wants letters drafted from findings. Either would have to send a provider exactly what it must not disclose. The provider’s terms promise not to log prompts, but its administrators could, and neither client can check.',
  approach:
    'The model server and a small API in front of it run in one confidential VM, on a GPU in confidential mode where the host has one. The processor encrypts its memory, so prompts can’t be read from the host. Before they send the first prompt, users verify which programs run and that logs are private.',
  compose: `${nodeCompose({
    name: 'api',
    environment: { CLIENT_TOKEN: '${CLIENT_TOKEN}', MODEL_URL: 'http://model:8080' },
    program: [HTTP, CLIENT, PROGRAM],
  })}${MODEL}`,
  secrets: ['CLIENT_TOKEN'],
  usage:
    'The API speaks the OpenAI protocol, including streaming, so existing clients need only the address and the token. The model server publishes no port. The API logs a request’s route and status, never its text. This example uses a tiny model that starts within a minute; name a larger one in the last line.',
  example: `curl https://YOUR-APP/v1/chat/completions -H "Authorization: Bearer $CLIENT_TOKEN" \\
  -d '{"messages":[{"role":"user","content":"Once upon a time"}],"max_tokens":40}'
{"choices":[{"message":{"role":"assistant","content":"…"}}],…}`,
  verify: [
    'The API’s whole program, which is in the compose hash',
    'The model server’s arguments, also in the compose hash: --log-disable, and which model it loads',
    'Whether container logs are public',
    'The processor’s quote, and NVIDIA’s report if the evidence includes it. The verification lists what it couldn’t check',
  ],
  limits: [
    'Which build of the model server runs: this file names it by tag. Replace the tag with the digest of the build you reviewed, and the compose hash covers the build, too.',
    'Which weights are loaded. They are downloaded at startup; build them into an image to pin them.',
    'That the connection ends in the VM. The cloud’s gateway terminates TLS by default; serve TLS in the app to hide prompts from the gateway too.',
    'That traffic reveals nothing. The size and timing of requests are visible to the network.',
  ],
};
