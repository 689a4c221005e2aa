import { AGENT, HTTP, nodeCompose } from './nodeService';
import type { UseCase } from './useCase';

/** Counts page views and stores nothing about visitors. */
const PROGRAM = String.raw`const views = new Map();
serve(async (req, res, { pathname, searchParams }) => {
  if (pathname === "/.well-known/attestation") return attest(res, "", searchParams.get("challenge"));
  if (pathname === "/.well-known/app") {
    const { app_id, compose_hash, os_image_hash } = await agent("/Info");
    return send(res, 200, { app_id, compose_hash, os_image_hash });
  }
  if (pathname === "/stats") return send(res, 200, Object.fromEntries(views));
  if (req.method !== "POST" || pathname !== "/view") return send(res, 404, { error: "Not found." });
  const { page } = JSON.parse(await bodyOf(req));
  if (typeof page !== "string" || !/^\/[\w\/-]{0,100}$/.test(page))
    return send(res, 400, { error: "A page is a path such as /pricing." });
  if (!views.has(page) && views.size >= 1000) return send(res, 409, { error: "1,000 pages are counted already." });
  views.set(page, (views.get(page) ?? 0) + 1);
  res.writeHead(204).end();
});
`;

export const provableBackend: UseCase = {
  slug: 'provable-backend',
  title: 'Show users what your backend runs',
  summary: 'Publish a service whose users can check that it runs the source you published.',
  problem:
    'An analytics service says that it counts page views and stores no addresses. Messengers, VPNs and wallets say similar things. A privacy policy is a promise, and an open repository shows what could run: users have no way to tell what the server really does.',
  approach:
    'The program is in the measured Compose file, or in an image that the file names by digest. The service answers every visitor’s challenge with a quote from the processor. Visitors compare the measured hash with the published file and verify the quote in their own browser.',
  compose: nodeCompose({ name: 'counter', program: [HTTP, AGENT, PROGRAM] }),
  secrets: [],
  usage:
    'It counts views per page in memory, and reads no address, cookie or header of the visitor. Anyone can request a quote over their own challenge.',
  example: `curl https://YOUR-APP/view -d '{"page":"/pricing"}'
curl https://YOUR-APP/stats
{"/pricing":1}

curl 'https://YOUR-APP/.well-known/attestation?challenge=c0ffee' > evidence.json
teehouse attest evidence.json --report-data c0ffee`,
  verify: [
    'The whole program: it is in the compose hash',
    'The Node.js image that runs it, by digest, and the guest OS by its measurements',
    'That the quote is fresh: its report data is your challenge',
    'When the running version was deployed, if the team publishes the app',
  ],
  limits: [
    'That an image was built from its source. Here, Node.js is the only code outside the Compose file; for your own image, reproducible builds close that gap.',
    'That the program has no bugs. Evidence shows which code runs, not whether the code is any good.',
    'That the connection ends in the VM. The cloud’s gateway terminates TLS by default; to prove that too, serve TLS in the app with a key that the quote covers.',
  ],
};
