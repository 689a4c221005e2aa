import type {
  AdminAiUpstream,
  AdminDrain,
  AdminFinanceAction,
  AdminInstanceEvent,
  AdminKms,
  AdminKmsContract,
  AdminMaintenanceWindow,
  AdminMonitoringEvent,
  AdminNode,
  AdminQueue,
  AdminTeepod,
} from '../../generated/api/types.gen';
import { count, counted } from '../../console/lib/texts/count';
import { adminHref } from '../paths';
import { isNearlyFull, loadOf, RESOURCES } from './fleetCapacity';

const listed = new Intl.ListFormat('en');

/** Something that needs an operator's attention, with a link. */
export interface Concern {
  key: string;
  tone: 'error' | 'attention';
  title: string;
  detail: string;
  href: string;
  /** When the host last responded or the state last changed, if known. */
  since: string | null;
}

/** Errors first. Hosts taken offline deliberately are skipped. */
export function concernsOf(teepods: readonly AdminTeepod[], nodes: readonly AdminNode[]): Concern[] {
  const closed = new Set(nodes.filter((node) => node.state === 'offline').map((node) => node.id));
  return bySeverity(
    teepods
      .filter((teepod) => teepod.state !== 'offline' && !closed.has(teepod.node_id))
      .flatMap(concernsOfTeepod),
  );
}

/**
 * The overview reads only some hosts of a large fleet, so without other concerns it must not claim that all is well.
 * @param total number of hosts
 * @param read number of those read
 */
export function concernsOfUnread(total: number, read: number): Concern[] {
  if (total <= read) return [];
  return [
    {
      key: 'unread',
      tone: 'attention',
      title: `Only the first ${count(read)} of ${count(total)} hosts are checked here`,
      detail: 'The map covers all of them, and lists the nodes that need attention.',
      href: `${adminHref.home}/infra?attention=true`,
      since: null,
    },
  ];
}

function concernsOfTeepod(teepod: AdminTeepod): Concern[] {
  const href = adminHref.show('teepods', teepod.id);
  const concern = (
    key: string,
    tone: Concern['tone'],
    title: string,
    detail: string,
    since: string | null = null,
  ) => ({
    key: `${teepod.id}/${key}`,
    tone,
    title,
    detail,
    href,
    since,
  });
  const unset = RESOURCES.filter(({ key }) => loadOf(teepod, key).max === 0).map(({ noun }) => noun);
  const full = RESOURCES.filter(({ key }) => isNearlyFull(loadOf(teepod, key)));
  return [
    ...(teepod.reachable
      ? []
      : [
          concern(
            'reach',
            'error',
            `${teepod.name} is unreachable`,
            teepod.last_error ?? 'It has never responded.',
            teepod.last_seen_at,
          ),
        ]),
    ...(unset.length > 0
      ? [
          concern(
            'unset',
            'attention',
            `${teepod.name} has no capacity set`,
            `Set ${listed.format(unset)} to allow deployments.`,
          ),
        ]
      : []),
    ...(full.length > 0
      ? [
          concern(
            'full',
            'attention',
            `${teepod.name} is nearly full`,
            `At least 90% of ${listed.format(full.map(({ noun }) => noun))} used.`,
          ),
        ]
      : []),
    ...(teepod.drift > 0
      ? [
          {
            ...concern(
              'drift',
              'attention',
              `Drift on ${teepod.name}`,
              `${counted(teepod.drift, ['CVM differs', 'CVMs differ'])} between host and database.`,
            ),
            href: adminHref.child('teepods', teepod.id, 'managed-cvms'),
          },
        ]
      : []),
    ...teepod.warnings.map((warning, i) =>
      concern(`warning ${i}`, 'attention', `Warning on ${teepod.name}`, warning),
    ),
  ];
}

/** Open abuse reports from visitors. @param open number of them */
export function concernsOfReports(open: number): Concern[] {
  if (open === 0) return [];
  return [
    {
      key: 'abuse-reports',
      tone: 'attention',
      title: counted(open, ['open abuse report', 'open abuse reports']),
      detail: 'Visitors reported published apps. Dismiss each report, or remove the app from public lists.',
      href: adminHref.list('abuse-reports', { state: ['open'] }),
      since: null,
    },
  ];
}

