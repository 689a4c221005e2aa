/** A use case: who needs it, a Compose file that deploys as it is, and what a visitor of the app can verify. */
export interface UseCase {
  slug: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** Paragraphs: the problem, then how a confidential VM changes it. */
  problem: string;
  approach: string;
  compose: string;
  /** Names of the secrets that the Compose file reads. */
  secrets: string[];
  verify: string[];
  /** What stays outside of the proof. */
  limits: string;
}

export const USE_CASES: readonly UseCase[] = [
  {
    slug: 'private-api-keys',
    title: 'Keep API keys away from the host',
    summary: 'Run an agent or a bot whose API keys neither the cloud nor its administrators can read.',
    problem:
      'A bot that trades, posts or pays holds keys worth stealing. On an ordinary server, anyone who can read the disk or the memory of the machine can take them, including the provider’s staff.',
    approach:
      'Your browser encrypts the keys to the enclave before they leave it. They are decrypted inside the confidential VM only, where memory is encrypted by the processor.',
    compose: `services:
  bot:
    image: curlimages/curl:8.10.1@sha256:d9b4541e214bcd85196d6e92e2753ac6d0ea699f0af5741f8c6cccbfcf00ef4b
    restart: always
    environment:
      EXCHANGE_KEY: \${EXCHANGE_KEY}
    command: sh -c 'while true; do echo "key of $\${#EXCHANGE_KEY} characters loaded"; sleep 60; done'
`,
    secrets: ['EXCHANGE_KEY'],
    verify: [
      'The image that runs, by its digest in the compose hash',
      'That environment values are encrypted to a key of the key service',
      'That no other container runs beside the bot',
    ],
    limits: 'It doesn’t prove what the bot does with its keys: that takes reading the image.',
  },
  {
    slug: 'confidential-inference',
    title: 'Serve a model without seeing the prompts',
    summary: 'Offer inference where the operator can’t read what users ask.',
    problem:
      'Prompts hold contracts, diagnoses and source code. Users have to trust that a provider doesn’t log them, and have no way to check.',
    approach:
      'The model server runs in a confidential VM, on a GPU in confidential mode where the host has one. Users verify the quote before they send the first prompt.',
    compose: `services:
  model:
    image: ghcr.io/ggml-org/llama.cpp:server
    restart: always
    command: --host 0.0.0.0 --port 8080 --hf-repo ggml-org/models --hf-file tinyllamas/stories260K.gguf
    ports:
      - "8080:8080"
`,
    secrets: [],
    verify: [
      'The model server’s image and its arguments, both part of the compose hash',
      'Whether container logs are public',
      'The processor’s quote. Evidence of a GPU is not checked yet, and the report says so',
    ],
    limits:
      'The model’s weights are loaded at run time; pin their hash in the arguments or build them into the image.',
  },
  {
    slug: 'key-management',
    title: 'Sign with keys that nobody exports',
    summary: 'Hold signing keys in a service that only an approved version of your code can use.',
    problem:
      'Keys in a file can be copied, and hardware modules can’t run your policy. Custody usually ends with trust in a few administrators.',
    approach:
      'The key service derives an app’s keys from its identity. An app whose compose hash isn’t allowed doesn’t get them, no matter who operates the host.',
    compose: `services:
  signer:
    image: hashicorp/vault:1.18@sha256:750bb37c1638fa194ab37053a81618c61bb0491ddec6fccac87c07a8e6cd8166
    restart: always
    cap_add: [IPC_LOCK]
    environment:
      VAULT_LOCAL_CONFIG: '{"storage":{"file":{"path":"/vault/file"}},"listener":[{"tcp":{"address":"0.0.0.0:8200","tls_disable":true}}],"disable_mlock":true}'
    command: server
    volumes:
      - keys:/vault/file
    ports:
      - "8200:8200"
volumes:
  keys:
`,
    secrets: [],
    verify: [
      'That the app runs the compose hash you reviewed',
      'Which key service released its keys, by the root key in the quote',
      'Every earlier version, in the app’s revisions',
    ],
    limits:
      'Members who may deploy a new revision can change the code. The history shows every change, also to visitors if you publish the app.',
  },
  {
    slug: 'multi-party-data',
    title: 'Compute on data that partners won’t share',
    summary: 'Let several organizations contribute data to one computation without showing it to each other.',
    problem:
      'Two banks could find fraud in their joined records, but neither may hand its customers’ data to the other, or to a cloud.',
    approach:
      'All parties review one Compose file and its hash. Each sends its data over a connection that ends inside the enclave, after verifying the quote. Results leave; inputs don’t.',
    compose: `services:
  database:
    image: postgres:17-alpine@sha256:742f40ea20b9ff2ff31db5458d127452988a2164df9e17441e191f3b72252193
    restart: always
    environment:
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD}
    volumes:
      - data:/var/lib/postgresql/data
  api:
    image: postgrest/postgrest:v12.2.3
    restart: always
    depends_on: [database]
    environment:
      PGRST_DB_URI: postgres://postgres:\${POSTGRES_PASSWORD}@database:5432/postgres
      PGRST_DB_ANON_ROLE: postgres
    ports:
      - "3000:3000"
volumes:
  data:
`,
    secrets: ['POSTGRES_PASSWORD'],
    verify: [
      'That the code all parties agreed on is the code that runs',
      'That logs are closed, so no inputs leak through them',
      'That the disk is encrypted with a key bound to the app',
    ],
    limits: 'Outputs can reveal inputs. What queries are allowed is up to the code you review.',
  },
  {
    slug: 'provable-backend',
    title: 'Show users what your backend runs',
    summary: 'Publish a service whose users can check that it runs the source you published.',
    problem:
      'A privacy policy is a promise. Users of messengers, VPNs and wallets have no way to tell whether the server does what the repository says.',
    approach:
      'The measured Compose file names each image by digest. A user compares it with your repository and verifies the quote in their own browser.',
    compose: `services:
  web:
    image: nginx:1.27-alpine@sha256:65645c7bb6a0661892a8b03b89d0743208a18dd2f3f17a54ef4b76fb8e2f2a10
    restart: always
    ports:
      - "80:80"
`,
    secrets: [],
    verify: [
      'Each image’s digest against your published build',
      'The guest OS image, by its measurements',
      'When the running version was deployed',
    ],
    limits:
      'It proves which image runs, not that the image was built from the source. Reproducible builds close that gap.',
  },
  {
    slug: 'oracle',
    title: 'Fetch and sign outside data',
    summary: 'Feed prices or results to contracts from a program that its operator can’t bend.',
    problem: 'An oracle’s operator can sign any number. Committees reduce that risk and multiply the cost.',
    approach:
      'The fetching program runs in a confidential VM and signs with a key that only its approved version can derive. A contract accepts signatures of that key alone.',
    compose: `services:
  oracle:
    image: curlimages/curl:8.10.1@sha256:d9b4541e214bcd85196d6e92e2753ac6d0ea699f0af5741f8c6cccbfcf00ef4b
    restart: always
    volumes:
      - /var/run/dstack.sock:/var/run/dstack.sock
    command: sh -c 'while true; do curl -s --unix-socket /var/run/dstack.sock http://dstack/Info; sleep 300; done'
`,
    secrets: [],
    verify: [
      'The program and the addresses it reads, in the compose hash',
      'The key it signs with, by the guest agent’s evidence',
      'That the same version signed before and after an update',
    ],
    limits: 'The source can still lie. Use several sources and combine them in the program.',
  },
];
