import { operationResult } from '../../console/lib/cvms/operationWords';
import { STEPS, type StepName } from '../../console/lib/cvms/steps';
import { transitions, type CvmStatus, type OperationType } from '../domain/cvms/cvmStates';
import { createRandom, demoUuid } from './random';
import type { DemoApp, DemoCvm } from './scenario';

/** History of a demo CVM: operations, events and state changes, in order. */

interface TimelineOperation {
  correlation_id: string;
  type: OperationType;
  state: 'succeeded' | 'failed';
  target: string;
  steps: {
    name: StepName;
    state: 'done' | 'failed';
    started_at: string;
    finished_at: string;
    detail?: string;
  }[];
  error: string | null;
  recycle: boolean;
  at: Date;
  finished_at: Date;
}

export interface TimelineEvent {
  /** Correlation ID of its operation. */
  correlation_id: string | null;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: Record<string, string | number>;
  at: Date;
}

export interface Timeline {
  operations: TimelineOperation[];
  events: TimelineEvent[];
  changes: { status: CvmStatus; at: Date }[];
}

const HOUR_MS = 3_600_000;
/** Minimum hours between two entries of a CVM's history. */
const APART = 4;

export const BOOT_ERROR = 'The container web exited with code 1: the variable DATABASE_URL is not set';

type Moment =
  | { type: OperationType; age: number; fails?: string; status?: CvmStatus }
  | { type: 'lost'; age: number }
  | { type: 'disk_low'; age: number };

const STEPS_OF: Partial<Record<OperationType, readonly StepName[]>> = {
  deploy: [STEPS.prepare, STEPS.start, STEPS.boot],
  start: [STEPS.prepare, STEPS.start, STEPS.boot],
  restart: [STEPS.stop, STEPS.start, STEPS.boot],
  update: [STEPS.stop, STEPS.write, STEPS.start, STEPS.boot],
  shutdown: [STEPS.stop],
  delete: [STEPS.stop],
};

export function timelineOf(app: DemoApp, cvm: DemoCvm, { at, host }: { at: Date; host: string }): Timeline {
  const random = createRandom(cvm.public_id);
  const before = (age: number) => new Date(at.getTime() - Math.round(age * 3600) * 1000);
  const timeline: Timeline = { operations: [], events: [], changes: [] };
  for (const moment of momentsOf(app, cvm)) {
    const began = before(moment.age);
    const seconds = random.whole(20, 240);
    const ended = new Date(began.getTime() + seconds * 1000);
    if (moment.type === 'lost') lose(timeline, began, ended, host);
    else if (moment.type === 'disk_low') fillDisk(timeline, began, new Date(began.getTime() + HOUR_MS));
    else operate(timeline, moment, { began, ended, cvm, host });
  }
  return timeline;
}

/** Schedules the history, oldest first; a CVM's final events fall into its last hours. */
function momentsOf(app: DemoApp, cvm: DemoCvm): Moment[] {
  const random = createRandom(`moments of ${cvm.public_id}`);
  const [, ...later] = app.revisions;
  const moments: Moment[] = [
    { type: 'deploy', age: cvm.age },
    ...later.flatMap(({ age }) => (age < cvm.age - APART ? [{ type: 'update' as const, age }] : [])),
  ];
  const isFree = (age: number) => moments.every((one) => Math.abs(one.age - age) > APART);
  for (let i = 0; i < cvm.incidents; i++) {
    const age = random.whole(12 * 60, (cvm.age - APART) * 60) / 60;
    const what = random.pick(['restart', 'pause', 'lost', 'disk_low', 'failure'] as const);
    if (!isFree(age)) continue;
    if (what === 'pause') moments.push({ type: 'shutdown', age }, { type: 'start', age: age - 2 });
    else if (what === 'failure')
      moments.push({ type: 'update', age, fails: 'the image could not be pulled', status: 'running' });
    else moments.push({ type: what, age });
  }
  if (cvm.end === 'stopped') moments.push({ type: 'shutdown', age: 7 });
  if (cvm.end === 'recycled') moments.push({ type: 'delete', age: RECYCLED_AGE, status: 'stopped' });
  if (cvm.end === 'failed')
    moments.push({ type: 'shutdown', age: 7 }, { type: 'start', age: 5, fails: BOOT_ERROR, status: 'error' });
  return moments.toSorted((a, b) => b.age - a.age);
}

/** Hours since a CVM was moved to the recycle bin. */
export const RECYCLED_AGE = 6;

function operate(
  timeline: Timeline,
  { type, fails, status, age }: Extract<Moment, { type: OperationType }>,
  { began, ended, cvm, host }: { began: Date; ended: Date; cvm: DemoCvm; host: string },
): void {
  const correlation_id = demoUuid(`${cvm.public_id}/${type}/${age}`);
  const error = fails === undefined ? null : `${fails} (${host})`;
  const { during, target } = transitions[type];
  const names = STEPS_OF[type] ?? [];
  timeline.operations.push({
    correlation_id,
    type,
    state: error === null ? 'succeeded' : 'failed',
    target,
    steps: names.map((name, i) => stepOf(name, { began, ended, of: names.length, i, error })),
    error,
    recycle: type === 'delete',
    at: began,
    finished_at: ended,
  });
  const told = (at: Date, result: 'requested' | 'succeeded' | 'failed', message = '') =>
    timeline.events.push({
      correlation_id,
      kind: `${type}.${result}`,
      severity: result === 'failed' ? 'error' : 'info',
      message: `${operationResult(type, result)}${message}`,
      data: {},
      at,
    });
  told(began, 'requested');
  if (error === null) told(ended, 'succeeded');
  else told(ended, 'failed', `: ${error}`);
  timeline.changes.push({ status: during, at: began }, { status: status ?? target, at: ended });
}

function stepOf(
  name: StepName,
  { began, ended, of, i, error }: { began: Date; ended: Date; of: number; i: number; error: string | null },
): TimelineOperation['steps'][number] {
  const at = (part: number) =>
    new Date(began.getTime() + ((ended.getTime() - began.getTime()) * part) / of).toISOString();
  const times = { started_at: at(i), finished_at: at(i + 1) };
  return error !== null && i === of - 1
    ? { name, state: 'failed', ...times, detail: error }
    : { name, state: 'done', ...times };
}

function lose({ events, changes }: Timeline, began: Date, ended: Date, host: string): void {
  const of = { correlation_id: null, data: { host, since: began.toISOString() } };
  const message = `The host ${host} no longer lists its VM.`;
  events.push(
    { ...of, kind: 'cvm.lost', severity: 'error', message, at: began },
    { ...of, kind: 'cvm.recovered', severity: 'info', message: 'Running again', at: ended },
  );
  changes.push({ status: 'lost', at: began }, { status: 'running', at: ended });
}

function fillDisk({ events }: Timeline, began: Date, ended: Date): void {
  const of = { correlation_id: null, data: { disk: '/dev/vda', limit: 85 } };
  events.push(
    {
      ...of,
      kind: 'cvm.disk_low',
      severity: 'warning',
      message: 'Disk /dev/vda is 87% full: 2.6 GB of 20.0 GB left',
      at: began,
    },
    {
      ...of,
      kind: 'cvm.disk_recovered',
      severity: 'info',
      message: 'Disk /dev/vda has free space again: 9.1 GB of 20.0 GB free',
      at: ended,
    },
  );
}