/** Filters for errors that aren't an app's own fault, since those can only be fixed by its team. */
export const failuresSince = (since: string) => ({
  severity: 'error',
  is_app_fault: false,
  created_at_gte: since,
});

/** Failed operations, lost CVMs and other errors, in one line with the latest. */
export function concernsOfFailures(
  total: number,
  latest: Pick<AdminInstanceEvent, 'cvm_name' | 'message' | 'created_at'> | undefined,
  since: string,
): Concern[] {
  if (total === 0 || !latest) return [];
  return [
    {
      key: 'failures',
      tone: 'error',
      title: `${counted(total, ['CVM error', 'CVM errors'])} in the last 24 hours`,
      detail: `Latest: ${latest.cvm_name === null ? '' : `${latest.cvm_name}, `}${latest.message}`,
      href: adminHref.list('instance-events', failuresSince(since)),
      since: null,
    },
  ];
}

/** A queue fails if it had failures in the last hour; its other number covers 7 days. */
export function concernsOfQueues(queues: readonly AdminQueue[]): Concern[] {
  return queues
    .filter(({ state }) => state === 'failing' || state === 'late')
    .map(({ id, name, state, failed_last_hour, waiting }) => ({
      key: `queue/${id}`,
      tone: state === 'failing' ? ('error' as const) : ('attention' as const),
      title: `Queue ${name} is ${state === 'failing' ? 'failing' : 'late'}`,
      detail:
        state === 'failing'
          ? `${counted(failed_last_hour, ['job', 'jobs'])} failed in the last hour.`
          : `${counted(waiting, ['job is', 'jobs are'])} waiting.`,
      href: adminHref.show('queue-workers', id),
      since: null,
    }));
}

/** AI upstreams that failed their last check, in one line. @param total number of them */
export function concernsOfUpstreams(
  upstreams: readonly Pick<AdminAiUpstream, 'id' | 'name' | 'last_error'>[],
  total: number,
): Concern[] {
  const [first] = upstreams;
  if (total === 0 || first === undefined) return [];
  const error = first.last_error ?? 'Its last check failed.';
  return [
    {
      key: 'ai-upstreams',
      tone: 'error',
      title:
        total === 1
          ? `AI upstream ${first.name} is failing`
          : `${counted(total, ['AI upstream is', 'AI upstreams are'])} failing`,
      detail: total === 1 ? error : `${first.name}: ${error}`,
      href:
        total === 1
          ? adminHref.show('ai-upstreams', first.id)
          : adminHref.list('ai-upstreams', FAILING_UPSTREAMS),
      since: null,
    },
  ];
}

/** Filters for failing AI upstreams that are in use. A team's own are left out: only the team can fix them. */
export const FAILING_UPSTREAMS = { health: ['failing'], state: ['active'], team_id: null };

/** Sorts errors first; otherwise keeps the order. */
export const bySeverity = (concerns: readonly Concern[]): Concern[] => [
  ...concerns.filter(({ tone }) => tone === 'error'),
  ...concerns.filter(({ tone }) => tone !== 'error'),
];

/** Blocked drains and nodes in maintenance. */
export function concernsOfService(
  drains: readonly AdminDrain[],
  windows: readonly AdminMaintenanceWindow[],
  { teepods, nodes }: { teepods: readonly AdminTeepod[]; nodes: readonly AdminNode[] },
): Concern[] {
  const nameOf = (rows: readonly { id: number; name: string }[], id: number) =>
    rows.find((row) => row.id === id)?.name ?? String(id);
  return [
    ...drains
      .filter(({ state }) => state === 'blocked')
      .map(({ id, teepod_id, blocked_cvms, message, updated_at }): Concern => ({
        key: `drain/${id}`,
        tone: 'error',
        title: `Draining ${nameOf(teepods, teepod_id)} is blocked by ${counted(blocked_cvms, ['CVM', 'CVMs'])}`,
        detail: message ?? '',
        href: adminHref.show('drains', id),
        since: updated_at,
      })),
    ...windows
      .filter(({ state }) => state === 'active')
      .map(({ id, node_id, reason }): Concern => ({
        key: `maintenance/${id}`,
        tone: 'attention',
        title: `${nameOf(nodes, node_id)} is in maintenance`,
        detail: reason,
        href: adminHref.show('maintenance-windows', id),
        since: null,
      })),
  ];
}

