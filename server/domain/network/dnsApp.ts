import {
  after,
  failureText,
  found,
  type DomainCheck,
  type DomainFacts,
  type Expected,
  type FoundRecord,
} from './dnsFacts';
import type { DnsLookup, DnsRecord } from './dnsRecords';
import { addressRecordName, APP_ADDRESS_FORMER, APP_ADDRESS_WILDCARD } from './domains';

export interface AppJudgment {
  check: DomainCheck;
  proved: boolean | null;
}

/**
 * The TXT record by which dstack-gateway finds the app: `<app id or instance id>:<port>`. The gateway reads
 * the first record's first part literally; so does this.
 */
export function judgeApp(facts: DomainFacts, expected: Expected): AppJudgment {
  const { app, at } = facts;
  const wanted = `${expected.target}:${expected.port}`;
  const name = addressRecordName(facts.name);
  const mine = (record: DnsRecord) => kindOf(record, expected) === 'right';
  const judged = (
    state: DomainCheck['state'],
    message: string,
    rest: { what_to_do?: string; found?: FoundRecord[]; remembered_until?: Date | null },
  ): DomainCheck => ({
    id: 'app',
    state,
    message,
    what_to_do: rest.what_to_do ?? null,
    wanted: [wanted],
    found: rest.found ?? found(app.records, mine),
    remembered_until: rest.remembered_until ?? null,
  });

  if (app.outcome === 'failed')
    return {
      proved: null,
      check: judged('unknown', failureText(name, app.failure), {
        what_to_do: 'It is checked again automatically.',
      }),
    };
  if (app.outcome !== 'records') return elsewhere(facts, expected, judged);

  const kinds = app.records.map((record) => kindOf(record, expected));
  const proved = kinds.every((kind) => OURS.has(kind));
  const remembered_until = after(at, app.ttl);
  if (app.records.length > 1 && !kinds.every((kind) => kind === 'right'))
    return {
      proved,
      check: judged(
        'failed',
        `There are ${app.records.length} TXT records at ${name}, and the gateway takes whichever comes first.`,
        {
          what_to_do: `Keep the one that says ${wanted} and remove the others.`,
          remembered_until,
        },
      ),
    };
  const kind = kinds[0] ?? 'other';
  if (kind === 'right')
    return {
      proved,
      check: judged('passed', 'The record points to this app and proves that you own the domain.', {}),
    };
  const { message, what_to_do, state } = said(kind, {
    name,
    wanted,
    value: app.records[0]?.value ?? '',
    expected,
  });
  return { proved, check: judged(state, message, { what_to_do, remembered_until }) };
}

type Kind =
  | 'right'
  /** Another ID of the same app: all of it, or one instance of it. */
  | 'other_target'
  | 'port'
  /** Correct except for surrounding characters that the gateway does not strip. */
  | 'spelling'
  /** Split into parts; the gateway reads only the first. */
  | 'parts'
  | 'not_an_address'
  | 'other';
const OURS: ReadonlySet<Kind> = new Set(['right', 'other_target', 'port', 'spelling', 'parts']);

function kindOf({ value, parts }: DnsRecord, { target, app_id, instance_ids, port }: Expected): Kind {
  const ids = [target, app_id, ...instance_ids];
  const exact = /^([0-9a-f]{40}):(\d{1,5})$/.exec(value);
  if (exact && parts !== undefined && parts.length > 1)
    return ids.includes(exact[1] ?? '') ? 'parts' : 'other';
  if (exact) {
    const [, id = '', given] = exact;
    if (!ids.includes(id)) return 'other';
    if (Number(given) !== port) return 'port';
    return id === target ? 'right' : 'other_target';
  }
  const loose = /^(?:app_|instance_|0x)?([0-9a-f]{40})(?::(\d{1,5}))?$/.exec(
    value.replace(/^["'\s]+|["'\s]+$/g, '').toLowerCase(),
  );
  if (!loose) return 'not_an_address';
  return ids.includes(loose[1] ?? '') ? 'spelling' : 'other';
}

function said(
  kind: Kind,
  { name, wanted, value, expected }: { name: string; wanted: string; value: string; expected: Expected },
): { message: string; what_to_do: string; state: DomainCheck['state'] } {
  const set = `Set the TXT record at ${name} to ${wanted}.`;
  switch (kind) {
    case 'port':
      return {
        state: 'failed',
        message: `The record routes to port ${value.split(':')[1] ?? ''} of this app, not to ${expected.port}.`,
        what_to_do: `${set} Or remove the domain here and add it with the other port.`,
      };
    case 'other_target':
      return {
        state: 'warning',
        message: value.startsWith(expected.app_id)
          ? 'The record names the whole app: visitors reach any of its instances, not just this one.'
          : 'The record names one instance of this app: other instances get no traffic, and the domain is down while that instance is stopped.',
        what_to_do: set,
      };
    case 'spelling':
      return {
        state: 'failed',
        message:
          "The record names this app in a form the gateway can't read. Check for quotes, spaces, capital letters, a prefix or a missing port.",
        what_to_do: set,
      };
    case 'parts':
      return {
        state: 'failed',
        message: 'The record is split into several strings, and the gateway reads only the first.',
        what_to_do: `${set} Enter it as one string, without quotes in between.`,
      };
    case 'not_an_address':
      return {
        state: 'failed',
        message: "The TXT record doesn't have the form <app id>:<port>.",
        what_to_do: set,
      };
    default:
      return {
        state: 'failed',
        message: 'The record names another app, so visitors reach that one.',
        what_to_do: `${set} If the domain has another owner, ask them to set it.`,
      };
  }
}

/** No record at the name itself: the gateway also reads the parent's wildcard record, and formerly another name. */
function elsewhere(
  { app, former, fallback, name, at }: DomainFacts,
  expected: Expected,
  judged: (
    state: DomainCheck['state'],
    message: string,
    rest: { what_to_do?: string; found?: FoundRecord[]; remembered_until?: Date | null },
  ) => DomainCheck,
): AppJudgment {
  const wanted = `${expected.target}:${expected.port}`;
  const here = addressRecordName(name);
  const right = (lookup: DnsLookup | null) =>
    lookup !== null &&
    lookup.records.length > 0 &&
    lookup.records.every((record) => kindOf(record, expected) === 'right');
  if (fallback && right(fallback))
    return {
      proved: true,
      check: judged(
        'passed',
        `A wildcard record at the parent domain (${APP_ADDRESS_WILDCARD}) routes to this app.`,
        {
          found: found(fallback.records, () => true),
        },
      ),
    };
  if (former && right(former))
    return {
      proved: true,
      check: judged(
        'warning',
        `Only the former name (${APP_ADDRESS_FORMER}) has the record. Newer gateways read it in a compatibility mode, if at all.`,
        {
          what_to_do: `Set a TXT record at ${here} to ${wanted}, too.`,
          found: found(former.records, () => true),
        },
      ),
    };
  const stray = [...(fallback?.records ?? []), ...(former?.records ?? [])];
  return {
    proved: false,
    check: judged('failed', `There is no TXT record at ${here}.`, {
      what_to_do: `Set one to ${wanted}. DNS changes can take minutes, sometimes hours.`,
      found: found(stray, () => false),
      remembered_until: after(at, app.ttl),
    }),
  };
}
