import { appendFile, readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { ownValue } from '../../console/lib/ownValue';
import type { Env, Inputs } from './inputs';
import type { Log } from './log';
import { sleep } from './wait';

/*
 * The parts of GitHub that this program uses: the files and variables of a workflow step, and pull request
 * comments. Forgejo and Gitea have the same.
 */

export const isWorkflow = (env: Env): boolean => env.GITHUB_ACTIONS === 'true';

const MAX_PAGES = 30;
const PER_PAGE = 100;
const TIMEOUT_MS = 20_000;
const RETRIES = 3;
const MAX_WAIT_SECONDS = 60;

interface Repository {
  /** Base URL of the API. */
  api: string;
  /** `owner/name` */
  name: string;
  token: string;
}

interface Comment {
  id: number;
  body: string;
  author: string;
  is_bot: boolean;
}

/** Sets the step's outputs and summary, if the files exist. */
export async function writeStep(
  env: Env,
  outputs: Readonly<Record<string, string>>,
  summary: string,
): Promise<void> {
  if (!isWorkflow(env)) return;
  if (env.GITHUB_OUTPUT) {
    // A delimiter that no value can contain ends a value.
    const end = `end_${randomBytes(16).toString('hex')}`;
    const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`);
    await appendFile(env.GITHUB_OUTPUT, lines.join(''));
  }
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, summary);
}

/**
 * Creates or updates the pull request's comment for this app with the report: one comment per app and pull request. A
 * failure is only a warning, because the deployment is done.
 */
export async function comment(
  env: Env,
  inputs: Inputs,
  { marker, text }: { marker: string; text: string },
  log: Log,
): Promise<void> {
  const { github_token: token } = inputs;
  if (!inputs.comment || !isWorkflow(env)) return;
  if (token === undefined) return log.info('No comment: set github-token to ${{ github.token }} for one.');
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: name } = env;
  if (!api || !name || !/^[\w.-]+\/[\w.-]+$/.test(name)) return;
  const repository: Repository = { api: api.replace(/\/$/, ''), name, token };
  try {
    const number = inputs.pull_request ?? (await pullRequestOf(env, repository));
    if (number === null) return log.info('No comment: this commit isn’t part of a pull request.');
    await upsert(repository, number, marker, text);
    log.info(`Commented on pull request ${number}.`);
  } catch (error) {
    const why = error instanceof GithubError ? error.message : 'the comment API couldn’t be reached.';
    log.warning(`Couldn’t comment on the pull request: ${why}`);
  }
}

class GithubError extends Error {
  readonly status: number;
  constructor(status: number, what: string) {
    const advice =
      status === 403 || status === 404
        ? ' Give the job the permission `pull-requests: write`. Runs for forks can’t have it.'
        : '';
    super(`${what} returned status ${status}.${advice}`);
    this.status = status;
  }
}

/** Returns the event's pull request, or the one that contains the commit. */
async function pullRequestOf(env: Env, repository: Repository): Promise<number | null> {
  const event: unknown = env.GITHUB_EVENT_PATH
    ? await readFile(env.GITHUB_EVENT_PATH, 'utf8').then(JSON.parse, () => null)
    : null;
  const number =
    numberAt(event, 'pull_request') ??
    (has(event, 'issue', 'pull_request') ? numberAt(event, 'issue') : null);
  if (number !== null) return number;
  const sha = env.GITHUB_SHA ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(sha)) return null;
  const found = await request(repository, 'GET', `/commits/${sha}/pulls?per_page=10`).catch(
    (error: unknown) => {
      // Forgejo has no such list.
      if (error instanceof GithubError && error.status === 404) return [];
      throw error;
    },
  );
  const pulls = Array.isArray(found) ? (found as unknown[]) : [found];
  return pulls.map((pull) => numberIn(pull)).find((one) => one !== null) ?? null;
}

async function upsert(repository: Repository, number: number, marker: string, body: string): Promise<void> {
  const mine = await isMine(repository);
  const found = await findComment(repository, number, marker, mine);
  if (found !== null) return void (await request(repository, 'PATCH', `/issues/comments/${found}`, { body }));
  const made = numberIn(await request(repository, 'POST', `/issues/${number}/comments`, { body }), 'id');
  // Two runs may have checked concurrently: the older comment stays.
  const first = await findComment(repository, number, marker, mine);
  if (made === null || first === null || first === made) return;
  await request(repository, 'PATCH', `/issues/comments/${first}`, { body });
  await request(repository, 'DELETE', `/issues/comments/${made}`);
}

/** Only the token's own comments are changed. A workflow's token can't query its identity, but belongs to a bot. */
async function isMine(repository: Repository): Promise<(comment: Comment) => boolean> {
  const user = await fetchJson(repository, 'GET', `${repository.api}/user`).catch((error: unknown) => {
    if (error instanceof GithubError) return null;
    throw error;
  });
  const login = textAt(user, 'login');
  return login === null ? ({ is_bot }) => is_bot : ({ author }) => author === login;
}

/** Returns the ID of the oldest comment that starts with the marker. */
async function findComment(
  repository: Repository,
  number: number,
  marker: string,
  isOwn: (comment: Comment) => boolean,
): Promise<number | null> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await request(
      repository,
      'GET',
      `/issues/${number}/comments?per_page=${PER_PAGE}&limit=${PER_PAGE}&page=${page}`,
    );
    const comments = Array.isArray(found) ? (found as unknown[]) : [];
    for (const one of comments) {
      const read = readComment(one);
      if (read && read.body.startsWith(marker) && isOwn(read)) return read.id;
    }
    if (comments.length < PER_PAGE) return null;
  }
  return null;
}

function readComment(value: unknown): Comment | null {
  const [id, body] = [numberIn(value, 'id'), textAt(value, 'body')];
  const user = at(value, 'user');
  const author = textAt(user, 'login') ?? '';
  // Forgejo's bots have no type.
  const is_bot = textAt(user, 'type') === 'Bot' || /^(forgejo|gitea|github)-actions(\[bot\])?$/.test(author);
  return id === null || body === null ? null : { id, body, author, is_bot };
}

const request = (repository: Repository, method: string, path: string, body?: unknown) =>
  fetchJson(repository, method, `${repository.api}/repos/${repository.name}${path}`, body);

async function fetchJson(
  { token }: Repository,
  method: string,
  url: string,
  body?: unknown,
): Promise<unknown> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'teehouse-deploy',
        'x-github-api-version': '2022-11-28',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.status === 204 ? null : await response.json();
    await response.body?.cancel();
    const wait = waitSeconds(response, method);
    if (wait === null || attempt >= RETRIES) throw new GithubError(response.status, `${method} of a comment`);
    await sleep(wait * 1000);
  }
}

/** Secondary rate limits are 403 or 429 with Retry-After. A comment isn't created twice after an error in between. */
function waitSeconds({ status, headers }: Response, method: string): number | null {
  const given = headers.get('retry-after');
  const seconds = given !== null && /^\d{1,5}$/.test(given) ? Number(given) : null;
  if (status === 429 || status === 403)
    return seconds !== null && seconds <= MAX_WAIT_SECONDS ? seconds : null;
  return status >= 500 && method !== 'POST' ? 1 : null;
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? ownValue(value as Readonly<Record<string, unknown>>, key)
    : undefined;
const textAt = (value: unknown, key: string): string | null => {
  const found = at(value, key);
  return typeof found === 'string' ? found : null;
};
const numberIn = (value: unknown, key = 'number'): number | null => {
  const found = at(value, key);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
};
const numberAt = (value: unknown, key: string) => numberIn(at(value, key));
const has = (value: unknown, ...keys: string[]): boolean =>
  keys.reduce<unknown>((found, key) => at(found, key), value) !== undefined;