/** Finance actions that wait for this user's approval, and those that wait for another administrator. */
export function concernsOfApprovals({
  own,
  ownTotal,
  others,
  othersTotal,
}: {
  /** Oldest first; there may be more. */
  own: readonly AdminFinanceAction[];
  ownTotal: number;
  others: readonly AdminFinanceAction[];
  othersTotal: number;
}): Concern[] {
  const concern = (
    key: string,
    title: string,
    actions: readonly AdminFinanceAction[],
    total: number,
  ): Concern[] =>
    actions[0] === undefined
      ? []
      : [
          {
            key: `approvals/${key}`,
            tone: 'attention',
            title,
            detail: total === 1 ? `${actions[0].title}.` : `Oldest: ${actions[0].title}.`,
            href:
              total === 1
                ? adminHref.show('finance-actions', actions[0].id)
                : adminHref.list('finance-actions', { state: 'pending' }),
            since: null,
          },
        ];
  return [
    ...concern(
      'others',
      `${counted(othersTotal, ['finance action is', 'finance actions are'])} waiting for approval`,
      others,
      othersTotal,
    ),
    ...concern(
      'own',
      `${counted(ownTotal, ['of your requests is', 'of your requests are'])} waiting for another administrator`,
      own,
      ownTotal,
    ),
  ];
}

/** Keys that differ from the pinned ones come first. Retired services are skipped. */
export function concernsOfKeys(kms: readonly AdminKms[], contracts: readonly AdminKmsContract[]): Concern[] {
  const concernOf = (
    row: AdminKms | AdminKmsContract,
    resource: string,
    name: string,
    answered_at: string | null,
  ): Concern[] => {
    if (row.state === 'retired' || (row.health !== 'alarm' && row.health !== 'unreachable')) return [];
    const alarm = row.health === 'alarm';
    return [
      {
        key: `${resource}/${row.id}`,
        tone: 'error',
        title: alarm ? `${name}: alarm` : `${name} is unreachable`,
        detail: (alarm ? row.notices[0] : row.last_error) ?? 'It has never responded.',
        href: adminHref.show(resource, row.id),
        since: alarm ? null : answered_at,
      },
    ];
  };
  const all = [
    ...kms.flatMap((row) => concernOf(row, 'kms', `KMS ${row.slug}`, row.answered_at)),
    ...contracts.flatMap((row) => concernOf(row, 'kms-contracts', `Contract ${row.label}`, row.read_at)),
  ];
  return all.sort((a, b) => Number(b.title.endsWith('alarm')) - Number(a.title.endsWith('alarm')));
}

export const reportTitle = (report: Pick<AdminMonitoringEvent, 'message' | 'kind'>) =>
  report.message === '' ? `Report (${report.kind})` : report.message;

const QUEUE_STATES: readonly AdminQueue['state'][] = ['failing', 'late', 'working', 'waiting', 'idle'];

/** Whether a queue is idle and has no failures. */
export const isQuiet = ({
  state,
  waiting,
  failed,
}: Pick<AdminQueue, 'state' | 'waiting' | 'failed'>): boolean =>
  state === 'idle' && waiting === 0 && failed === 0;

/** "All 8 queues are idle", "1 other queue is idle" */
export const idleText = (idle: number, busy: number): string =>
  busy === 0
    ? `All ${counted(idle, ['queue is', 'queues are'])} idle`
    : `${counted(idle, ['other queue is', 'other queues are'])} idle`;

/** Failing queues first, then late ones; longest first within a state. */
export const queuesByTrouble = (queues: readonly AdminQueue[]): AdminQueue[] =>
  [...queues].sort(
    (a, b) =>
      QUEUE_STATES.indexOf(a.state) - QUEUE_STATES.indexOf(b.state) ||
      b.waiting - a.waiting ||
      a.name.localeCompare(b.name),
  );
