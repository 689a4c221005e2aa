import type { OperationError } from '../../generated/api/types.gen';
import { getOperation, getRollout, type Client } from '../client';
import { DeployError, EXIT } from './exit';
import type { Log } from './log';

export interface Waiting {
  client: Client;
  log: Log;
  /** Unix milliseconds. */
  deadline: number;
  /** Polling interval in milliseconds. */
  poll_ms: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until an operation has succeeded. @throws {DeployError} with the key line of its error */
export async function waitForOperation(waiting: Waiting, correlation_id: string): Promise<void> {
  const { client, log, deadline, poll_ms } = waiting;
  let said = '';
  for (;;) {
    const { data } = await getOperation({ client, throwOnError: true, path: { correlation_id } });
    const step = data.steps.at(-1);
    const now =
      step === undefined ? data.state : `${step.name}${step.detail === null ? '' : `: ${step.detail}`}`;
    if (now !== said) log.info(`  ${now}`);
    said = now;
    if (data.state === 'succeeded') return;
    if (data.state === 'failed') throw failed(`The ${data.type} failed`, data.error);
    if (data.state === 'cancelled')
      throw new DeployError(
        EXIT.failed,
        `The ${data.type} was canceled${data.cancelled_by === null ? '' : ` by ${data.cancelled_by.username}`}.`,
      );
    if (Date.now() + poll_ms > deadline) throw overdue(`The ${data.type}`);
    await sleep(poll_ms);
  }
}

/** Waits until a rollout has updated all of an app's CVMs. @throws {DeployError} */
export async function waitForRollout(
  waiting: Waiting,
  { app_id, rollout_id }: { app_id: string; rollout_id: string },
): Promise<void> {
  const { client, log, deadline, poll_ms } = waiting;
  let said = '';
  for (;;) {
    const { data } = await getRollout({ client, throwOnError: true, path: { app_id, rollout_id } });
    const now = `${data.updated} of ${data.total} CVMs updated`;
    if (now !== said) log.info(`  ${now}`);
    said = now;
    if (data.state === 'succeeded') return;
    if (data.state === 'failed' || data.state === 'cancelled') {
      const item = data.items.find(({ state }) => state === 'failed' || state === 'reverted');
      const where = item?.message ? ` ${item.cvm.name ?? 'A CVM'}: ${usefulLine(item.message)}` : '';
      if (data.state === 'cancelled') throw new DeployError(EXIT.failed, `The rollout was canceled.${where}`);
      const { message, advice } = failed('The rollout failed', data.error);
      throw new DeployError(EXIT.failed, `${message}${where}`, advice);
    }
    if (Date.now() + poll_ms > deadline) throw overdue('The rollout');
    await sleep(poll_ms);
  }
}

const overdue = (what: string) =>
  new DeployError(EXIT.timeout, `${what} is still in progress. It continues on the server.`, [
    'Raise timeout-minutes if this app takes longer to start.',
  ]);

function failed(what: string, error: OperationError | null): DeployError {
  if (error === null) return new DeployError(EXIT.failed, `${what}.`);
  return new DeployError(
    EXIT.failed,
    `${what}: ${usefulLine(error.message)}`,
    error.what_to_do === '' ? [] : [error.what_to_do],
  );
}

const TELLING = /\b(error|failed|failure|cannot|can't|denied|no such|not found|invalid|refused|exited)\b/i;
const MAX_CHARACTERS = 500;

/** Returns the most informative line of a boot error: the last that names a failure, else the last. */
export function usefulLine(text: string): string {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.findLast((one) => TELLING.test(one)) ?? lines.at(-1) ?? '';
  // Guests put the reason at the end.
  return line.length <= MAX_CHARACTERS ? line : `…${line.slice(1 - MAX_CHARACTERS)}`;
}
