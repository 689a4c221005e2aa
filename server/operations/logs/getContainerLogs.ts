import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { LogTarget } from '../../db/cvms/cvmQueries';
import { Problem } from '../../domain/core/problem';
import { logMoment } from '../../domain/logs/logMoment';
import type { Context, Handler } from '../types';
import { hostProblem } from './hostProblem';
import { logTarget } from './logTarget';
import { invalid } from '../core/invalid';

/** Timeout for looking up the guest agent's address at the host. */
const INFO_MS = 5_000;

export const getContainerLogs: Handler<'getContainerLogs'> = async ({ path, query, ctx }) => {
  const container = path.container.replace(/^\//, '');
  const { target, reader } = await logTarget(ctx, { vm_uuid: path.vm_uuid, token: query.token }, [
    'containers',
    `container:${container}`,
  ]);
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(container)) throw noSuchContainer(container);
  const { follow, text, bare, timestamps, ansi } = query;
  const since = momentOf('since', query.since);
  const until = momentOf('until', query.until);
  const tail = query.tail ?? query.lines;
  // Own controller, so that a response that isn't passed on is released.
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const options = { since, until, tail, follow, text, bare, timestamps, ansi };
  try {
    const answer = await ctx.vmm.get(target.teepod).containerLogs({
      vm: await agentOf(ctx, target),
      container,
      query: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
      signal,
    });
    if (answer.status === 200) {
      // Served as text whatever type the guest declares, never as a page of this origin.
      return { status: 200, content_type: 'text/plain; charset=utf-8', stream: answer.body, reader };
    }
    throw refusal(answer.status, container, target);
  } catch (error) {
    stop.abort();
    throw hostProblem(error, target.teepod.name);
  }
};

/**
 * Returns what the driver needs to reach the guest agent. A local teepod answers for it; otherwise the host knows its
 * address.
 */
async function agentOf(ctx: Context, { host_vm_id, instance_id, app_id, teepod }: LogTarget) {
  if (host_vm_id === null)
    throw new Problem('HOST_REFUSED', {
      message: 'The CVM is not on its host yet, so it has no containers.',
    });
  if (teepod.kind === 'local' && instance_id !== null)
    return { id: host_vm_id, app_id, instance_id, app_url: null };
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(INFO_MS)]);
  const info = await ctx.vmm.get(teepod).getInfo(host_vm_id, { signal });
  if (!info)
    throw new Problem('HOST_REFUSED', { message: `The host ${teepod.name} doesn't list this CVM's VM.` });
  return info;
}

/** @throws VALIDATION_FAILED */
function momentOf(field: 'since' | 'until', text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const moment = logMoment(text);
  if (moment !== null) return moment;
  const message = `${field} must be a date and time such as 2026-01-31T12:00:00Z, seconds since 1970, or an age such as 10m.`;
  throw invalid(field, message);
}

const noSuchContainer = (container: string) =>
  new Problem('NOT_FOUND', { message: `The CVM has no container “${cutWhole(container, 80)}”.` });

function refusal(status: number, container: string, target: LogTarget): Problem {
  if (status === 404) return noSuchContainer(container);
  if (status === 403 && !target.public_logs)
    return new Problem('FORBIDDEN', {
      message: "Container logs aren't public, because public_logs is off for this CVM.",
    });
  return new Problem('HOST_REFUSED', {
    message:
      target.status === 'running'
        ? `The guest agent returned ${status}.`
        : `The CVM is ${target.status}; its guest agent returned ${status}.`,
  });
}
