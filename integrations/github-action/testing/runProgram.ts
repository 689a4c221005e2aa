import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../run';
import { WORKFLOW_TOKEN, type FakeGithub } from './fakeGithub';

export interface Ran {
  code: number;
  /** Log lines, without those that register secrets with the runner. */
  lines: string[];
  log: string;
  /** Secrets registered with the runner. */
  masked: string[];
  outputs: Record<string, string>;
  summary: string;
}

interface RunOptions {
  /** Inputs as in action.yml. */
  with?: Record<string, string>;
  env?: Record<string, string>;
  /** Text of docker-compose.yml. */
  compose?: string;
  /** Number of the run's pull request. Otherwise, the run is a push. */
  pull_request?: number;
  /** Called with each line of the log when it is written. */
  onLine?: (line: string) => void;
}

/** Runs the program as a workflow's step on a runner would, with a repository of one Compose file. */
export async function runStep(
  { api }: Pick<FakeGithub, 'api'>,
  { with: inputs = {}, env = {}, compose, pull_request, onLine }: RunOptions,
): Promise<Ran> {
  const folder = await mkdtemp(path.join(tmpdir(), 'teehouse-action-'));
  const file = (name: string) => path.join(folder, name);
  try {
    const event = pull_request === undefined ? {} : { pull_request: { number: pull_request } };
    await writeFile(file('event.json'), JSON.stringify(event));
    await writeFile(file('output'), '');
    await writeFile(file('summary'), '');
    if (compose !== undefined) await writeFile(file('docker-compose.yml'), compose);
    const all: string[] = [];
    const code = await run({
      env: {
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: api,
        GITHUB_SERVER_URL: 'https://github.example.test',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_RUN_ID: '42',
        GITHUB_SHA: 'c0ffee'.padEnd(40, '0'),
        GITHUB_EVENT_NAME: pull_request === undefined ? 'push' : 'pull_request',
        GITHUB_EVENT_PATH: file('event.json'),
        GITHUB_OUTPUT: file('output'),
        GITHUB_STEP_SUMMARY: file('summary'),
        'INPUT_GITHUB-TOKEN': WORKFLOW_TOKEN,
        ...Object.fromEntries(
          Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
        ),
        ...env,
      },
      argv: [],
      cwd: folder,
      write: (line) => {
        all.push(line);
        onLine?.(line);
      },
      poll_ms: 100,
      settle_seconds: 0,
    });
    const isMask = (line: string) => line.startsWith('::add-mask::');
    const lines = all.filter((line) => !isMask(line));
    return {
      code,
      lines,
      log: lines.join('\n'),
      masked: all.filter(isMask).map((line) => line.slice('::add-mask::'.length)),
      outputs: readOutputs(await readFile(file('output'), 'utf8')),
      summary: await readFile(file('summary'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads `name<<delimiter`, lines, `delimiter`. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name = '', , value = ''] of text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm))
    outputs[name] = value;
  return outputs;
}

/** Removes Markdown code: blocks, ended by CommonMark's rule, and spans. */
export function outsideCode(markdown: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const [, ticks] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence === null) {
      if (ticks === undefined) kept.push(line);
      else fence = ticks;
    } else if (ticks !== undefined && ticks.length >= fence.length && /^ {0,3}`+\s*$/.test(line))
      fence = null;
  }
  if (fence !== null) throw new Error('a code block has no end');
  return kept.join('\n').replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
}
