import { Agent, request } from 'undici';
import { ownValue } from '../../../console/lib/ownValue';
import { failureOfReply } from './failures';
import { methodOf, type Exchange } from './testRecordings';

/* Replays a recorded conversation on another host and compares its replies. */

export interface ParityHost {
  url: string;
  token: string;
  /** replaces what can't be requested from this host, before a request is sent */
  adapt?: (body: Record<string, unknown>, exchange: string) => Record<string, unknown>;
}

export interface Exceptions {
  /** exchanges that don't apply, with the reason */
  exchanges: Readonly<Record<string, string>>;
  /** fields of replies that differ on purpose, with the reason */
  fields: Readonly<Record<string, string>>;
}

interface Reply {
  status: number;
  body: string;
}

/** States that take a moment to reach, and RPCs that see or need them: a shutdown is refused until the guest is up. */
const EVENTUAL = new Set([
  'GetInfo',
  'Status',
  'Info',
  'SysInfo',
  'NetworkInfo',
  'ListContainers',
  'SvList',
  'ShutdownVm',
]);
const PATIENCE_MS = 60_000;
const POLL_MS = 20;

/**
 * Sends the recorded requests in order and returns each difference from the recorded replies, by exchange name.
 * Excepted exchanges are sent too, for their effect on later ones.
 */
export async function replay(
  host: ParityHost,
  exchanges: Exchange[],
  except: Exceptions,
): Promise<Record<string, string[]>> {
  const agent = new Agent();
  const ids = new Map<string, string>();
  const found: Record<string, string[]> = {};
  try {
    for (const exchange of exchanges) {
      const deadline = Date.now() + (EVENTUAL.has(methodOf(exchange)) ? PATIENCE_MS : 0);
      for (;;) {
        const reply = await send(agent, host, exchange, ids);
        const differences = Object.hasOwn(except.exchanges, exchange.name)
          ? []
          : compareReplies(exchange, reply).filter(({ field }) => !Object.hasOwn(except.fields, field));
        if (differences.length > 0 && Date.now() < deadline) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
          continue;
        }
        if (differences.length > 0)
          found[exchange.name] = differences.map(({ field, text }) => `${field}: ${text}`);
        const [was, is] = [idOf(exchange.response), idOf(reply)];
        if (methodOf(exchange) === 'CreateVm' && was !== '') ids.set(was, is);
        break;
      }
    }
  } finally {
    await agent.close();
  }
  return found;
}

function idOf({ status, body }: Reply): string {
  return status === 200 && body.startsWith('{"id":') ? (JSON.parse(body) as { id: string }).id : '';
}

async function send(
  agent: Agent,
  { url, token, adapt }: ParityHost,
  { name, request: recorded }: Exchange,
  ids: ReadonlyMap<string, string>,
): Promise<Reply> {
  const translate = (text: string) => {
    for (const [was, is] of ids) text = text.replaceAll(was, is);
    return text;
  };
  const scheme = recorded.headers?.authorization?.split(' ')[0];
  const authorization =
    scheme === 'Basic'
      ? `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`
      : `Bearer ${name.includes('wrong-token') ? 'wrong' : token}`;
  const { statusCode, body } = await request(new URL(translate(recorded.path), url), {
    dispatcher: agent,
    method: recorded.method as 'GET' | 'POST',
    headers: scheme === undefined ? {} : { authorization },
    ...(recorded.body === null || recorded.body === undefined
      ? {}
      : { body: translate(bodyOf(recorded.body, name, adapt)) }),
  });
  return { status: statusCode, body: await body.text() };
}

function compareReplies(exchange: Exchange, reply: Reply): Difference[] {
  const real = exchange.response;
  const said = reply.body.slice(0, 200);
  if (reply.status !== real.status)
    return [{ field: 'status', text: `${reply.status} instead of ${real.status}: ${said}` }];
  if (real.status !== 200) {
    const [is, should] = [kindOf(reply), kindOf(real)];
    return is === should ? [] : [{ field: 'kind', text: `${is} instead of ${should}: ${said}` }];
  }
  if (methodOf(exchange) === '') return [];
  return compareValues('reply', JSON.parse(reply.body), JSON.parse(real.body));
}

function kindOf({ status, body }: Reply): string {
  return failureOfReply(status, body, []).kind;
}

function bodyOf(body: unknown, name: string, adapt: ParityHost['adapt']): string {
  if (typeof body === 'string') return body;
  return JSON.stringify(adapt ? adapt(body as Record<string, unknown>, name) : body);
}

interface Difference {
  field: string;
  text: string;
}

/** Values that callers branch on, so a matching form isn't enough. */
const EXACT =
  /^reply\.(?:found|hash|(?:info|vms\[\]|processes\[\])\.(?:status|shutdown_progress|boot_error|.*\.stopped))$/;

function compareValues(field: string, is: unknown, should: unknown): Difference[] {
  const [form, wanted] = [formOf(is), formOf(should)];
  if (form !== wanted) return [{ field, text: `${form} instead of ${wanted}` }];
  if (EXACT.test(field) && is !== should)
    return [{ field, text: `${String(is)} instead of ${String(should)}` }];
  if (Array.isArray(is) && Array.isArray(should))
    return is.length > 0 && should.length > 0 ? compareValues(`${field}[]`, is[0], should[0]) : [];
  if (form !== 'object') return [];
  const [had, has] = [should as Record<string, unknown>, is as Record<string, unknown>];
  const unknown = Object.keys(has).filter((key) => !Object.hasOwn(had, key));
  return [
    ...Object.keys(had).flatMap((key) =>
      Object.hasOwn(has, key)
        ? compareValues(`${field}.${key}`, ownValue(has, key), ownValue(had, key))
        : [{ field: `${field}.${key}`, text: 'missing' }],
    ),
    ...unknown.map((key) => ({ field: `${field}.${key}`, text: 'unknown to a real host' })),
  ];
}

const FORMS: [string, RegExp][] = [
  ['empty text', /^$/],
  ['uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['elapsed time', /^(?:never|(?:\d+[dhms] ?)+)$/],
  ['hex', /^(?:[0-9a-f]{2}){8,}$/],
  ['URL', /^https?:\/\//],
  ['JSON', /^\{[^]*\}$/],
];

function formOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  return FORMS.find(([, form]) => form.test(value))?.[0] ?? 'text';
}
